package org.metasched.adapter.testkit;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.JobStatus.State;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Transfer;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/** Rules J: programs inside reservations. Those of J1 and J2 are ended before they begin, and J3 starts none; all others run. */
final class JobRules {

    /** Processes on each node in rule J4. */
    private static final int PER_NODE = 2;
    /** Longest wait for a start, and longest time of a program from then on. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(300);
    private static final Duration BETWEEN_ASKS = Duration.ofSeconds(1);
    /** Most by which the site's clock may be ahead of the kit's. */
    private static final Duration SKEW = Duration.ofSeconds(2);

    private JobRules() {}

    private static JobStarter starter(RuleTrial trial) throws Skipped {
        return Skipped.without(trial.site.jobStarter(), "The site runs no programs.");
    }

    private static Program shell(String... words) {
        return Program.of("/bin/sh", List.of(words));
    }

    private static Job job(RuleTrial trial, Reservation reservation, Program program) {
        var name = new Job.Name(
                reservation.key(), reservation.id(), trial.request().requester());
        return new Job(name, program, Map.of(Job.MACHINE_FILE, "node1\n"));
    }

    /** {@link AdapterRule#J1}. */
    static String oneJob(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var starter = starter(trial);
        var job = job(trial, trial.reserveSomewhere(), shell("-c", ":"));
        var first = starter.start(new Job(job.name(), job.program(), Map.of()));
        var second = starter.start(job);
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

    /** {@link AdapterRule#J2}. */
    static String endsWithItsReservation(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var starter = starter(trial);
        var reservation = trial.reserveSomewhere();
        var job = job(trial, reservation, shell("-c", ":"));
        starter.start(job);
        trial.site.cancel(reservation.id());
        var left = Optional.ofNullable(starter.jobs(List.of(job.name())).get(job.name()));
        if (left.map(JobStatus::state).filter(state -> !state.isFinal()).isPresent()) {
            throw new Broken("Reservation " + reservation.id() + " is cancelled, and its job is " + left.get() + ".");
        }
        return "The job of " + reservation.id() + " ended with it.";
    }

    /** {@link AdapterRule#J3}. */
    static String refusesWhatItCannotBring(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var source = Optional.of(URI.create("gopher://example.org/kit"));
        var file = new Transfer("kit", source, Optional.empty(), false, false, false);
        try {
            starter(trial)
                    .check(
                            shell("-c", ":").with(Optional.empty(), List.of(file)),
                            trial.request().requester());
        } catch (LocalSchedulerException.Refused refused) {
            return "A file by gopher is refused: " + refused.getMessage();
        }
        throw new Broken("A program was accepted whose file would have to be brought from " + source.get() + ".");
    }

    /**
     * {@link AdapterRule#J4}. Each process makes a directory of its rank, which fails for a second one of that rank, and waits for those
     * of all others.
     */
    static String eachProcessOnce(RuleTrial trial)
            throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        int processes = PER_NODE * Math.max(1, trial.request().need().nodeCount());
        String script = "mkdir rank.$METASCHED_LOCAL_RANK || exit 61; i=0 t=0; while [ $i -lt " + processes
                + " ]; do if [ -d rank.$i ]; then i=$((i + 1)); else t=$((t + 1)); [ $t -le 30 ] || exit 62; sleep 1; fi; done";
        var seen = run(trial, shell("-c", script).with(processes, PER_NODE));
        return requireSuccess(seen, "61 says that a process ran twice, 62 that one did not run") + processes
                + " processes, " + PER_NODE + " on a node, ran once each.";
    }

