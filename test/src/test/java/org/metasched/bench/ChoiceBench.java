package org.metasched.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.metasched.choice.Choice;
import org.metasched.choice.ChoiceBranch;
import org.metasched.choice.ChoicePart;
import org.metasched.choice.Option;
import org.metasched.choice.Preference;
import org.metasched.choice.Starts;

/**
 * What a choice in time costs: five parts, each at any of N sites with 1,000 windows, all told before. Prints a line of JSON for each
 * number of sites, once where the start is early and once where it is the last of all; {@code -Dmetasched.bench.sites=N} (10,000) is the largest number. Processor time of one thread.
 */
public final class ChoiceBench {

    private static final int WINDOWS = 1_000;
    private static final int PARTS = 5;
    private static final int ROUNDS = 5;
    private static final long LAST = 30L * 86_400;

    private ChoiceBench() {}

    public static void main(String[] arguments) {
        int most = Integer.getInteger("metasched.bench.sites", 10_000);
        var sites = sites(most);
        for (int count = most / 8; count <= most; count *= 2) {
            System.out.println(figures(sites.subList(0, count), false));
            System.out.println(figures(sites.subList(0, count), true));
        }
    }

    /** Each is free about a thirtieth of the time, so that it takes a while until five are free at once. */
    private static List<Option> sites(int count) {
        var random = new Random(1);
        var sites = new ArrayList<Option>();
        for (int i = 0; i < count; i++) {
            long[] ends = new long[2 * WINDOWS];
            long at = random.nextInt(50_000);
            for (int w = 0; w < WINDOWS; w++) {
                at += 1 + random.nextInt(2 * (int) (LAST / WINDOWS));
                ends[2 * w] = at;
                at += random.nextInt(2 * (int) (LAST / WINDOWS) / 30);
                ends[2 * w + 1] = at;
            }
            sites.add(new Option("s" + i, Starts.of(ends), random.nextInt(100), random.nextInt(100)));
        }
        return sites;
    }

    /** @param late whether the last part is free at the last instant only, so that every window is looked at */
    private static String figures(List<Option> sites, boolean late) {
        var only = new Option("last", Starts.of(LAST, LAST), 0, 0);
        var parts = IntStream.range(0, PARTS)
                .mapToObj(part -> ChoicePart.oneOf(late && part == PARTS - 1 ? List.of(only) : sites))
                .toList();
        var branches = List.of(new ChoiceBranch(parts, List.of()));
        var threads = ManagementFactory.getThreadMXBean();
        long[] nanos = new long[ROUNDS];
        String found = "";
        for (int round = 0; round < ROUNDS; round++) {
            long began = threads.getCurrentThreadCpuTime();
            var decision = Choice.decide(branches, 0, LAST, Preference.START, 1, Choice.MOST_STEPS);
            nanos[round] = threads.getCurrentThreadCpuTime() - began;
            found = ",\"proven\":" + decision.proven() + ",\"steps\":" + decision.steps() + ",\"start\":"
                    + decision.best().map(plan -> plan.start()).orElse(-1L);
        }
        java.util.Arrays.sort(nanos);
        return "{\"sites\":" + sites.size() + ",\"windows\":" + WINDOWS + ",\"parts\":" + PARTS + ",\"late\":" + late
                + ",\"millis\":" + nanos[ROUNDS / 2] / 1_000_000 + found + "}";
    }
}
