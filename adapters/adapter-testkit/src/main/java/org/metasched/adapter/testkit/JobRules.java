package org.metasched.adapter.testkit;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Transfer;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/** Rules J: programs inside reservations, which the kit gives up before they begin. */
final class JobRules {

    private JobRules() {}

    private static JobStarter starter(RuleTrial trial) throws Skipped {
        return Skipped.without(trial.site.jobStarter(), "The site runs no programs.");
    }

    private static Program program(List<Transfer> transfers) {
        return new Program(
                "/bin/true",
                List.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                0,
                Map.of(),
                transfers,
                Optional.empty(),
                List.of());
    }

    private static Job job(RuleTrial trial, Reservation reservation) {
        var name = new Job.Name(
                reservation.key(), reservation.id(), trial.request().requester());
        return new Job(name, program(List.of()), Map.of());
    }

    static String oneJob(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var starter = starter(trial);
        var job = job(trial, trial.reserveSomewhere());
        var files = Map.of(Job.MACHINE_FILE, "node1\n");
        var first = starter.start(job);
        var second = starter.start(new Job(job.name(), job.program(), files));
        var seen = starter.jobs(List.of(job.name())).get(job.name());
        if (first.state().isFinal() || first.id().isEmpty() || seen == null) {
            throw new Broken("Handed over, the job is " + first + "; asked for, it is " + seen + ".");
        }
        if (!second.id().equals(first.id()) || !seen.id().equals(first.id())) {
            throw new Broken("Handed over it is " + first.id() + ", handed over again " + second.id()
                    + ", and asked for " + seen.id() + ".");
        }
        return "Job " + first.id() + " was handed over twice and is one.";
    }

    static String endsWithItsReservation(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var starter = starter(trial);
        var reservation = trial.reserveSomewhere();
        var job = job(trial, reservation);
        starter.start(job);
        trial.site.cancel(reservation.id());
        var left = Optional.ofNullable(starter.jobs(List.of(job.name())).get(job.name()));
        if (left.map(JobStatus::state).filter(state -> !state.isFinal()).isPresent()) {
            throw new Broken("Reservation " + reservation.id() + " is cancelled, and its job is " + left.get() + ".");
        }
        return "The job of " + reservation.id() + " ended with it.";
    }

    static String refusesWhatItCannotBring(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var source = Optional.of(URI.create("gopher://example.org/kit"));
        var file = new Transfer("kit", source, Optional.empty(), false, false, false);
        try {
            starter(trial).check(program(List.of(file)), trial.request().requester());
        } catch (LocalSchedulerException.Refused refused) {
            return "A file by gopher is refused: " + refused.getMessage();
        }
        throw new Broken("A program was accepted whose file would have to be brought from " + source.get() + ".");
    }
}