    /** {@link AdapterRule#J5}. */
    static String filesAreTheUsers(RuleTrial trial)
            throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        String output = "/tmp/" + trial.newKey() + ".out";
        String script = "for file in id output pid program state; do echo kit > $file || exit 63; done; [ -f " + output
                + " ] && rm " + output + " || exit 64";
        var seen = run(trial, shell("-c", script).with(Optional.of(output), List.of()));
        String report = requireSuccess(
                seen, "63 says that it may not write a file, 64 that its output is not the file " + output);
        if (seen.id().equals("kit") || !seen.output().equals(output)) {
            throw new Broken(
                    "The program wrote to " + output + " and made files of its own, and its job is " + seen + ".");
        }
        return report + "A program's files named as the adapter's stay its own.";
    }

    /** {@link AdapterRule#J6}. */
    static String environmentArrives(RuleTrial trial)
            throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        var environment =
                Map.of("KIT_LONG", "x".repeat(Program.LONGEST), "KIT_ODD", "'a' \"b\" $c `d` \\", "TZ", "<+0330>-3:30");
        String script = "[ ${#KIT_LONG} -eq " + Program.LONGEST + " ] || exit 65;"
                + " [ \"$KIT_ODD\" = \"'a' \\\"b\\\" \\$c \\`d\\` \\\\\" ] || exit 66; [ \"$(date +%z)\" = +0330 ] || exit 67";
        var seen = run(trial, shell("-c", script).with(environment));
        return requireSuccess(
                        seen,
                        "65 says that a long variable was cut, 66 that one was read by a shell, 67 that TZ is another")
                + "Long and odd variables and TZ arrive.";
    }

    /**
     * {@link AdapterRule#J7}. The program checks that its user owns its directory, and that TZ is not in Java's spelling, such as
     * {@code GMT+1}: POSIX gives that the opposite sign, or no meaning.
     */
    static String runsInItsPlace(RuleTrial trial)
            throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        String script = "[ -O . ] && : > kit || exit 68;"
                + " case ${TZ-} in Z | [+-]* | UTC[+-]* | GMT[+-]* | UT[+-]*) exit 70 ;; esac";
        var seen = run(trial, shell("-c", script));
        return requireSuccess(
                        seen,
                        "68 says that it ran as another user than the one who owns its directory, 70 that TZ is in Java's"
                                + " spelling")
                + "A program runs in its slot, in a directory of its own.";
    }

    /** {@link AdapterRule#J8}. */
    static String becomesItsUser(RuleTrial trial)
            throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        String script = "[ \"$#,${#1},${#2},${#3}\" = 3,14,12,0 ] || exit 57; [ \"${KIT_GIVEN-}\" = given ] || exit 58;"
                + " me=$(id -un); home=$(getent passwd \"$me\" | cut -d: -f6);"
                + " [ \"${LOGNAME:-$me}/${USER:-$me}/${HOME-}\" = \"$me/$me/${home:-${HOME-}}\" ] || exit 69";
        var program = shell("-c", script, "kit", "it's  \"quoted\"", "$HOME `id` \\", "");
        var seen = run(trial, program.with(Map.of("KIT_GIVEN", "given")));
        return requireSuccess(
                        seen,
                        "57 says that a shell read its words again, 58 that a variable was dropped, 69 that HOME, USER or LOGNAME"
                                + " are another's")
                + "A program has its user's names, and its own words and variables.";
    }

    private static String requireSuccess(JobStatus seen, String codes) throws Broken {
        if (seen.exitCode().orElse(-1) != 0) {
            throw new Broken("The job is " + seen + "; of exit codes, " + codes + ".");
        }
        return "Job " + seen.id() + " ended. ";
    }

    private static JobStatus run(RuleTrial trial, Program program)
            throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        var starter = starter(trial);
        var travel = trial.settings.timeTravel();
        if (travel.isEmpty() && trial.settings.lead().compareTo(LONGEST_WAIT) > 0) {
            throw new Skipped("The kit does not wait for a start so far away; with --lead PT5S it does.");
        }
        starter.check(program, trial.request().requester());
        awaitStart(trial);
        var made = trial.reserveSomewhere();
        var job = job(trial, made, program);
        var seen = starter.start(job);
        var begin = made.slot().start();
        if (isFar(trial, begin)) {
            throw new Skipped("The kit does not wait for the earliest start, " + begin + ".");
        }
        refuseEarly(trial, seen, begin);
        travel.ifPresent(
                time -> time.advance(Duration.between(trial.now(), begin).plusSeconds(1)));
        long looks = LONGEST_WAIT.multipliedBy(2).dividedBy(BETWEEN_LOOKS);
        for (long look = 0; look < looks && !seen.state().isFinal(); look++) {
            Thread.sleep(look == 0 ? 0 : BETWEEN_LOOKS.toMillis());
            seen = starter.jobs(List.of(job.name())).getOrDefault(job.name(), seen);
            refuseEarly(trial, seen, begin);
        }
        return seen;
    }

    private static boolean isFar(RuleTrial trial, Instant start) {
        return trial.settings.timeTravel().isEmpty()
                && start.isAfter(trial.now().plus(LONGEST_WAIT));
    }

    /** Waits for a near start, since the reservation that the previous rule cancelled may still be listed. */
    private static void awaitStart(RuleTrial trial) throws LocalSchedulerException, InterruptedException {
        for (long left = LONGEST_WAIT.dividedBy(BETWEEN_ASKS); left > 0; left--) {
            var start = trial.start(trial.request(), trial.from());
            if (start.filter(found -> isFar(trial, found)).isEmpty()) {
                return;
            }
            Thread.sleep(BETWEEN_ASKS.toMillis());
        }
    }

    private static void refuseEarly(RuleTrial trial, JobStatus seen, Instant begin) throws Broken {
        if (List.of(State.RUNNING, State.ENDED).contains(seen.state())
                && trial.now().isBefore(begin.minus(SKEW))) {
            throw new Broken("The slot begins at " + begin + ", but before it the job is " + seen + ".");
        }
    }
}
