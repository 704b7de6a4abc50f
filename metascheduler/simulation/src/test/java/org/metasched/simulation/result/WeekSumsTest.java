package org.metasched.simulation.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WeekSumsTest {

    private static final int ROUNDS = 1000;

    /** Jobs of one week share what the week is like; the mean of all is 100. */
    private static WeekSums process(Random random, List<Double> waits) {
        var jobs = new ArrayList<Double>();
        var sums = new ArrayList<Double>();
        for (int week = 0; week < 11; week++) {
            double common = 20 * random.nextGaussian();
            int count = 80 + random.nextInt(41);
            double sum = 0;
            for (int job = 0; job < count; job++) {
                double wait = 100 + common + 30 * random.nextGaussian();
                waits.add(wait);
                sum += wait;
            }
            jobs.add((double) count);
            sums.add(sum);
        }
        return new WeekSums(jobs, sums);
    }

    @Test
    void theIntervalHoldsTheMeanAsOftenAsItSays() {
        var random = new Random(11);
        int held = 0;
        int heldByJobs = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var waits = new ArrayList<Double>();
            var interval = process(random, waits).interval().orElseThrow();
            held += interval.low() <= 100 && 100 <= interval.high() ? 1 : 0;
            var byJobs = ConfidenceEstimate.ofIndependent(waits);
            heldByJobs += Math.abs(byJobs.mean() - 100) <= byJobs.halfWidth() ? 1 : 0;
        }

        assertThat(held / (double) ROUNDS).isBetween(0.93, 0.97);
        // Why weeks: jobs taken for independent hold it far less often.
        assertThat(heldByJobs / (double) ROUNDS).isLessThan(0.5);
    }

    @Test
    void aDifferenceThatEachWeekHasIsCertain() {
        var one = process(new Random(1), new ArrayList<>());
        var sums = new ArrayList<Double>();
        for (int week = 0; week < 11; week++) {
            sums.add(one.sums().get(week) + 7 * one.jobs().get(week));
        }

        var interval = new WeekSums(one.jobs(), sums).minus(one).orElseThrow();

        assertThat(interval.low()).isCloseTo(7, within(1e-9));
        assertThat(interval.high()).isCloseTo(7, within(1e-9));
    }

    @Test
    void fewWeeksAndOtherWeeksHaveNoInterval() {
        var three = new WeekSums(Collections.nCopies(3, 5.0), Collections.nCopies(3, 5.0));
        var four = new WeekSums(Collections.nCopies(4, 5.0), List.of(1.0, 2.0, 3.0, 4.0));
        var idle = new WeekSums(List.of(0.0, 0.0, 0.0, 5.0), List.of(0.0, 0.0, 0.0, 4.0));

        assertThat(three.interval()).isEmpty();
        assertThat(four.minus(three)).isEmpty();
        assertThat(idle.interval()).isEmpty();
        assertThat(four.interval()).hasValueSatisfying(interval -> {
            assertThat(interval.low()).isLessThan(0.5);
            assertThat(interval.high()).isGreaterThan(0.5);
        });
        assertThat(four.plus(four).interval()).isEqualTo(four.interval());
    }
}
