package org.metasched.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.metasched.choice.Choice;
import org.metasched.choice.ChoiceBranch;
import org.metasched.choice.ChoicePart;
import org.metasched.choice.FeasibleStarts;
import org.metasched.choice.PlaceOption;
import org.metasched.choice.Preference;

/**
 * What a choice in time costs: five parts, each at any of N sites with 1,000 windows, all told before. Prints a line of JSON for each
 * number of sites: where the start is early, where it is the last of all, and where half of the parts are free at half of the sites while the others
 * are not, so that there is none; {@code -Dmetasched.bench.sites=N} (10,000) is the largest number. Processor time of one thread.
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
        var only = List.of(new PlaceOption("last", 1, FeasibleStarts.of(LAST, LAST), 0, 0, "last"));
        for (int count = most / 8; count <= most; count *= 2) {
            var some = sites.subList(0, count);
            System.out.println(figures("early", count, part -> some));
            System.out.println(figures("late", count, part -> part == PARTS - 1 ? only : some));
        }
        for (int count = most / 8; count <= most; count *= 2) {
            for (var preference : List.of(Preference.RANK, Preference.COST)) {
                var some = sites.subList(0, count);
                System.out.println(figures("prefer " + preference.word(), preference, branch(part -> some), count));
            }
        }
        for (int count = most / 8; count <= most; count *= 2) {
            for (var preference : Preference.values()) {
                for (int total : List.of(150, 310, 321)) {
                    System.out.println(figures(
                            "split of " + total + ", prefer " + preference.word(),
                            preference,
                            split(total, sites.subList(0, count)),
                            count));
                }
            }
        }
        for (int gap : List.of(1_000, 10)) {
            var halves = List.of(inTurns(most / 2, 0, gap), inTurns(most / 2, 1, gap));
            for (int count = most / 8; count <= most; count *= 2) {
                int half = count / 2;
                System.out.println(figures(
                        "never, turns of " + gap + " s",
                        count,
                        part -> halves.get(part % 2).subList(0, half)));
            }
        }
    }

    /** Each is free about a thirtieth of the time, so that it takes a while until five are free at once. */
    private static List<PlaceOption> sites(int count) {
        var random = new Random(1);
        var sites = new ArrayList<PlaceOption>();
        for (int i = 0; i < count; i++) {
            long[] ends = new long[2 * WINDOWS];
            long at = random.nextInt(50_000);
            for (int w = 0; w < WINDOWS; w++) {
                at += 1 + random.nextInt(2 * (int) (LAST / WINDOWS));
                ends[2 * w] = at;
                at += random.nextInt(2 * (int) (LAST / WINDOWS) / 30);
                ends[2 * w + 1] = at;
            }
            sites.add(new PlaceOption(
                    "s" + i, 1, FeasibleStarts.of(ends), random.nextInt(100), random.nextInt(100), "s" + i));
        }
        return sites;
    }

    /** Sites that are free in every other turn of so many seconds only. */
    private static List<PlaceOption> inTurns(int count, int which, int turn) {
        var random = new Random(which);
        int turns = (int) (LAST / turn / 2);
        var sites = new ArrayList<PlaceOption>();
        for (int i = 0; i < count; i++) {
            long[] ends = new long[2 * WINDOWS];
            for (int w = 0; w < WINDOWS; w++) {
                long first = (long) w * turns / WINDOWS;
                long one = first + random.nextInt((int) ((w + 1L) * turns / WINDOWS - first));
                ends[2 * w] = (2 * one + which) * turn + random.nextInt(turn / 2);
                ends[2 * w + 1] = (2 * one + which) * turn + turn / 2 + random.nextInt(turn / 2);
            }
            sites.add(new PlaceOption(
                    "s" + which + "-" + i,
                    1,
                    FeasibleStarts.of(ends),
                    random.nextInt(100),
                    random.nextInt(100),
                    "s" + which + "-" + i));
        }
        return sites;
    }

    private static ChoiceBranch branch(IntFunction<List<PlaceOption>> sitesOf) {
        return new ChoiceBranch(
                IntStream.range(0, PARTS)
                        .mapToObj(part -> ChoicePart.oneOf(sitesOf.apply(part)))
                        .toList(),
                List.of());
    }

    /** At most so many pieces; the sites have up to 64 each. */
    private static ChoiceBranch split(int total, List<PlaceOption> sites) {
        var random = new Random(2);
        var options = sites.stream()
                .map(s -> new PlaceOption(s.place(), 1 + random.nextInt(64), s.starts(), s.rank(), s.cost(), s.tag()))
                .toList();
        return new ChoiceBranch(List.of(ChoicePart.split(total, PARTS, 1, 1, options)), List.of());
    }

    private static String figures(String set, int sites, IntFunction<List<PlaceOption>> sitesOf) {
        return figures(set, Preference.START, branch(sitesOf), sites);
    }

    private static String figures(String set, Preference preference, ChoiceBranch branch, int sites) {
        var branches = List.of(branch);
        var threads = ManagementFactory.getThreadMXBean();
        long[] nanos = new long[ROUNDS];
        String found = "";
        for (int round = 0; round < ROUNDS; round++) {
            long began = threads.getCurrentThreadCpuTime();
            var decision = Choice.decide(branches, 0, LAST, preference, 1, Choice.MOST_STEPS);
            nanos[round] = threads.getCurrentThreadCpuTime() - began;
            found = ",\"proven\":" + decision.proven() + ",\"steps\":" + decision.steps() + ",\"start\":"
                    + decision.best().map(plan -> plan.start()).orElse(-1L);
        }
        java.util.Arrays.sort(nanos);
        return "{\"set\":\"" + set + "\",\"sites\":" + sites + ",\"windows\":" + WINDOWS + ",\"parts\":" + PARTS
                + ",\"millis\":" + nanos[ROUNDS / 2] / 1_000_000 + found + "}";
    }
}
