package org.metasched.bench.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.metasched.classad.ClassAd;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;
import org.metasched.classad.match.Autoclusters;
import org.metasched.classad.match.OfferPool;

/**
 * The sets of {@code bench classad --diverse} beside the reference library, in turns, by the processor time of the thread that works: a
 * line of JSON for each set, with medians of rounds. No text is read twice, and the matches of both sides are compared.
 *
 * <p>Arguments: the program made from {@code test/reference/classads.cpp}, machine ads, requests, rounds.
 */
public final class ReferenceBench {

    private static final int WARM_UP = 3;

    private final Process reference;
    private final BufferedReader answers;
    private final int machines;
    private final int requests;
    private int made;

    /** Nanoseconds of one round: reading, and matching each request with each ad. */
    private record Round(
            double parse, double theirParse, double loop, double clustered, double theirOptimise, double theirMatch) {}

    private record Answer(long nanos, long count) {}

    private ReferenceBench(Process reference, int machines, int requests) {
        this.reference = reference;
        this.answers = reference.inputReader();
        this.machines = machines;
        this.requests = requests;
    }

    public static void main(String[] arguments) throws IOException {
        Process reference = new ProcessBuilder(arguments[0])
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var bench = new ReferenceBench(reference, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        try {
            for (DiverseBench.Kind kind : DiverseBench.Kind.values()) {
                bench.measure(kind, Integer.parseInt(arguments[3]));
            }
        } finally {
            reference.destroy();
        }
    }

    private void measure(DiverseBench.Kind kind, int rounds) throws IOException {
        var counted = new ArrayList<Round>();
        for (int i = 0; i < WARM_UP + rounds; i++) {
            Round round = round(kind);
            if (i >= WARM_UP) {
                counted.add(round);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "{\"set\":\"%s\",\"machines\":%d,\"requests\":%d,\"rounds\":%d,\"parseAdsPerSecond\":%.0f,\"referenceParse\":%.0f,"
                        + "\"parseRatio\":%.2f,\"loopPairsPerSecond\":%.0f,\"pairsPerSecond\":%.0f,\"referenceOptimisedPairs\":%.0f,"
                        + "\"loopRatio\":%.2f,\"ratio\":%.2f,\"referenceOptimiseMicrosPerAd\":%.1f}%n",
                kind.name().toLowerCase(Locale.ROOT),
                machines,
                requests,
                rounds,
                machines * 1e9 / median(counted, Round::parse),
                machines * 1e9 / median(counted, Round::theirParse),
                median(counted, round -> round.theirParse() / round.parse()),
                pairs() * 1e9 / median(counted, Round::loop),
                pairs() * 1e9 / median(counted, Round::clustered),
                pairs() * 1e9 / median(counted, Round::theirMatch),
                median(counted, round -> round.theirMatch() / round.loop()),
                median(counted, round -> round.theirMatch() / round.clustered()),
                median(counted, Round::theirOptimise) / 1e3 / machines);
    }

    private double pairs() {
        return (double) machines * requests;
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> column) {
        double[] sorted = rounds.stream().mapToDouble(column).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private Round round(DiverseBench.Kind kind) throws IOException {
        String[] texts = new String[machines];
        Arrays.setAll(texts, i -> DiverseBench.machine(kind, ++made));
        String[] jobTexts = new String[requests];
        Arrays.setAll(jobTexts, j -> DiverseBench.job(j).replace('\n', ' '));
        Path machineFile = Files.write(Files.createTempFile("machines", ".ads"), List.of(texts));
        Path jobFile = Files.write(Files.createTempFile("jobs", ".ads"), List.of(jobTexts));
        try {
            Answer theirParse = asked("parse " + machineFile);
            Answer theirOptimise = asked("optimise");
            Answer theirMatch = asked("match " + jobFile);
            var ads = new ArrayList<ClassAd>(machines);
            long parse = timed(() -> Arrays.stream(texts).forEach(text -> ads.add(DiverseBench.parsed(text))));
            List<ClassAd> jobs =
                    Arrays.stream(jobTexts).map(DiverseBench::parsed).toList();
            long[] matches = new long[1];
            long loop = timed(() -> matches[0] = loop(jobs, ads));
            if (matches[0] != theirMatch.count()) {
                throw new IllegalStateException(
                        "%d matches, the reference has %d".formatted(matches[0], theirMatch.count()));
            }
            long clustered = timed(() -> clustered(jobs, ads));
            return new Round(parse, theirParse.nanos(), loop, clustered, theirOptimise.nanos(), theirMatch.nanos());
        } finally {
            Files.delete(machineFile);
            Files.delete(jobFile);
        }
    }

    private Answer asked(String command) throws IOException {
        reference.outputWriter().write(command + "\n");
        reference.outputWriter().flush();
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("The reference ended at: " + command);
        }
        String[] words = line.split(" ");
        return new Answer(Long.parseLong(words[0]), Long.parseLong(words[1]));
    }

    private static long timed(Runnable work) {
        var threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime();
        work.run();
        return threads.getCurrentThreadCpuTime() - began;
    }

    /** Each pair by itself, both ranks of each match. */
    private static long loop(List<ClassAd> jobs, List<ClassAd> ads) {
        var pair = new MatchContext(LookupMode.OLD);
        long matches = 0;
        double best = 0;
        for (ClassAd job : jobs) {
            pair.left(job);
            for (ClassAd ad : ads) {
                pair.right(ad);
                if (pair.symmetricMatch()) {
                    matches++;
                    best = Math.max(best, pair.leftRank() + pair.rightRank());
                }
            }
        }
        return best < 0 ? -1 : matches;
    }

    /** The best match of each request, the pool included. */
    private static void clustered(List<ClassAd> jobs, List<ClassAd> ads) {
        var clusters = new Autoclusters(OfferPool.of(ads));
        for (ClassAd job : jobs) {
            clusters.of(job).best(job);
        }
    }
}
