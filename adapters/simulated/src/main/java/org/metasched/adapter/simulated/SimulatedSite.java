package org.metasched.adapter.simulated;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.jobs.JobSettings;
import org.metasched.slots.ComputeNode;

/**
 * Description of a simulated site, set step by step, then opened. Every setting has a default; without nodes the site has a link or
 * licences only. Not thread-safe.
 */
public final class SimulatedSite {

    /** Rule by which waiting local jobs may overtake each other. */
    public enum Backfilling {
        /** Every waiting job has a place in the plan. */
        CONSERVATIVE,
        /** Only the first waiting job has a place in the plan. */
        EASY,
        /** No waiting job has a place in the plan until it starves, as with the scheduler that comes with PBS. */
        FIRST_FIT;

        /** The rule under the key {@code backfilling}; {@link #CONSERVATIVE} without the key. */
        public static Backfilling read(Settings settings) {
            String policy = settings.text("backfilling").orElse(CONSERVATIVE.name());
            return Arrays.stream(values())
                    .filter(rule -> rule.name().equalsIgnoreCase(policy.replace('-', '_')))
                    .findFirst()
                    .orElseThrow(() -> settings.invalid(
                            "backfilling", "expected conservative, easy or first-fit, not (" + policy + ")"));
        }
    }

    final SiteId id;
    final List<ComputeNode> nodes = new ArrayList<>();
    final List<String> dedicated = new ArrayList<>();
    boolean namesNodesAtStart;
    Optional<Integer> reservable = Optional.empty();
    int bandwidth;
    final Map<String, Integer> licences = new LinkedHashMap<>();
    PreviewWindow window = new PreviewWindow(Duration.ofDays(7));
    final Local local = new Local();
    Duration latency = Duration.ZERO;
    Optional<Path> stateFile = Optional.empty();
    Optional<JobSettings> jobs = Optional.empty();

    /** The jobs of the site's own users, and how they are planned. */
    static final class Local {
        Workload workload = Workload.none(1);
        Optional<Long> second = Optional.empty();
        int speed = 1;
        Duration warmUp = Duration.ofDays(3);
        Backfilling backfilling = Backfilling.CONSERVATIVE;
        Optional<LocalJobWatch> watch = Optional.empty();

        WorkloadReplay replay(Instant origin, PreviewWindow window) {
            return new WorkloadReplay(origin, second.orElseGet(workload::busySecond), speed, window);
        }
    }

    public SimulatedSite(SiteId id) {
        this.id = id;
    }

    /** Adds nodes of one core without properties, named after the site. */
    public SimulatedSite nodes(int count) {
        return nodes(count, 1, Set.of());
    }

    /** Adds nodes, named after the site and their number. */
    public SimulatedSite nodes(int count, int cores, Set<String> properties) {
        for (int i = 0; i < count; i++) {
            nodes.add(new ComputeNode(id + "-" + (nodes.size() + 1), cores, properties));
        }
        return this;
    }

    /** Adds nodes that the site's own jobs never use. */
    public SimulatedSite dedicatedNodes(int count, int cores, Set<String> properties) {
        int first = nodes.size();
        nodes(count, cores, properties);
        nodes.subList(first, nodes.size()).forEach(node -> dedicated.add(node.name()));
        return this;
    }

    /** @param megabitsPerSecond bandwidth of the link that can be reserved; 0 without a link */
    public SimulatedSite bandwidth(int megabitsPerSecond) {
        bandwidth = notNegative("bandwidth", megabitsPerSecond);
        return this;
    }

    public SimulatedSite licences(String feature, int count) {
        licences.put(feature, notNegative("number of licences", count));
        return this;
    }

    public SimulatedSite window(PreviewWindow newWindow) {
        window = newWindow;
        return this;
    }

    /** Sets the jobs of the site's own users. The site opens in the middle of them, at a {@link Workload#busySecond}. */
    public SimulatedSite workload(Workload newWorkload) {
        local.workload = newWorkload;
        return this;
    }

    /** @param second second of the workload at which the site opens */
    public SimulatedSite workloadFrom(long second) {
        local.second = Optional.of(second);
        return this;
    }

    /** @param factor factor by which local jobs come, run and go faster than in the workload, at least 1 */
    public SimulatedSite speed(int factor) {
        if (factor < 1 || factor > 1_000_000) {
            throw new IllegalArgumentException("The speed (" + factor + ") must be from 1 to 1000000.");
        }
        local.speed = factor;
        return this;
    }

    /** @param length length of the workload that is replayed before the site opens, to fill machine and queue */
    public SimulatedSite warmUp(Duration length) {
        local.warmUp = length;
        return this;
    }

    public SimulatedSite backfilling(Backfilling policy) {
        local.backfilling = policy;
        return this;
    }

    /** @param time delay of every answer, in real time */
    public SimulatedSite latency(Duration time) {
        latency = time;
        return this;
    }

    /** @param file file in which reservations outlive the process */
    public SimulatedSite stateFile(Path file) {
        stateFile = Optional.of(file);
        return this;
    }

    /**
     * Jobs and reservations get their nodes when they start, not when they are planned; until then only their number is known.
     * For alike nodes without dedicated ones, and without a state file.
     */
    public SimulatedSite namesNodesWhenTheyStart() {
        namesNodesAtStart = true;
        return this;
    }

    /** @param most nodes that advance reservations may hold at any instant, all together */
    public SimulatedSite reservableNodes(int most) {
        reservable = Optional.of(notNegative("number of nodes that may be reserved", most));
        return this;
    }

    public SimulatedSite watchedBy(LocalJobWatch newWatch) {
        local.watch = Optional.of(newWatch);
        return this;
    }

    /** Lets programs run as processes of this machine, for which the site's clock must keep the pace of the system's. */
    public SimulatedSite runsPrograms(JobSettings settings) {
        jobs = Optional.of(settings);
        return this;
    }

    /**
     * Makes the site, and replays the workload up to now.
     *
     * @throws java.io.UncheckedIOException when the state file cannot be used
     * @throws IllegalArgumentException when nodes are to be named at the start, and are not alike
     */
    public SimulatedScheduler open(Clock clock) {
        if (namesNodesAtStart && !nodesAreAlike()) {
            throw new IllegalArgumentException(
                    "Site " + id + " can name nodes at the start of a job only if they are alike,"
                            + " none is dedicated, and there is no state file.");
        }
        return new SimulatedScheduler(this, clock);
    }

    private boolean nodesAreAlike() {
        long kinds = nodes.stream()
                .map(node -> node.cores() + " " + node.properties())
                .distinct()
                .count();
        return kinds <= 1 && dedicated.isEmpty() && stateFile.isEmpty();
    }

    private static int notNegative(String what, int value) {
        if (value < 0) {
            throw new IllegalArgumentException("The " + what + " (" + value + ") must not be negative.");
        }
        return value;
    }
}
