package org.metasched.simulation.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A figure of local jobs, summed by week of the measured time. A block bootstrap draws whole weeks, because jobs of one week depend on each
 * other. Its interval covers the variation of local users. Seeds do not, if their runs replay one trace and differ in meta-jobs only.
 *
 * @param jobs number of jobs submitted in each week; the last week may be shorter
 * @param sums sums of the figure over these jobs, by week
 */
public record WeekSums(List<Double> jobs, List<Double> sums) {

    private static final int DRAWS = 2000;
    /** Fewest weeks for an interval. */
    private static final int FEWEST = 4;

    private static final long WEEK = 7 * 24 * 3600;

    public WeekSums {
        jobs = List.copyOf(jobs);
        sums = List.copyOf(sums);
    }

    /**
     * Sums a figure of local jobs.
     *
     * @param records jobs that were submitted from {@code from} on and before {@code until}
     * @param from second of the run at which the first week begins
     */
    static WeekSums of(List<LocalRecord> records, long from, long until, ToDoubleFunction<LocalRecord> figure) {
        int weeks = (int) Math.max(1, (until - from + WEEK - 1) / WEEK);
        var jobs = new ArrayList<>(Collections.nCopies(weeks, 0.0));
        var sums = new ArrayList<>(Collections.nCopies(weeks, 0.0));
        for (var record : records) {
            int week = (int) ((record.submitted() - from) / WEEK);
            jobs.set(week, jobs.get(week) + 1);
            sums.set(week, sums.get(week) + figure.applyAsDouble(record));
        }
        return new WeekSums(jobs, sums);
    }

    /** The sums of both, week by week, of the weeks that both have. */
    public WeekSums plus(WeekSums other) {
        return new WeekSums(added(jobs, other.jobs), added(sums, other.sums));
    }

    private static List<Double> added(List<Double> some, List<Double> others) {
        return IntStream.range(0, Math.min(some.size(), others.size()))
                .mapToObj(i -> some.get(i) + others.get(i))
                .toList();
    }

    /** The interval of the mean over jobs; empty for fewer than {@value #FEWEST} weeks, or when weeks without jobs leave nothing to divide by. */
    public Optional<ConfidenceInterval> interval() {
        // The other mean is 0 in each week.
        return minus(new WeekSums(Collections.nCopies(jobs.size(), 1.0), Collections.nCopies(jobs.size(), 0.0)));
    }

    /**
     * The interval of this mean less another's, of the same weeks: percentiles of {@value #DRAWS} draws, widened as a few blocks need
     * it (Hesterberg, The American Statistician 2015, §4). The draws are the same at each call.
     */
    public Optional<ConfidenceInterval> minus(WeekSums other) {
        int weeks = jobs.size();
        if (weeks < FEWEST || other.jobs.size() != weeks) {
            return Optional.empty();
        }
        var random = new SplittableRandom(1);
        double[] drawn = new double[DRAWS];
        int[] all = new int[weeks];
        Arrays.setAll(all, week -> week);
        double mean = difference(other, all);
        for (int draw = 0; draw < DRAWS; draw++) {
            Arrays.setAll(all, week -> random.nextInt(weeks));
            drawn[draw] = difference(other, all);
        }
        Arrays.sort(drawn);
        double wider = ConfidenceEstimate.quantile(weeks - 1) / 1.96 * Math.sqrt(weeks / (weeks - 1.0));
        var interval = new ConfidenceInterval(
                mean + wider * (drawn[DRAWS / 40 - 1] - mean), mean + wider * (drawn[DRAWS - DRAWS / 40] - mean));
        return Double.isFinite(drawn[DRAWS - 1]) ? Optional.of(interval) : Optional.empty();
    }

    private double difference(WeekSums other, int[] weeks) {
        return mean(weeks) - other.mean(weeks);
    }

    private double mean(int[] weeks) {
        double sum = 0;
        double count = 0;
        for (int week : weeks) {
            sum += sums.get(week);
            count += jobs.get(week);
        }
        return sum / count;
    }
}
