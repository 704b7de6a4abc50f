package org.metasched.cli.install;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.Need;
import org.metasched.adapter.Program;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ResourceRequest;
import org.metasched.cli.install.ConfigurationChecks.Finding;
import org.metasched.cli.output.ErrorMessages;

/**
 * A trial of a job at a site: reserves a node for two minutes, runs two processes of one second with the site's launcher, and waits for
 * their end. Cancels the reservation afterwards.
 *
 * @param person user of the job, if one is named
 */
record JobTrial(LocalScheduler site, Optional<Requester> person, Clock clock) {

    private static final Duration LENGTH = Duration.ofMinutes(2);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    /** The time from the question for a start to the request for it. */
    private static final Duration TO_ASK = Duration.ofSeconds(10);
    /** The longest wait for a slot. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    /** The exit code of a program that began with its slot. It is above the codes of launchers and of sysexits.h, which mean that a start failed. */
    private static final int IN_TIME = 80;

    /** The greatest delay that an exit code tells, in seconds: a program that began late ends with {@link #IN_TIME} plus its delay. */
    private static final int LATEST = 40;

    private static final String LATENESS = "late=$(($(date +%%s) - %d)); [ $late -ge 0 ] || late=0; [ $late -le "
            + LATEST + " ] || late=" + LATEST + "; sleep 1; exit $((" + IN_TIME + " + late))";

    Finding run() throws InterruptedException {
        String what = "job at " + site.site();
        try {
            var request = new ResourceRequest(new Need.Nodes(1), LENGTH, person);
            Instant now = clock.instant();
            Optional<Instant> start =
                    site.earliestStart(request, now.plus(TO_ASK).truncatedTo(ChronoUnit.SECONDS));
            if (start.isEmpty() || start.get().isAfter(now.plus(LONGEST_WAIT))) {
                String when = start.map(at -> "before " + at).orElse("at all");
                return new Finding(what, "doubtful", "not tried: no node is free " + when, "Try again then.");
            }
            var key = new RequestKey("try" + UUID.randomUUID().toString().substring(0, 8));
            try {
                var grant = site.reserve(key, request, start.get());
                return finding(what, await(grant));
            } finally {
                giveBack(key);
            }
        } catch (Forbidden e) {
            String outcome = person.isEmpty() ? "doubtful" : "wrong";
            return new Finding(
                    what, outcome, "not tried: " + ErrorMessages.of(e), "Name a user of the site: --try SUBJECT.");
        } catch (LocalSchedulerException e) {
            return new Finding(what, "wrong", ErrorMessages.of(e), "Look at programs: of the site and at its user.");
        }
    }

    /** Cancels the reservation, also one whose answer was lost. */
    private void giveBack(RequestKey key) throws LocalSchedulerException {
        var held = site.find(key).filter(status -> status.state().isHeld());
        if (held.isPresent()) {
            site.cancel(held.get().reservation().id());
        }
    }

    private JobStatus await(Reservation grant) throws LocalSchedulerException, InterruptedException {
        JobStarter starter = site.jobStarter().orElseThrow();
        String script = LATENESS.formatted(grant.slot().start().getEpochSecond());
        var program = Program.of("/bin/sh", List.of("-c", script)).with(2, 2);
        var job = new Job(new Job.Name(grant.key(), grant.id(), person), program, Map.of(Job.MACHINE_FILE, ""));
        JobStatus last = starter.start(job);
        while (!last.state().isFinal() && clock.instant().isBefore(grant.slot().end())) {
            Thread.sleep(LOOK_EVERY.toMillis());
            last = starter.jobs(List.of(job.name())).getOrDefault(job.name(), last);
        }
        return last;
    }

    private static Finding finding(String what, JobStatus job) {
        Optional<Integer> late =
                job.exitCode().map(code -> code - IN_TIME).filter(seconds -> seconds >= 0 && seconds <= LATEST);
        if (late.isPresent()) {
            String length = late.get() + (late.get() == LATEST ? " s or more" : " s");
            String detail = "job " + job.id() + " began " + length + " after its slot and ran for a second";
            return new Finding(what, "good", detail, "");
        }
        String code = job.exitCode().map(exit -> " with " + exit).orElse("");
        String detail = "job " + job.id() + " is " + job.state() + code + " " + job.detail();
        String advice = "Look at programs: of the site, and at job.log beside " + job.output() + ".";
        return new Finding(what, "wrong", detail, advice);
    }
}
