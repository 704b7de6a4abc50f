package org.metasched.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.bench.QueueNetwork.Kind;
import org.metasched.bench.QueueNetwork.Step;

/** The simulated queues beside the formulas of Erlang (1917) and Jackson (1957): apart by at most four standard errors. */
@Tag("full")
class QueueNetworkTest {

    private static final int JOBS = 400_000;
    private static final int BATCHES = 40;
    private static final double ERRORS = 4;

    /** A mean and its standard error, by means of batches, as jobs that follow each other wait alike. */
    private record Estimate(double mean, double error) {

        static Estimate of(double[] values) {
            int first = values.length / 10;
            int size = (values.length - first) / BATCHES;
            double[] means = IntStream.range(0, BATCHES)
                    .mapToDouble(b -> Arrays.stream(values, first + b * size, first + (b + 1) * size)
                            .average()
                            .orElseThrow())
                    .toArray();
            double mean = Arrays.stream(means).average().orElseThrow();
            double squares =
                    Arrays.stream(means).map(m -> (m - mean) * (m - mean)).sum();
            return new Estimate(mean, Math.sqrt(squares / (BATCHES - 1) / BATCHES));
        }

        boolean agreesWith(double theory) {
            return Math.abs(mean - theory) <= ERRORS * error;
        }
    }

    /** The probability that a job must wait (Erlang C). */
    private static double waits(int places, double load) {
        double blocked = 1;
        for (int k = 1; k <= places; k++) {
            blocked = load * blocked / (k + load * blocked);
        }
        return blocked / (1 - load / places * (1 - blocked));
    }

    private static double meanTime(int places, double rate, double service) {
        return waits(places, rate * service) / (places / service - rate) + service;
    }

    private static Step serve(int station, double mean) {
        return new Step(Kind.SERVE, station, mean);
    }

    @ParameterizedTest
    @CsvSource({"1, 0.5", "1, 0.8", "2, 0.7", "8, 0.9", "30, 0.9"})
    void oneStationWaitsAsErlangSays(int places, double used) {
        double service = 0.25;
        double rate = used * places / service;

        var took = QueueNetwork.simulate(new int[] {places}, List.of(List.of(serve(0, service))), rate, JOBS, 1);

        var estimate = Estimate.of(took);
        assertThat(estimate.agreesWith(meanTime(places, rate, service)))
                .as("%s, %s", estimate, meanTime(places, rate, service))
                .isTrue();
        assertThat(estimate.error()).isLessThan(0.05 * estimate.mean());
        assertThat(estimate.agreesWith(meanTime(places, rate, service * 1.05))).isFalse();
    }

    @Test
    void theSlowestHundredthOfOneStationIsThatOfItsFormula() {
        var slow = Arrays.stream(QueueNetwork.simulate(new int[] {1}, List.of(List.of(serve(0, 1))), 0.5, JOBS, 2))
                .map(one -> one > -Math.log(0.01) / 0.5 ? 1 : 0)
                .toArray();

        var estimate = Estimate.of(slow);
        assertThat(estimate.agreesWith(0.01)).as(estimate.toString()).isTrue();
        assertThat(estimate.error()).isLessThan(0.002);
    }

    @Test
    void stationsInARowAndBesideEachOtherAreIndependentAsJacksonSays() {
        var routes = List.of(
                List.of(serve(0, 0.3), new Step(Kind.WAIT, 0, 2), serve(2, 0.1)),
                List.of(serve(1, 0.3), new Step(Kind.WAIT, 0, 2), serve(2, 0.1)));

        var estimate = Estimate.of(QueueNetwork.simulate(new int[] {1, 1, 2}, routes, 4, JOBS, 3));

        double theory = meanTime(1, 2, 0.3) + 2 + meanTime(2, 4, 0.1);
        assertThat(estimate.agreesWith(theory)).as("%s, %s", estimate, theory).isTrue();
    }

    /** Four places behind a pool of one serve one job at a time. */
    @Test
    void aPoolBoundsThePlacesBehindIt() {
        var route = List.of(new Step(Kind.TAKE, 0, 0), serve(1, 0.25), new Step(Kind.GIVE, 0, 0));

        var behind = Estimate.of(QueueNetwork.simulate(new int[] {1, 4}, List.of(route), 3, JOBS, 4));

        assertThat(behind.agreesWith(meanTime(1, 3, 0.25)))
                .as(behind.toString())
                .isTrue();
        assertThat(behind.agreesWith(meanTime(4, 3, 0.25))).isFalse();
    }

    @Test
    void erlangsFormulaGivesThePublishedValue() {
        assertThat(waits(10, 8)).isCloseTo(0.409, within(0.0005));
    }
}
