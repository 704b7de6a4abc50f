package org.metasched.adapter.simulated;

import java.util.ArrayList;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * The workload model of Lublin and Feitelson, "The workload on parallel supercomputers: modeling the characteristics of rigid jobs" (J.
 * Parallel and Distributed Computing 63(11), 2003), with the paper's parameters for jobs of all kinds.
 *
 * <p>Sizes: serial, or two to the power of a two-stage uniform number, mostly rounded. Run times: the logarithm is hyper-gamma, and large
 * jobs tend to be long. Arrivals: gamma distributed logarithms of inter-arrival times, stretched by the busyness of each half hour, which
 * follows a gamma density over the day that begins at half past five.
 *
 * <p>Added to the model, which has no users' estimates: an estimate is the run time rounded up to the next usual limit. The same
 * seed makes the same jobs on every machine ({@link StrictMath}).
 */
final class LublinFeitelson {

    private static final double SERIAL = 0.244;
    private static final double POWER_OF_TWO = 0.576;
    private static final double SMALLEST_LOG = 0.8;
    /** The paper recommends a middle from 1.5 to 3.5 below the logarithm of the machine. */
    private static final double MIDDLE_BELOW_TOP = 2.5;

    private static final double LOWER_STAGE = 0.86;

    private static final double LONGEST_LOG_RUN = 12;
    private static final double LONGEST_LOG_GAP = 13;
    private static final double GAP_SHAPE = 10.2303 * 1.0225;
    private static final double GAP_SCALE = 0.4871;

    private static final int BUCKETS = 48;
    private static final int BUCKET_SECONDS = 1800;
    private static final int DAY_BEGINS_AT_BUCKET = 11;
    private static final double DAY_SHAPE = 8.1737;
    private static final double DAY_SCALE = 3.9631;

    /** Usual run-time limits of queues, in seconds. */
    private static final long[] LIMITS = {
        300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 64_800, 86_400, 129_600, 172_800
    };

    private final Random random;
    private final int nodes;
    private final double[] busyness = new double[BUCKETS];
    /** Second of the last arrival. */
    private double second;

    private LublinFeitelson(int nodes, long seed) {
        this.random = new Random(seed);
        this.nodes = nodes;
        double sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            double x = i + (double) DAY_BEGINS_AT_BUCKET;
            // Simpson's rule over half an hour of the density.
            double weight = (density(x - 0.5) + 4 * density(x) + density(x + 0.5)) / 6;
            busyness[(i + DAY_BEGINS_AT_BUCKET - 1) % BUCKETS] = weight;
            sum += weight;
        }
        for (int i = 0; i < BUCKETS; i++) {
            busyness[i] *= BUCKETS / sum;
        }
    }

    /** @param seed chooses one of the workloads that follow the model */
    static Workload generate(int nodes, int jobs, long seed) {
        var model = new LublinFeitelson(nodes, seed);
        var all = new ArrayList<LocalJob>(jobs);
        for (int i = 0; i < jobs; i++) {
            all.add(model.next(i + 1L));
        }
        return new Workload("Lublin-Feitelson, seed " + seed, nodes, all);
    }

    private LocalJob next(long number) {
        second = arrival();
        int size = size();
        long run = runSeconds(size);
        return new LocalJob(number, (long) second, run, estimate(run), size);
    }

    private int size() {
        double kind = random.nextDouble();
        if (kind <= SERIAL || nodes == 1) {
            return 1;
        }
        double top = StrictMath.log(nodes) / StrictMath.log(2);
        double middle = Math.max(SMALLEST_LOG, top - MIDDLE_BELOW_TOP);
        double log = random.nextDouble() <= LOWER_STAGE
                ? SMALLEST_LOG + random.nextDouble() * (middle - SMALLEST_LOG)
                : middle + random.nextDouble() * (top - middle);
        if (kind <= SERIAL + POWER_OF_TWO) {
            log = Math.rint(log);
        }
        return (int) Math.max(1, Math.min(nodes, Math.round(StrictMath.pow(2, log))));
    }

    private long runSeconds(int size) {
        double first = Math.max(0, Math.min(1, 0.78 - 0.0054 * size));
        double log;
        do {
            log = random.nextDouble() <= first ? gamma(4.2, 0.94) : gamma(312, 0.03);
        } while (log > LONGEST_LOG_RUN);
        return Math.max(1, (long) StrictMath.exp(log));
    }

    private static long estimate(long run) {
        return LongStream.of(LIMITS).filter(limit -> run <= limit).findFirst().orElse(run);
    }

    /** The next arrival: when the rates since the last one add up to the drawn gap. */
    private double arrival() {
        double log;
        do {
            log = gamma(GAP_SHAPE, GAP_SCALE);
        } while (log > LONGEST_LOG_GAP);
        double remaining = StrictMath.exp(log);
        double at = second;
        while (true) {
            double bucketEnd = (Math.floor(at / BUCKET_SECONDS) + 1) * BUCKET_SECONDS;
            double perSecond = busyness[(int) (Math.floor(at / BUCKET_SECONDS) % BUCKETS)];
            if (remaining <= (bucketEnd - at) * perSecond) {
                return at + remaining / perSecond;
            }
            remaining -= (bucketEnd - at) * perSecond;
            at = bucketEnd;
        }
    }

    private static double density(double x) {
        return StrictMath.pow(x, DAY_SHAPE - 1) * StrictMath.exp(-x / DAY_SCALE);
    }

    /** A gamma distributed number after Marsaglia and Tsang (2000), for shapes of at least 1. */
    private double gamma(double shape, double scale) {
        double d = shape - 1.0 / 3;
        double c = 1 / StrictMath.sqrt(9 * d);
        while (true) {
            double x = gaussian();
            double v = StrictMath.pow(1 + c * x, 3);
            if (v > 0 && StrictMath.log(random.nextDouble()) < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
                return d * v * scale;
            }
        }
    }

    /** A normally distributed number after Box and Muller, because the JDK does not specify its own algorithm. */
    private double gaussian() {
        double u = 1 - random.nextDouble();
        return StrictMath.sqrt(-2 * StrictMath.log(u)) * StrictMath.cos(2 * Math.PI * random.nextDouble());
    }
}
