package org.metasched.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.metasched.bench.command.GangWorkload;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.GangCycle;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.PortedAd;

/**
 * Matching alone, after ads were read and the pool was prepared, in one process: a line of JSON for each algorithm and for values that
 * repeat and values that hardly do. Times are medians, on the clock and of this thread's processor time, after as many runs to warm up.
 *
 * <p>Arguments: jobs, licence density, selectivity, runs, and then what to measure: dynamic, exact, dynamic-continuous,
 * exact-continuous, or another algorithm; all four if nothing is named.
 */
public final class GangGoals {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Milliseconds of one run. */
    private record Times(double parse, double ingest, double ingestCpu, double match, double matchCpu) {}

    private static final ReadOptions READING =
            ReadOptions.NEW.with(ReadOptions.NEW.limits().withTextBytes(Integer.MAX_VALUE));

    private GangGoals() {}

    public static void main(String[] arguments) throws ClassAdSyntaxException {
        int jobs = Integer.parseInt(arguments[0]);
        int density = Integer.parseInt(arguments[1]);
        int selectivity = Integer.parseInt(arguments[2]);
        int runs = Integer.parseInt(arguments[3]);
        List<String> cells = arguments.length > 4
                ? Arrays.asList(arguments).subList(4, arguments.length)
                : List.of("dynamic", "exact", "dynamic-continuous", "exact-continuous");
        GangWorkload discrete = GangWorkload.standard(jobs, density, selectivity, 1);
        for (String cell : cells) {
            boolean continuous = cell.endsWith("-continuous");
            String algorithm = cell.substring(0, cell.length() - (continuous ? "-continuous".length() : 0));
            measure(
                    continuous ? discrete.withContinuousValues() : discrete,
                    GangAlgorithm.valueOf(algorithm.toUpperCase(Locale.ROOT)),
                    runs);
        }
    }

    private static void measure(GangWorkload workload, GangAlgorithm algorithm, int runs)
            throws ClassAdSyntaxException {
        String jobAds = workload.jobAds();
        String offerAds = workload.machineAds() + workload.licenseAds();
        var times = new Times[runs];
        CycleOutcome outcome = null;
        for (int run = 0; run < 2 * runs; run++) {
            long start = System.nanoTime();
            List<ClassAd> jobs = ClassAd.parseAll(jobAds, READING);
            List<ClassAd> offers = ClassAd.parseAll(offerAds, READING);
            long parsed = System.nanoTime();
            long parsedCpu = THREADS.getCurrentThreadCpuTime();
            List<PortedAd> roots = jobs.stream().map(PortedAd::of).toList();
            var pool = new GangPool(offers);
            pool.prepare(roots);
            long prepared = System.nanoTime();
            long cpu = THREADS.getCurrentThreadCpuTime();
            outcome = GangCycle.run(roots, pool, algorithm);
            times[run % runs] = new Times(
                    (parsed - start) / 1e6,
                    (prepared - parsed) / 1e6,
                    (cpu - parsedCpu) / 1e6,
                    (System.nanoTime() - prepared) / 1e6,
                    (THREADS.getCurrentThreadCpuTime() - cpu) / 1e6);
        }
        if (outcome != null) {
            print(workload, algorithm, outcome, times);
        }
    }

    private static void print(GangWorkload workload, GangAlgorithm algorithm, CycleOutcome outcome, Times[] times) {
        System.out.printf(
                Locale.ROOT,
                "{\"jobs\":%d,\"licenseDensity\":%d,\"selectivity\":%d,\"continuous\":%b,\"algorithm\":\"%s\",\"gangs\":%d,"
                        + "\"probes\":%d,\"evaluations\":%d,\"backtracks\":%d,\"runs\":%d,\"parseMillis\":%.2f,"
                        + "\"ingestMillis\":%.2f,\"ingestCpuMillis\":%.2f,\"matchMillis\":%.3f,\"matchCpuMillis\":%.3f}%n",
                workload.jobs(),
                workload.licenseDensity(),
                workload.selectivity(),
                workload.continuous(),
                algorithm.name().toLowerCase(Locale.ROOT),
                outcome.gangs(),
                outcome.effort().probes(),
                outcome.effort().evaluations(),
                outcome.effort().backtracks(),
                times.length,
                median(times, Times::parse),
                median(times, Times::ingest),
                median(times, Times::ingestCpu),
                median(times, Times::match),
                median(times, Times::matchCpu));
    }

    private static double median(Times[] times, java.util.function.ToDoubleFunction<Times> part) {
        return Arrays.stream(times).mapToDouble(part).sorted().toArray()[times.length / 2];
    }
}
