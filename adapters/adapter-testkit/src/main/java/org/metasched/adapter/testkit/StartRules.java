package org.metasched.adapter.testkit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/** Rules A: the answers of {@code earliestStart}. */
final class StartRules {

    private StartRules() {}

    /** On a whole second, between two seconds, on odd seconds and minutes. */
    static List<Instant> probes(Instant from) {
        return List.of(
                from,
                from.plusMillis(137),
                from.plusSeconds(59),
                from.plusSeconds(61).plusMillis(999),
                from.plusSeconds(1_801),
                from.plusSeconds(7_207),
                from.plusSeconds(86_399));
    }

    static String neverBefore(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        int answers = 0;
        for (var instant : probes(trial.from())) {
            var answer = trial.site.earliestStart(trial.request(), instant);
            if (answer.isPresent() && answer.get().isBefore(instant)) {
                throw new Broken("Asked for a start from " + instant + ", the answer was " + answer.get() + ".");
            }
            answers += answer.isPresent() ? 1 : 0;
        }
        return answered(trial, answers);
    }

    static String fixedPoint(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        int answers = 0;
        for (var instant : probes(trial.from())) {
            var answer = trial.site.earliestStart(trial.request(), instant);
            if (answer.isPresent()) {
                var again = trial.site.earliestStart(trial.request(), answer.get());
                if (!again.equals(answer)) {
                    throw new Broken("Asked from " + instant + ", the answer was " + answer.get() + "; asked from "
                            + answer.get() + ", it was " + shown(again) + ".");
                }
                answers++;
            }
        }
        return answered(trial, answers);
    }

    static String neverEarlier(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        int answers = 0;
        Optional<Instant> before = Optional.of(Instant.MIN);
        for (var instant : probes(trial.from())) {
            var answer = trial.site.earliestStart(trial.request(), instant);
            boolean earlier =
                    answer.isPresent() && before.map(answer.get()::isBefore).orElse(true);
            if (earlier) {
                throw new Broken("Asked from " + instant + ", the answer was " + answer.get()
                        + ", but an earlier question was answered by " + shown(before) + ".");
            }
            before = answer;
            answers += answer.isPresent() ? 1 : 0;
        }
        return answered(trial, answers);
    }

    static String neverTooMuch(RuleTrial trial) throws LocalSchedulerException, Broken {
        var absurd = trial.request().of(trial.request().need().withAmount(Need.MOST));
        try {
            var answer = trial.site.earliestStart(absurd, trial.from());
            if (answer.isPresent()) {
                throw new Broken(absurd.need() + " was said to be available at " + answer.get() + ".");
            }
            return absurd.need() + " has no start.";
        } catch (LocalSchedulerException.Refused refused) {
            return absurd.need() + " is refused: " + refused.getMessage();
        }
    }

    private static String answered(RuleTrial trial, int answers) throws Skipped {
        if (answers == 0) {
            throw trial.noRoom();
        }
        return "Asked " + probes(trial.from()).size() + " instants; " + answers + " had an answer.";
    }

    private static String shown(Optional<Instant> answer) {
        return answer.map(Instant::toString).orElse("none");
    }
}
