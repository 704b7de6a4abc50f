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
import org.metasched.adapter.Need;
import org.metasched.adapter.Program;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ResourceRequest;
import org.metasched.cli.install.ConfigurationChecks.Finding;
import org.metasched.cli.output.ErrorMessages;

/**
 * A job of one second at a site: a reservation of a node for two minutes, two processes, for which the launcher is sought, and their end.
 * Given up afterwards.
 *
 * @param subject subject of the job's user, or an empty text
 */
record JobTrial(LocalScheduler site, String subject, Clock clock) {

    private static final Duration LENGTH = Duration.ofMinutes(2);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    /** The time from the question for a start to the request for it. */
    private static final Duration TO_ASK = Duration.ofSeconds(10);
    /** A slot further away is not waited for. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Exit codes up to here are seconds from the slot's begin to the program's; greater ones are a job's own. */
    private static final int LATEST = 60;

    private static final String LATENESS = "late=$(($(date +%%s) - %d)); [ $late -ge 0 ] || late=0; [ $late -le "
            + LATEST + " ] || late=" + LATEST + "; sleep 1; exit $late";

    Finding run() throws InterruptedException {
        String what = "job at " + site.site();
        try {
            var request = new ResourceRequest(new Need.Nodes(1), LENGTH, requester());
            Instant now = clock.instant();
            Optional<Instant> start =
                    site.earliestStart(request, now.plus(TO_ASK).truncatedTo(ChronoUnit.SECONDS));
            if (start.isEmpty() || start.get().isAfter(now.plus(PATIENCE))) {
                String when = start.map(at -> "before " + at).orElse("at all");
                return new Finding(what, "doubtful", "not tried: no node is free " + when, "Try again then.");
            }
            var key = new RequestKey("try" + UUID.randomUUID().toString().substring(0, 8));
            try {
                var made = site.reserve(key, request, start.get());
                return finding(what, await(made));
            } finally {
                giveBack(key);
            }
        } catch (LocalSchedulerException e) {
            return new Finding(what, "wrong", ErrorMessages.of(e), "Look at programs: of the site and at its user.");
        }
    }

    /** Also what a lost answer left. */
    private void giveBack(RequestKey key) throws LocalSchedulerException {
        var found = site.find(key).filter(status -> status.state().isHeld());
        if (found.isPresent()) {
            site.cancel(found.get().reservation().id());
        }
    }

    private JobStatus await(Reservation made) throws LocalSchedulerException, InterruptedException {
        JobStarter starter = site.jobStarter().orElseThrow();
        String script = LATENESS.formatted(made.slot().start().getEpochSecond());
        var program = Program.of("/bin/sh", List.of("-c", script)).with(2, 2);
        var job = new Job(new Job.Name(made.key(), made.id(), requester()), program, Map.of(Job.MACHINE_FILE, ""));
        JobStatus seen = starter.start(job);
        while (!seen.state().isFinal() && clock.instant().isBefore(made.slot().end())) {
            Thread.sleep(LOOK_EVERY.toMillis());
            seen = starter.jobs(List.of(job.name())).getOrDefault(job.name(), seen);
        }
        return seen;
    }

    private Optional<Requester> requester() {
        return Optional.of(subject).filter(text -> !text.isBlank()).map(Requester::new);
    }

    private static Finding finding(String what, JobStatus job) {
        Optional<Integer> late = job.exitCode().filter(code -> code <= LATEST);
        return late.isPresent()
                ? new Finding(
                        what,
                        "good",
                        "job " + job.id() + " began " + late.get() + (late.get() == LATEST ? " s or more" : " s")
                                + " after its slot and ran for a second",
                        "")
                : new Finding(
                        what,
                        "wrong",
                        "job " + job.id() + " is " + job.state()
                                + job.exitCode().map(code -> " with " + code).orElse("") + " " + job.detail(),
                        "Look at programs: of the site, and at job.log beside " + job.output() + ".");
    }
}
