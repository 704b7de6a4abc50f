package org.metasched.adapter.simulated;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Jobs of a site's own users over time.
 *
 * @param name name of the trace or the model
 * @param nodes number of nodes of the machine on which it was recorded or for which it was made
 * @param jobs the jobs, ordered by time of submission
 */
public record Workload(String name, int nodes, List<LocalJob> jobs) {

    private static final long DAY = 86_400;
    /** Load of a usual machine, as a share of its capacity. */
    private static final double BUSY = 0.7;

    public Workload {
        if (nodes < 1) {
            throw new IllegalArgumentException(
                    "The machine of workload " + name + " must have at least 1 node, not " + nodes + ".");
        }
        jobs = jobs.stream()
                .sorted(Comparator.comparingLong(LocalJob::submitSeconds))
                .toList();
    }

    /** No local jobs at all. */
    public static Workload none(int nodes) {
        return new Workload("none", nodes, List.of());
    }

    /**
     * Jobs by the model of Lublin and Feitelson (2003).
     *
     * @param seed chooses one of the workloads that follow the model
     */
    public static Workload synthetic(int nodes, int jobs, long seed) {
        return LublinFeitelson.generate(nodes, jobs, seed);
    }

    /**
     * The jobs of a trace that ran. Processors become nodes by the header's {@code MaxProcs} and {@code MaxNodes}; without
     * a header the machine is as big as the biggest job. Parts of a checkpointed job are left out. A job that ran longer than its estimate
     * is cut off there.
     */
    public static Workload of(SwfTrace trace) {
        int biggest =
                trace.jobs().stream().mapToInt(SwfTrace.Job::processors).max().orElse(1);
        int processors = size(trace, "MaxProcs", Math.max(1, biggest));
        int nodes = size(trace, "MaxNodes", processors);
        int perNode = Math.max(1, (processors + nodes - 1) / nodes);
        return of(trace, nodes, 1, job -> (job.processors() + perNode - 1) / perNode);
    }

    private static int size(SwfTrace trace, String key, int otherwise) {
        return trace.headerNumber(key)
                .filter(n -> n > 0 && n < 1_000_000_000)
                .map(Long::intValue)
                .orElse(otherwise);
    }

    /**
     * The jobs of a trace as their users asked for them, a processor for a node: what simulators of backfilling use. Processors are the
     * requested ones, or else the allocated ones; the machine has the header's {@code MaxProcs}, or else as many as the biggest job. Jobs
     * that ended at once are included; jobs without processors, with more than the machine has or without a run time are not. A job that
     * ran longer than its estimate is cut off there.
     */
    public static Workload asRequested(SwfTrace trace) {
        int biggest = trace.jobs().stream().mapToInt(Workload::requested).max().orElse(1);
        int machine = size(trace, "MaxProcs", Math.max(1, biggest));
        return of(trace, machine, 0, Workload::requested);
    }

    private static Workload of(SwfTrace trace, int nodes, int leastSeconds, ToIntFunction<SwfTrace.Job> size) {
        var jobs = new ArrayList<LocalJob>();
        for (var job : trace.jobs()) {
            int wanted = size.applyAsInt(job);
            boolean fits = wanted > 0 && wanted <= nodes;
            if (fits && !job.isPart() && job.runSeconds() >= leastSeconds && job.submitSeconds() >= 0) {
                long estimate = job.requestedSeconds() > 0 ? job.requestedSeconds() : Math.max(1, job.runSeconds());
                long run = Math.min(job.runSeconds(), estimate);
                jobs.add(new LocalJob(job.number(), job.submitSeconds(), run, estimate, wanted));
            }
        }
        return new Workload(trace.name(), nodes, jobs);
    }

    private static int requested(SwfTrace.Job job) {
        return job.requestedProcessors() > 0 ? job.requestedProcessors() : job.allocatedProcessors();
    }

    /**
     * A second with a usual load around it: the work submitted within a day before it and half a day after it comes nearest to seven tenths
     * of the machine. The first of several such seconds; never in the first day unless the workload is shorter.
     */
    public long busySecond() {
        if (jobs.isEmpty()) {
            return 0;
        }
        long begin = jobs.get(0).submitSeconds();
        long end = jobs.get(jobs.size() - 1).submitSeconds();
        long best = Math.min(end, begin + DAY);
        double bestDistance = Double.MAX_VALUE;
        int from = 0;
        int to = 0;
        double work = 0;
        for (long now = begin + DAY; now <= end - DAY / 2; now += 3600) {
            for (; to < jobs.size() && jobs.get(to).submitSeconds() < now + DAY / 2; to++) {
                work += jobs.get(to).nodeSeconds();
            }
            for (; jobs.get(from).submitSeconds() < now - DAY; from++) {
                work -= jobs.get(from).nodeSeconds();
            }
            double distance = Math.abs(work / (nodes * 1.5 * DAY) - BUSY);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = now;
            }
        }
        return best;
    }

    /** Submitted work, as a share of the machine's capacity from the first submission to the last; 0 for fewer than two jobs. */
    public double load() {
        if (jobs.size() < 2) {
            return 0;
        }
        long span = jobs.get(jobs.size() - 1).submitSeconds() - jobs.get(0).submitSeconds();
        double work = jobs.stream().mapToDouble(LocalJob::nodeSeconds).sum();
        return work / ((double) nodes * Math.max(1, span));
    }

    /** The jobs that fit on a machine of so many nodes, as a workload of that machine. */
    public Workload on(int machine) {
        return new Workload(
                name,
                machine,
                jobs.stream().filter(job -> job.nodes() <= machine).toList());
    }

    /** The same jobs, submitted closer together or further apart so that {@link #load} is as wanted. */
    public Workload withLoad(double load) {
        if (!(load > 0 && load <= 10)) {
            throw new IllegalArgumentException("The load (" + load + ") must be above 0 and at most 10.");
        }
        double stretch = load() / load;
        var moved = jobs.stream()
                .map(job -> new LocalJob(
                        job.number(),
                        Math.round(job.submitSeconds() * stretch),
                        job.runSeconds(),
                        job.estimateSeconds(),
                        job.nodes()))
                .toList();
        return new Workload(name, nodes, moved);
    }
}
