package org.metasched.bench.command;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Dialect;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Scope;
import org.metasched.classad.Syntax;
import org.metasched.cli.classad.AdFiles;
import org.metasched.cli.output.ExitCodeException;

/**
 * Parsing, matching, ranking and evaluation of ads, in one thread. Rates are for the CPU time of that thread, the best
 * round after a warm-up; the median is given beside it. Not thread-safe.
 */
final class ClassAdBench {

    private static final int JOBS_MATCHED = 20;

    /** Texts parsed in one round, as in the reference's measurement. */
    private static final int TEXTS_PARSED = 1_000;

    private static final int EVALUATIONS = 200_000;

    private static final List<String> EXPRESSIONS = List.of(
            "Memory >= 2048 && Cpus >= 2 && ( Disk > 1000000 || HasDocker ) && Arch == \"X86_64\""
                    + " && member(5,SupportedUniverses)",
            "Mips * 2 + KFlops / 1E3 - LoadAvg * 100 + ( State == \"Unclaimed\" ) * 50",
            "ifThenElse(OpSys == \"LINUX\",strcat(toLower(OpSysName),\"-\",OpSysMajorVer),\"other\")",
            "regexp(\"^slot1@node0*[0-9]+\\\\.pool[1-3]\\\\.\",Name)",
            "Cpus");

    private final double seconds;
    private final int evaluations;

    /** Keeps results alive, and shows that the work was done. */
    private long checksum;

    private record Measured(double best, double median) {}

    /** Ads as separate texts, as they come from a wire. */
    record Texts(List<String> texts, ReadOptions reading, long bytes) {}

    /** @param seconds how long each measurement runs after as long a warm-up */
    ClassAdBench(double seconds) {
        this(seconds, EVALUATIONS);
    }

    /** @param evaluations of an expression in one round */
    ClassAdBench(double seconds, int evaluations) {
        this.seconds = seconds;
        this.evaluations = evaluations;
    }

    /** All figures by the keys of the contract, in its order. */
    Map<String, Object> measured(Texts machineTexts, Texts jobTexts) {
        Map<String, Object> result = new LinkedHashMap<>();
        long before = usedHeap();
        List<ClassAd> machineAds = parsed(machineTexts);
        long perAd = (usedHeap() - before) / Math.max(1, machineAds.size());
        List<ClassAd> jobAds = parsed(jobTexts);
        measureParsing(result, machineTexts, jobTexts);
        measureMatching(result, jobAds.subList(0, Math.min(JOBS_MATCHED, jobAds.size())), machineAds);
        measureEvaluation(result, machineAds);
        result.put("bytesPerAd", perAd);
        result.put("machines", machineAds.size());
        result.put("jobs", jobAds.size());
        return result;
    }

    long checksum() {
        return checksum;
    }

