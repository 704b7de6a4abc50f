package org.metasched.bench.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.metasched.classad.ClassAd;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;
import org.metasched.classad.match.Autoclusters;
import org.metasched.classad.match.OfferPool;

/**
 * The sets of {@code bench classad --diverse} beside the reference library, in turns: for each set a line of JSON with the ratios, theirs
 * to ours, of the time by the clock, garbage collection included, and of the processor time of the thread that works; of each the median
 * of rounds and the worst. Ours makes and prepares the pool within its time; the reference has optimised its ads before, in a time of
 * its own. What parsing left is collected before requests are timed: {@code parseCollected} is the time of parsing with all of that
 * collection. No text is read twice, and the matches of both sides are compared.
 *
 * <p>Arguments: the program made from {@code test/reference/classads.cpp}, machine ads, requests, rounds, and the sets if not all.
 */
public final class ReferenceBench {

    private static final int WARM_UP = 3;

    private final Process reference;
    private final BufferedReader answers;
    private final int machines;
    private final int requests;
    /** Of each measure the ratios of the rounds that count. */
    private final Map<String, List<Double>> ratios = new LinkedHashMap<>();

    private int made;

    private record Answer(long nanos, long count) {}

    private record Time(long wall, long cpu) {}

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
            List<String> wanted = List.of(arguments).subList(4, arguments.length);
            for (DiverseBench.Kind kind : DiverseBench.Kind.values()) {
                if (wanted.isEmpty() || wanted.contains(kind.name().toLowerCase(Locale.ROOT))) {
                    bench.measure(kind, Integer.parseInt(arguments[3]));
                }
            }
        } finally {
            reference.destroy();
        }
    }

    private void measure(DiverseBench.Kind kind, int rounds) throws IOException {
        for (int i = 0; i < WARM_UP + rounds; i++) {
            if (i == WARM_UP) {
                ratios.clear();
            }
            round(kind);
        }
        var line = new StringBuilder("{\"set\":\"%s\",\"machines\":%d,\"requests\":%d,\"rounds\":%d"
                .formatted(kind.name().toLowerCase(Locale.ROOT), machines, requests, rounds));
        ratios.forEach((name, all) -> {
            double[] sorted =
                    all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            line.append(String.format(
                    Locale.ROOT, ",\"%s\":%.2f,\"%sWorst\":%.2f", name, sorted[sorted.length / 2], name, sorted[0]));
        });
        System.out.println(line.append('}'));
        ratios.clear();
    }

    private void round(DiverseBench.Kind kind) throws IOException {
        String[] texts = new String[machines];
        Arrays.setAll(texts, i -> DiverseBench.machine(kind, ++made));
        String[] jobTexts = new String[requests];
        Arrays.setAll(jobTexts, j -> DiverseBench.request(kind, j).replace('\n', ' '));
        Path machineFile = Files.write(Files.createTempFile("machines", ".ads"), List.of(texts));
        Path jobFile = Files.createTempFile("jobs", ".ads");
        try {
            long before = asked("parse /dev/null").count() + asked("bytes").count();
            Answer theirs = asked("parse " + machineFile);
            long theirBytes = asked("bytes").count() - before;
            var ads = new ArrayList<ClassAd>(machines);
            Time parse = timed(() -> Arrays.stream(texts).forEach(text -> ads.add(DiverseBench.parsed(text))));
            took("parse", theirs, parse);
            Time collection = timed(System::gc);
            note("parseCollected", (double) theirs.nanos() / (parse.wall() + collection.wall()));
            List<ClassAd> jobs =
                    Arrays.stream(jobTexts).map(DiverseBench::parsed).toList();
            asked("optimise");
            for (int n : new int[] {1, 20, requests}) {
                Files.write(jobFile, Arrays.asList(jobTexts).subList(0, n));
                Answer match = asked("match " + jobFile);
                List<ClassAd> few = jobs.subList(0, n);
                if (n == requests) {
                    took("loop", match, timed(() -> compared(match, loop(few, ads))));
                }
                took("autoclusters" + n, match, timed(() -> clustered(few, ads)));
            }
            long full = used();
            ads.clear();
            note("bytes", (double) theirBytes / (full - used()));
        } finally {
            Files.delete(machineFile);
            Files.delete(jobFile);
        }
    }

    private static void compared(Answer theirs, long matches) {
        if (matches != theirs.count()) {
            throw new IllegalStateException("%d matches, the reference has %d".formatted(matches, theirs.count()));
        }
    }

    private void took(String name, Answer theirs, Time ours) {
        note(name, (double) theirs.nanos() / ours.wall());
        note(name + "Cpu", (double) theirs.nanos() / ours.cpu());
    }

    private void note(String name, double ratio) {
        ratios.computeIfAbsent(name, none -> new ArrayList<>()).add(ratio);
    }

    /** Bytes of objects that are reachable. */
    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
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

    private static Time timed(Runnable work) {
        var threads = ManagementFactory.getThreadMXBean();
        long cpu = threads.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        work.run();
        return new Time(System.nanoTime() - wall, threads.getCurrentThreadCpuTime() - cpu);
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
        OfferPool pool = OfferPool.of(ads);
        pool.prepareFor(jobs.size());
        var clusters = new Autoclusters(pool);
        for (ClassAd job : jobs) {
            clusters.of(job).best(job);
        }
    }
}
