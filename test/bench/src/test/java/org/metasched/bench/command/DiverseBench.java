package org.metasched.bench.command;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;
import org.metasched.classad.match.Autoclusters;
import org.metasched.classad.match.OfferPool;

/**
 * Parsing and matching of ads that have nothing in common: distinct values, distinct names, distinct Requirements. No text is read
 * twice. Rates are medians of rounds, of the processor time of one thread, after a round to warm up; of more than ten million pairs
 * there is one round. Not thread-safe.
 */
final class DiverseBench {

    private static final int ROUNDS = 5;
    private static final long MANY_PAIRS = 10_000_000;
    private static final int LOOPED = 5;

    private final int machines;
    private final int requests;
    private int made;
    private long checksum;

    enum Kind {
        VALUES,
        NAMES,
        REQUIREMENTS,
        /** {@link MachineAds} with the same names. */
        CONDOR,
        /** And with names of their own. */
        CONDOR_NAMES
    }

    DiverseBench(int machines, int requests) {
        this.machines = machines;
        this.requests = requests;
    }

    /** For each kind of ads the rates, and that of {@link Autoclusters} over that of a loop over all offers, for few requests, for all, and for all with the preparation of the pool. */
    Map<String, Object> measured() {
        Map<String, Object> result = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            checksum += (long) new DiverseBench(Math.min(machines, 10_000), Math.min(requests, 200)).round(kind)[0];
            var counted = new ArrayList<double[]>();
            for (int round = 0; round < ((long) machines * requests > MANY_PAIRS ? 1 : ROUNDS); round++) {
                counted.add(round(kind));
            }
            Map<String, Object> rates = new LinkedHashMap<>();
            rates.put("parseAdsPerSecond", Math.round(median(counted, 0)));
            rates.put("loopPairsPerSecond", Math.round(median(counted, 1)));
            rates.put("pairsPerSecond", Math.round(median(counted, 2)));
            rates.put("fewOverLoop", Math.round(median(counted, 3) * 100) / 100.0);
            rates.put("overLoop", Math.round(median(counted, 4) * 100) / 100.0);
            rates.put("preparedOverLoop", Math.round(median(counted, 5) * 100) / 100.0);
            result.put(kind.name().toLowerCase(Locale.ROOT), rates);
        }
        result.put("machines", machines);
        result.put("requests", requests);
        return result;
    }

    /** Shows that the work was done. */
    long checksum() {
        return checksum;
    }

    private static double median(List<double[]> rounds, int column) {
        return rounds.stream().mapToDouble(r -> r[column]).sorted().toArray()[rounds.size() / 2];
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private double[] round(Kind kind) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < machines; i++) {
            texts.add(machine(kind, ++made));
        }
        var jobs = new ArrayList<ClassAd>();
        for (int j = 0; j < requests; j++) {
            jobs.add(parsed(request(kind, j)));
        }
        long began = cpu();
        List<ClassAd> ads = texts.stream().map(DiverseBench::parsed).toList();
        double parse = cpu() - began;
        List<ClassAd> few = jobs.subList(0, Math.min(LOOPED, jobs.size()));
        began = cpu();
        few.forEach(job -> loop(job, ads));
        double loop = (double) (cpu() - began) / few.size();
        double clustered = clustered(few, ads, false) / few.size();
        double all = clustered(jobs, ads, false) / jobs.size();
        double prepared = clustered(jobs, ads, true) / jobs.size();
        return new double[] {
            machines * 1e9 / parse,
            machines * 1e9 / loop,
            machines * 1e9 / all,
            loop / clustered,
            loop / all,
            loop / prepared
        };
    }

    private void loop(ClassAd job, List<ClassAd> ads) {
        var pair = new MatchContext(LookupMode.OLD);
        pair.left(job);
        double best = Double.NEGATIVE_INFINITY;
        for (ClassAd ad : ads) {
            pair.right(ad);
            if (pair.symmetricMatch()) {
                best = Math.max(best, pair.leftRank() + pair.rightRank());
            }
        }
        checksum += (long) best;
    }

    /** The processor time of matching, the pool included. */
    private double clustered(List<ClassAd> jobs, List<ClassAd> ads, boolean prepared) {
        long began = cpu();
        OfferPool pool = OfferPool.of(ads);
        if (prepared) {
            pool.prepareFor(jobs.size());
        }
        var clusters = new Autoclusters(pool);
        for (ClassAd job : jobs) {
            checksum += clusters.of(job).best(job).map(match -> match.number()).orElse(-1);
        }
        return cpu() - began;
    }

    static ClassAd parsed(String text) {
        try {
            return ClassAd.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalStateException("An ad of the benchmark cannot be read: " + e.getMessage(), e);
        }
    }

    /** An ad on one line; the numbers tell ads apart. */
    static String machine(Kind kind, int i) {
        if (kind.compareTo(Kind.CONDOR) >= 0) {
            return MachineAds.machine(i, kind == Kind.CONDOR_NAMES);
        }
        String requirements = kind == Kind.REQUIREMENTS
                ? "TARGET.Size <= MY.Memory + %1$d && (TARGET.Owner != \"u%1$d\" || TARGET.Prio < %1$d)".formatted(i)
                : "TARGET.Size <= MY.Memory";
        var text = new StringBuilder(
                "[ Name = \"slot%1$d@node%1$d.example.org\"; Memory = %2$d; Flops = %3$d; Rank = 0; Requirements = %4$s"
                        .formatted(i, i % 4000, 1_000_000 + i * 37, requirements));
        for (int k = 0; k < 12; k++) {
            text.append("; Of%s%d = %d".formatted(kind == Kind.NAMES ? i + "x" : "", k, i * 17L + k));
        }
        return text.append(" ]").toString();
    }

    static String request(Kind kind, int j) {
        return kind.compareTo(Kind.CONDOR) < 0 ? job(j) : MachineAds.job(j);
    }

    private static String job(int j) {
        return """
                [ Owner = "u%1$d"; Prio = %1$d; Size = 1000 + %1$d; Rank = TARGET.Flops * (%1$d + 1) %% 1009;
                  Requirements = TARGET.Memory >= MY.Size + %1$d && TARGET.Flops %% (500 + %1$d) == 3 ]""".formatted(j);
    }
}
