package org.metasched.bench.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.GangCycle;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.PortedAd;

/**
 * The experiment of the 2003 paper, from ClassAd text to gangs: the same workload several times, and the times of each.
 *
 * @param outcome of the last run
 * @param times of all runs, at least one
 * @param textBytes that were parsed in each
 */
public record GangBench(CycleOutcome outcome, List<Times> times, long textBytes) {

    /** Milliseconds of one run: text to ads, ads to indexes, indexes to gangs. */
    public record Times(double parse, double index, double match) {
        public double total() {
            return parse + index + match;
        }
    }

    /** @param runs at least one */
    public static GangBench of(GangWorkload workload, GangAlgorithm algorithm, int runs) {
        String jobAds = workload.jobAds();
        String offerAds = workload.machineAds() + workload.licenseAds();
        var times = new ArrayList<Times>();
        CycleOutcome outcome = once(jobAds, offerAds, algorithm, times);
        for (int i = 1; i < runs; i++) {
            outcome = null;
            outcome = once(jobAds, offerAds, algorithm, times);
        }
        return new GangBench(outcome, times, jobAds.length() + offerAds.length());
    }

    /** Milliseconds, to the microsecond. */
    public double median(ToDoubleFunction<Times> part) {
        double[] sorted = times.stream().mapToDouble(part).sorted().toArray();
        return Math.round(sorted[sorted.length / 2] * 1000) / 1000.0;
    }

    private static CycleOutcome once(String jobAds, String offerAds, GangAlgorithm algorithm, List<Times> times) {
        long start = System.nanoTime();
        List<ClassAd> jobs = parsed(jobAds);
        List<ClassAd> offers = parsed(offerAds);
        long parsed = System.nanoTime();
        List<PortedAd> roots = jobs.stream().map(PortedAd::of).toList();
        var pool = new GangPool(offers);
        long indexed = System.nanoTime();
        CycleOutcome outcome = GangCycle.run(roots, pool, algorithm);
        long matched = System.nanoTime();
        times.add(new Times((parsed - start) / 1e6, (indexed - parsed) / 1e6, (matched - indexed) / 1e6));
        return outcome;
    }

    private static List<ClassAd> parsed(String text) {
        try {
            return ClassAd.parseAll(
                    text, ReadOptions.NEW.with(ReadOptions.NEW.limits().withTextBytes(Integer.MAX_VALUE)));
        } catch (ClassAdSyntaxException e) {
            throw new IllegalStateException("The workload is not ClassAd text: " + e.getMessage(), e);
        }
    }
}
