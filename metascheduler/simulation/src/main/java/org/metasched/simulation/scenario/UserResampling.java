package org.metasched.simulation.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.metasched.adapter.simulated.SwfTrace;

/**
 * Resampling of a trace by users: each user's weeks are drawn again, with replacement, from the weeks between the user's first job and last.
 * The weeks in which a user is there, the days and hours of jobs, and their sizes keep their distribution; dependences between users of one
 * week are lost. Simplified from Zakay and Feitelson, "Workload resampling for performance evaluation of parallel job schedulers" (2014).
 */
final class UserResampling {

    private static final long WEEK = 7 * 86_400;

    private UserResampling() {}

    /** A resampled trace, with jobs numbered by submission; the same for the same trace and seed. {@code O(n log n)} in the jobs. */
    static SwfTrace of(SwfTrace trace, long seed) {
        var users = new TreeMap<Long, TreeMap<Long, List<SwfTrace.Job>>>();
        for (var job : trace.jobs()) {
            users.computeIfAbsent(job.user(), user -> new TreeMap<>())
                    .computeIfAbsent(Math.floorDiv(job.submitSeconds(), WEEK), week -> new ArrayList<>())
                    .add(job);
        }
        var random = new Random(seed);
        var drawn = new ArrayList<SwfTrace.Job>();
        for (var weeks : users.values()) {
            long first = weeks.firstKey();
            long count = weeks.lastKey() - first + 1;
            for (long week = first; week < first + count; week++) {
                long taken = first + random.nextLong(count);
                long moved = (week - taken) * WEEK;
                weeks.getOrDefault(taken, List.of())
                        .forEach(job -> drawn.add(job.with(0, job.submitSeconds() + moved)));
            }
        }
        drawn.sort(Comparator.comparingLong(SwfTrace.Job::submitSeconds));
        long number = 0;
        var numbered = new ArrayList<SwfTrace.Job>(drawn.size());
        for (var job : drawn) {
            numbered.add(job.with(++number, job.submitSeconds()));
        }
        return new SwfTrace(trace.name(), trace.header(), numbered);
    }
}