    static Texts texts(Path file) {
        String all = AdFiles.text(file);
        Syntax syntax = AdFiles.guess(all);
        ReadOptions reading = AdFiles.reading(syntax, Dialect.REFERENCE);
        List<String> texts = new ArrayList<>();
        if (syntax == Syntax.OLD) {
            for (String text : all.split("\n\\s*\n")) {
                if (!text.isBlank()) {
                    texts.add(text);
                }
            }
        } else {
            AdFiles.parsed(file, all, reading).forEach(ad -> texts.add(ad.print(syntax)));
        }
        long bytes = texts.stream()
                .mapToLong(t -> t.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        return new Texts(texts, reading, bytes);
    }

    private static List<ClassAd> parsed(Texts texts) {
        List<ClassAd> ads = new ArrayList<>(texts.texts().size());
        for (String text : texts.texts()) {
            ads.add(parsed(text, texts.reading()));
        }
        return ads;
    }

    private static ClassAd parsed(String text, ReadOptions reading) {
        try {
            return ClassAd.parse(text, reading);
        } catch (ClassAdSyntaxException e) {
            throw ExitCodeException.badInput(e.getMessage());
        }
    }

    private static long usedHeap() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            used = Math.min(
                    used,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return used;
    }

    /** Rates of a round of work that says how many operations it did. */
    private Measured measure(LongSupplier round) {
        var threads = ManagementFactory.getThreadMXBean();
        long nanos = (long) (seconds * 1e9);
        for (long start = System.nanoTime(); System.nanoTime() - start < nanos; ) {
            if (round.getAsLong() < 0) {
                throw new IllegalStateException("A round of the benchmark did fewer operations than none.");
            }
        }
        List<Double> rates = new ArrayList<>();
        for (long start = System.nanoTime(); System.nanoTime() - start < nanos || rates.isEmpty(); ) {
            long cpu = threads.getCurrentThreadCpuTime();
            long operations = round.getAsLong();
            rates.add(operations * 1e9 / Math.max(1, threads.getCurrentThreadCpuTime() - cpu));
        }
        double[] sorted = rates.stream().mapToDouble(r -> r).sorted().toArray();
        return new Measured(sorted[sorted.length - 1], sorted[sorted.length / 2]);
    }

    private static void put(Map<String, Object> result, String key, Measured rate) {
        result.put(key, Math.round(rate.best()));
        result.put(key + "Median", Math.round(rate.median()));
    }

    private void measureParsing(Map<String, Object> result, Texts machineTexts, Texts jobTexts) {
        Measured machineRate = measure(() -> parseAll(machineTexts));
        put(result, "parseAdsPerSecond", machineRate);
        double megabytes = machineTexts.bytes() / 1e6 / machineTexts.texts().size();
        result.put("parseMBPerSecond", Math.round(machineRate.best() * megabytes * 10) / 10.0);
        put(result, "parseJobAdsPerSecond", measure(() -> parseAll(jobTexts)));
    }

    private long parseAll(Texts texts) {
        List<String> some =
                texts.texts().subList(0, Math.min(TEXTS_PARSED, texts.texts().size()));
        for (String text : some) {
            checksum += parsed(text, texts.reading()).size();
        }
        return some.size();
    }

    private void measureMatching(Map<String, Object> result, List<ClassAd> jobAds, List<ClassAd> machineAds) {
        long pairs = (long) jobAds.size() * machineAds.size();
        var context = new MatchContext(LookupMode.OLD);
        long[] counts = new long[jobAds.size()];
        for (int j = 0; j < counts.length; j++) {
            counts[j] = matches(context, jobAds.get(j), machineAds);
        }
        result.put("matches", Arrays.stream(counts).sum());
        result.put("matchesPerJob", counts);
        result.put("jobRankSum", ranks(context, jobAds, machineAds, true));
        result.put("machineRankSum", ranks(context, jobAds, machineAds, false));
        put(result, "matchesPerSecond", measure(() -> {
            for (ClassAd job : jobAds) {
                checksum += matches(context, job, machineAds);
            }
            return pairs;
        }));
        put(result, "ranksPerSecond", measure(() -> {
            checksum += (long) ranks(context, jobAds, machineAds, true);
            return pairs;
        }));
        put(result, "machineRanksPerSecond", measure(() -> {
            checksum += (long) ranks(context, jobAds, machineAds, false);
            return pairs;
        }));
    }

    private static long matches(MatchContext context, ClassAd job, List<ClassAd> machineAds) {
        context.left(job);
        long matches = 0;
        for (ClassAd machine : machineAds) {
            context.right(machine);
            if (context.symmetricMatch()) {
                matches++;
            }
        }
        return matches;
    }

    private static double ranks(MatchContext context, List<ClassAd> jobAds, List<ClassAd> machineAds, boolean ofJob) {
        double sum = 0;
        for (ClassAd job : jobAds) {
            context.left(job);
            for (ClassAd machine : machineAds) {
                context.right(machine);
                sum += ofJob ? context.leftRank() : context.rightRank();
            }
        }
        return sum;
    }

    private void measureEvaluation(Map<String, Object> result, List<ClassAd> machineAds) {
        List<Scope> scopes = machineAds.subList(0, Math.min(1000, machineAds.size())).stream()
                .map(ad -> Scope.of(ad, LookupMode.OLD))
                .toList();
        double slowness = 0;
        for (int i = 0; i < EXPRESSIONS.size(); i++) {
            Expr expr = expression(EXPRESSIONS.get(i));
            put(result, "e" + (i + 1) + "Single", measure(() -> evaluations(expr, scopes.subList(0, 1))));
            Measured rotating = measure(() -> evaluations(expr, scopes));
            put(result, "e" + (i + 1) + "Rotating", rotating);
            slowness += 1 / rotating.best();
        }
        result.put("evaluationsPerSecond", Math.round(EXPRESSIONS.size() / slowness));
    }

    private static Expr expression(String text) {
        try {
            return Expr.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalStateException("An expression of the benchmark cannot be read: " + e.getMessage(), e);
        }
    }

    private long evaluations(Expr expr, List<Scope> scopes) {
        int size = scopes.size();
        for (int i = 0, at = 0; i < evaluations; i++) {
            checksum += expr.evaluate(scopes.get(at)).satisfies() ? 1 : 0;
            at = at + 1 == size ? 0 : at + 1;
        }
        return evaluations;
    }
}
