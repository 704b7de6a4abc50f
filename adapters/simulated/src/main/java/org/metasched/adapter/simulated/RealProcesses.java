package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceText;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.OncePerKey;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.identity.LocalUsers;
import org.metasched.adapter.jobs.JobFolders;
import org.metasched.adapter.jobs.JobQueue;
import org.metasched.adapter.jobs.JobSettings;
import org.metasched.adapter.jobs.SiteJobs;

/**
 * Runs the programs of a simulated site as processes of this machine. Each has a session of its own that waits for its slot
 * and ends with it, so that it outlives the adapter as a batch system would. Thread-safe.
 */
final class RealProcesses implements JobQueue {

    /** Starts a session, and returns when it has written its process id, or after ten seconds. {@code $3} is the directory of the job. */
    private static final String HOLD = ResourceText.oneLine(RealProcesses.class, "hold.sh");

    /**
     * Ends a session. {@code $1/$2} is the directory of the job. A session that has not begun makes the directory {@code held} first, so one
     * that finds it made here does not begin.
     */
    private static final String END = ResourceText.oneLine(RealProcesses.class, "end.sh");

    private final CommandRunner runner;
    private final JobSettings settings;
    final SiteJobs starter;

    RealProcesses(SiteId site, JobSettings settings, SiteJobs.Reservations reservations) {
        this.settings = settings;
        this.runner = new CommandRunner(site, RunSettings.local());
        this.starter = new SiteJobs(
                new JobFolders(runner, settings),
                LocalUsers.from(site, Optional.empty()),
                this,
                reservations,
                new OncePerKey<>());
    }

    @Override
    public String submit(Submission job) throws LocalSchedulerException {
        TimeSlot slot = job.reservation().slot();
        var words = new ArrayList<>(List.of("sh", "-c", HOLD, "sh"));
        words.addAll(job.command());
        words.addAll(List.of("hold", seconds(slot.start()), seconds(slot.end())));
        var result = runner.run(words);
        if (!result.ok()) {
            throw new Misconfigured("Site " + runner.site() + " starts no processes: " + result.words() + ".");
        }
        return job.name();
    }

    private static String seconds(Instant instant) {
        return String.valueOf(instant.getEpochSecond());
    }

    /** Always empty: the process id in a job's directory tells whether it runs. */
    @Override
    public Map<String, String> living(Collection<String> names) {
        return Map.of();
    }

    /** Ends the job of a reservation, also one that has not begun. */
    void end(RequestKey key) throws LocalSchedulerException {
        runner.run(List.of("sh", "-c", END, "sh", settings.folder(), SiteJobs.name(key)));
    }
}
