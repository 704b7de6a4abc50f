package org.metasched.adapter.testkit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/** Rules A: the answers of {@code earliestStart}. */
final class StartRules {

    private StartRules() {}

    /** Instants from which a start is asked: the given one, and later ones up to a day, at odd seconds or fractions of a second. */
    static List<Instant> probes(Instant from) {
        // Milliseconds.
        return LongStream.of(0, 137, 59_000, 61_999, 1_801_000, 7_207_000, 86_399_000)
                .mapToObj(from::plusMillis)
                .toList();
    }

    /** Judges one answer. */
    private interface Judge {
        void judge(Instant asked, Optional<Instant> answer) throws LocalSchedulerException, Broken;
    }

    /** Asks for a start from each probe, and has each answer judged. */
    private static String ask(RuleTrial trial, Judge judge) throws LocalSchedulerException, Broken, Skipped {
        var probes = probes(trial.from());
        int answers = 0;
        for (var instant : probes) {
            var answer = trial.start(trial.request(), instant);
            judge.judge(instant, answer);
            answers += answer.isPresent() ? 1 : 0;
        }
        if (answers == 0) {
            throw trial.noRoom();
        }
        return "Asked " + probes.size() + " instants; " + answers + " had an answer.";
    }

    /** {@link AdapterRule#A1}: no answer is before the instant asked. */
    static String neverBefore(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        return ask(trial, (instant, answer) -> {
            if (answer.isPresent() && answer.get().isBefore(instant)) {
                throw new Broken("Asked for a start from " + instant + ", the answer was " + answer.get() + ".");
            }
        });
    }

    /** {@link AdapterRule#A2}: asked from the answer, the answer is the same. */
    static String fixedPoint(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        return ask(trial, (instant, answer) -> {
            var again = answer.isPresent() ? trial.start(trial.request(), answer.get()) : answer;
            if (!again.equals(answer)) {
                throw new Broken("Asked from " + instant + ", the answer was " + shown(answer) + "; asked from "
                        + shown(answer) + ", it was " + shown(again) + ".");
            }
        });
    }

    /** {@link AdapterRule#A3}: no start for an instant means none for a later one. */
    static String neverEarlier(RuleTrial trial) throws LocalSchedulerException, Broken, Skipped {
        var before = new AtomicReference<>(Optional.of(Instant.MIN));
        return ask(trial, (instant, answer) -> {
            var earlier = before.getAndSet(answer);
            if (answer.isPresent() && earlier.map(answer.get()::isBefore).orElse(true)) {
                throw new Broken("Asked from " + instant + ", the answer was " + shown(answer)
                        + ", but for an earlier instant the answer was " + shown(earlier) + ".");
            }
        });
    }

    /** {@link AdapterRule#A4}: the largest amount has no start. */
    static String neverTooMuch(RuleTrial trial) throws LocalSchedulerException, Broken {
        var absurd = trial.request().of(trial.request().need().withAmount(Need.MOST));
        try {
            var answer = trial.site.earliestStart(absurd, trial.from());
            if (answer.isPresent()) {
                throw new Broken(absurd.need().words() + " was said to be available at " + answer.get() + ".");
            }
            return absurd.need().words() + " has no start.";
        } catch (LocalSchedulerException.Refused refused) {
            return absurd.need().words() + " is refused: " + refused.getMessage();
        }
    }

    static String shown(Optional<Instant> answer) {
        return answer.map(Instant::toString).orElse("none");
    }
}
