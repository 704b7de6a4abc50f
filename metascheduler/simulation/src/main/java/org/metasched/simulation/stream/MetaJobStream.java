package org.metasched.simulation.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.metasched.adapter.simulated.SwfTrace;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.simulation.scenario.SiteScenario;
import org.metasched.simulation.scenario.StreamScenario;
import org.metasched.simulation.scenario.StreamScenario.Arrivals;

/**
 * The meta-jobs of a scenario. Each stream has a random generator of its own, seeded by the scenario's seed and the stream's
 * name, so that a stream stays as it is when another one changes.
 */
public final class MetaJobStream {

    private static final double SECONDS_A_DAY = 86_400;
    /** Longest duration of a part, in seconds: ten years, the most that a {@link org.metasched.adapter.ResourceRequest} may ask for. */
    private static final long LONGEST = 3653 * 86_400;

    /** Number of drawn shapes whose mean work turns a share into a rate. */
    private static final int SAMPLE = 4096;
    /** Greatest deviation of the rate of a daily stream from its mean, as a share of the mean. */
    private static final double SWING = 0.8;

    /** Hour of the day, UTC, at which the rate of a daily stream is highest. */
    private static final double BUSIEST_HOUR = 14;

    private final Scenario scenario;
    private final StreamScenario stream;
    private final Random random;
    private final List<MetaJob> jobs = new ArrayList<>();

    private MetaJobStream(Scenario scenario, StreamScenario stream) {
        this.scenario = scenario;
        this.stream = stream;
        this.random =
                new Random(scenario.seed() * 0x9E3779B97F4A7C15L + stream.name().hashCode());
    }

    /** All meta-jobs of a scenario by submission; at equal instants in the order of their streams. */
    public static List<MetaJob> of(Scenario scenario) {
        var all = new ArrayList<MetaJob>();
        for (var stream : scenario.streams()) {
            all.addAll(new MetaJobStream(scenario, stream).generate());
        }
        all.sort(Comparator.comparing(MetaJob::submitted));
        return IntStream.range(0, all.size())
                .mapToObj(i -> all.get(i).numbered(i + 1L))
                .toList();
    }

    private List<MetaJob> generate() {
        if (stream.arrivals() instanceof Arrivals.Traced traced) {
            traced.jobs().forEach(this::addTraced);
        } else if (stream.arrivals() instanceof Arrivals.Poisson poisson) {
            draw(poisson);
        }
        return jobs;
    }

    private void draw(Arrivals.Poisson poisson) {
        double perDay = poisson.perDay().orElseGet(() -> rateFor(poisson.share().orElse(0.0)));
        if (perDay <= 0) {
            return;
        }
        double peakPerDay = poisson.isDaily() ? perDay * (1 + SWING) : perDay;
        double second = 0;
        // Thinning: jobs are drawn at the peak rate, and kept with the share of the rate at their instant.
        while (true) {
            second -= StrictMath.log(1 - random.nextDouble()) / peakPerDay * SECONDS_A_DAY;
            var submitted = scenario.begin().plusSeconds((long) second);
            if (!submitted.isBefore(scenario.end())) {
                return;
            }
            if (!poisson.isDaily() || random.nextDouble() * (1 + SWING) < busyness(submitted)) {
                add(submitted, MetaJobShape.draw(stream, scenario.sites(), random));
            }
        }
    }

    /** Rate of a daily stream at an instant, as a multiple of its mean. */
    private static double busyness(Instant at) {
        double hour = Math.floorMod(at.getEpochSecond(), (long) SECONDS_A_DAY) / 3600.0;
        return 1 + SWING * StrictMath.cos(2 * Math.PI * (hour - BUSIEST_HOUR) / 24);
    }

    /** Jobs a day that ask for a share of the candidate sites' capacity. Draws from a generator of its own. */
    private double rateFor(double share) {
        var sampling = new Random(stream.name().hashCode());
        double work = 0;
        for (int i = 0; i < SAMPLE; i++) {
            work += MetaJobShape.draw(stream, scenario.sites(), sampling).nodeSeconds();
        }
        double nodes = stream.sites().stream()
                .map(scenario.sites()::get)
                .mapToInt(SiteScenario::nodes)
                .sum();
        return share * nodes * SECONDS_A_DAY / (work / SAMPLE);
    }

    private void addTraced(SwfTrace.Job job) {
        var submitted = scenario.begin().plusSeconds(job.submitSeconds());
        if (!submitted.isBefore(scenario.end())) {
            return;
        }
        long estimate = Math.min(LONGEST, job.requestedSeconds() > 0 ? job.requestedSeconds() : job.runSeconds());
        long run = Math.min(job.runSeconds(), estimate);
        int total = job.requestedProcessors() > 0 ? job.requestedProcessors() : job.processors();
        var sites = MetaJobShape.choose(stream, scenario.sites(), random);
        add(
                submitted,
                new MetaJobShape(
                        sites,
                        MetaJobShape.split(total, sites),
                        Duration.ofSeconds(estimate),
                        run / (double) estimate));
    }

    private void add(Instant submitted, MetaJobShape shape) {
        boolean given = random.nextDouble() < stream.start().given();
        long ahead = given ? Math.round(stream.start().bookAhead().draw(random)) : 0;
        var earliest = submitted.plusSeconds(ahead);
        var latest = earliest.plus(
                given ? stream.start().tolerance() : stream.start().patience());
        jobs.add(new MetaJob(0, stream.name(), submitted, shape.parts(stream), shape.used(), given, earliest, latest));
    }
}
