package org.metasched.adapter.simulated;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.jobs.JobSettings;
import org.metasched.slots.Node;

/**
 * What a simulated site is made of: described step by step, then opened. Everything has a usual value; without nodes it is
 * a site that has a link or licences only. Not thread-safe.
 */
public final class SimulatedSite {

    /** How local jobs that wait may overtake each other. */
    public enum Backfilling {
        /** Every job has its place in the plan. */
        CONSERVATIVE,
        /** Only the first job has. */
        EASY,
        /** None has until it starves, as with the scheduler that comes with PBS. */
        FIRST_FIT
    }

    private final SiteId site;
    private final List<Node> nodes = new ArrayList<>();
    private final List<String> dedicated = new ArrayList<>();
    private int bandwidth;
    private final Map<String, Integer> licences = new LinkedHashMap<>();
    private PreviewWindow window = new PreviewWindow(Duration.ofDays(7));
    private Workload workload = Workload.none(1);
    private Optional<Long> workloadSecond = Optional.empty();
    private int speed = 1;
    private Duration warmUp = Duration.ofDays(3);
    private Backfilling backfilling = Backfilling.CONSERVATIVE;
    private Duration latency = Duration.ZERO;
    private Optional<Path> stateFile = Optional.empty();
    private boolean namesNodesAtStart;
    private Optional<Integer> reservable = Optional.empty();
    private Optional<LocalJobWatch> watch = Optional.empty();
    private Optional<JobSettings> jobs = Optional.empty();

    public SimulatedSite(SiteId site) {
        this.site = site;
    }

    /** Adds nodes of one core without properties, named after the site. */
    public SimulatedSite nodes(int count) {
        return nodes(count, 1, Set.of());
    }

    public SimulatedSite nodes(int count, int cores, Set<String> properties) {
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(site + "-" + (nodes.size() + 1), cores, properties));
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

    /** @param megabitsPerSecond of the link that the site sells; 0 when it sells none */
    public SimulatedSite bandwidth(int megabitsPerSecond) {
        bandwidth = notNegative("bandwidth", megabitsPerSecond);
        return this;
    }

    public SimulatedSite licences(String feature, int count) {
        licences.put(feature, notNegative("number of licences", count));
        return this;
    }

    public SimulatedSite window(PreviewWindow newWindow) {
        Replay.checkGrid(newWindow);
        window = newWindow;
        return this;
    }

    /** The jobs of the site's own users. They begin somewhere in the middle: now is a {@link Workload#busySecond}. */
    public SimulatedSite workload(Workload newWorkload) {
        workload = newWorkload;
        return this;
    }

    /** @param second of the workload that is now, when the site is opened */
    public SimulatedSite workloadFrom(long second) {
        workloadSecond = Optional.of(second);
        return this;
    }

    /** @param factor by which local jobs come, run and go faster than in the workload, at least 1 */
    public SimulatedSite speed(int factor) {
        if (factor < 1 || factor > 1_000_000) {
            throw new IllegalArgumentException("The speed (" + factor + ") must be from 1 to 1000000.");
        }
        speed = factor;
        return this;
    }

    /** @param length of the workload before now that is replayed when the site is opened, to fill machine and queue */
    public SimulatedSite warmUp(Duration length) {
        warmUp = length;
        return this;
    }

    public SimulatedSite backfilling(Backfilling policy) {
        backfilling = policy;
        return this;
    }

    /** @param time that every answer takes, for real */
    public SimulatedSite latency(Duration time) {
        latency = time;
        return this;
    }

    /** @param file where reservations are kept so that they outlive the process */
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
        watch = Optional.of(newWatch);
        return this;
    }

    /** From now on programs really run, as processes of this machine, while the site's clock keeps the pace of the system's. */
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
                    "Site " + site + " can name nodes at the start of a job only if they are alike,"
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

    SiteId site() {
        return site;
    }

    List<Node> nodes() {
        return nodes;
    }

    List<String> dedicated() {
        return dedicated;
    }

    int bandwidth() {
        return bandwidth;
    }

    Map<String, Integer> licences() {
        return licences;
    }

    PreviewWindow window() {
        return window;
    }

    Workload workload() {
        return workload;
    }

    long workloadSecond() {
        return workloadSecond.orElseGet(workload::busySecond);
    }

    int speed() {
        return speed;
    }

    Duration warmUp() {
        return warmUp;
    }

    Backfilling backfilling() {
        return backfilling;
    }

    Duration latency() {
        return latency;
    }

    Optional<Path> stateFile() {
        return stateFile;
    }

    boolean namesNodesAtStart() {
        return namesNodesAtStart;
    }

    Optional<Integer> reservable() {
        return reservable;
    }

    Optional<JobSettings> jobs() {
        return jobs;
    }

    Optional<LocalJobWatch> watch() {
        return watch;
    }
}
