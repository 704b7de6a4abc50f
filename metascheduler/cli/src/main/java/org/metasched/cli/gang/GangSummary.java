package org.metasched.cli.gang;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.util.Locale;
import java.util.Optional;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangAlgorithm;

/**
 * A cycle of gang matching in figures, as {@code gang match} and {@code gang bench} print it.
 *
 * @param bound upper bound of the number of gangs, if the algorithm is exact and has one
 * @param optimal whether more gangs are impossible, if the algorithm is exact
 * @param rank note about ranks, if the algorithm is exact
 * @param exhaustive false if the search was cut off, else absent
 */
@JsonInclude(Include.NON_ABSENT)
public record GangSummary(
        int roots,
        int gangs,
        long probes,
        long evaluations,
        long backtracks,
        double millis,
        String algorithm,
        Optional<Integer> bound,
        Optional<Boolean> optimal,
        Optional<String> rank,
        Optional<Boolean> exhaustive) {

    public static GangSummary of(GangAlgorithm algorithm, int roots, CycleOutcome outcome, double millis) {
        boolean exact = algorithm == GangAlgorithm.EXACT;
        return new GangSummary(
                roots,
                outcome.gangs(),
                outcome.effort().probes(),
                outcome.effort().evaluations(),
                outcome.effort().backtracks(),
                Math.round(millis * 1000) / 1000.0,
                algorithm.name().toLowerCase(Locale.ROOT),
                exact ? outcome.bound() : Optional.empty(),
                exact ? Optional.of(outcome.optimal()) : Optional.empty(),
                exact ? outcome.rankNote() : Optional.empty(),
                outcome.exhaustive() ? Optional.empty() : Optional.of(false));
    }
}
