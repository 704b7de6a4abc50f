package org.metasched.adapter.booking;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.command.SiteClock;
import org.metasched.slots.AvailabilityProfile;
import org.metasched.slots.ComputeNode;
import org.metasched.slots.CountProfile;
import org.metasched.slots.NodeProfile;

/**
 * The plan of a local scheduler as far as it can be seen from outside: usable nodes, running jobs with their latest end, and
 * reservations. Tells at which starts a request fits, by the {@link Rules} of the scheduler. A question takes a few milliseconds for a
 * thousand nodes and jobs. Immutable once built.
 */
public final class SitePlan {

    /** Stands for the end of jobs and reservations that have none. */
    public static final Instant NEVER = Instant.parse("2110-01-01T00:00:00Z");

    /** All cores of a node, however many it has. */
    public static final int WHOLE = Integer.MAX_VALUE;

    /**
     * Rules by which a scheduler admits a reservation.
     *
     * @param afterJob gap between the latest end of a running job and a reservation on the same node
     * @param betweenReservations gap between two reservations on the same node
     * @param lead least time from now to a start, which the request to the scheduler needs
     * @param wholeNodes whether a reservation needs its nodes for itself
     */
    public record Rules(Duration afterJob, Duration betweenReservations, Duration lead, boolean wholeNodes) {
        public static final Rules PLAIN = new Rules(Duration.ZERO, Duration.ZERO, Duration.ZERO, true);
    }

    /**
     * A part of a node.
     *
     * @param node name of the node
     * @param cores number of its cores, or {@link #WHOLE}
     */
    public record Share(String node, int cores) {

        public Share {
            if (cores < 0) {
                throw new IllegalArgumentException("The cores (" + cores + ") of a share must not be negative.");
            }
        }

        /** A number of nodes without names. */
        public static List<Share> unnamed(int count) {
            return List.of(new Share(UNNAMED, count));
        }

        /** The nodes, each as a whole. */
        public static List<Share> whole(Collection<String> nodes) {
            return nodes.stream().map(node -> new Share(node, WHOLE)).toList();
        }
    }

    /** Stands for nodes without names; a share of it counts nodes instead of cores. */
    private static final String UNNAMED = "";

    /** Kind of need: the nodes that are closed, and when, depend on it alone; on the length only where nodes have parts. */
    private record Kind(int cores, SortedSet<String> properties, Duration length) {}

    /** Profiles that are kept; more kinds of need at once are rare. */
    private static final int MOST_PROFILES = 16;

    private final Map<Kind, NodeProfile> closedProfiles = new ConcurrentHashMap<>();
    private final PreviewWindow window;
    private final Rules rules;
    private final SiteClock times;
    private final Instant now;
    private final Map<String, ComputeNode> nodes;
    private final Map<String, NodeParts> parts;
    private final boolean hasParts;
    private final int alike;
    private final int coresOfAlike;
    private final Map<String, List<TakenCores>> taken;
    private final String version;

    private SitePlan(Builder builder) {
        this.window = builder.window;
        this.rules = builder.rules;
        this.times = builder.times;
        this.now = builder.now;
        this.nodes = new LinkedHashMap<>(builder.nodes);
        this.parts = new TreeMap<>(builder.parts);
        this.hasParts = parts.values().stream().anyMatch(node -> node.cores().size() > 1);
        this.alike = builder.alike;
        this.coresOfAlike = builder.coresOfAlike;
        this.taken = new TreeMap<>();
        builder.taken.forEach((node, spans) -> taken.put(node, List.copyOf(spans)));
        String content = alike + "|" + nodes.values() + "|" + parts + "|" + taken;
        this.version =
                UUID.nameUUIDFromBytes(content.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /**
     * A builder of an empty plan.
     *
     * @param times zone of the scheduler; where an hour comes twice, the second one has no starts
     * @param now begin of the look-ahead
     */
    public static Builder builder(PreviewWindow window, Rules rules, SiteClock times, Instant now) {
        return new Builder(window, rules, times, now);
    }

    /** Collects a plan. What is taken on an unknown node is ignored. Not thread-safe. */
    public static final class Builder {
        private final PreviewWindow window;
        private final Rules rules;
        private final SiteClock times;
        private final Instant now;
        private final Map<String, ComputeNode> nodes = new LinkedHashMap<>();
        private final Map<String, NodeParts> parts = new TreeMap<>();
        private final Map<String, List<TakenCores>> taken = new TreeMap<>();
        private int alike;
        private int coresOfAlike = 1;

        private Builder(PreviewWindow window, Rules rules, SiteClock times, Instant now) {
            this.window = window;
            this.rules = rules;
            this.times = times;
            this.now = now;
        }

        /** A node on which reservations can be made; the caller leaves out down ones. */
        public Builder node(ComputeNode node) {
            nodes.put(node.name(), node);
            return this;
        }

        /**
         * A node made of parts, such as the virtual nodes of a host. Jobs and reservations take cores of a part, by its
         * name; a request keeps its share of each part.
         *
         * @param cores number of cores by name of the part
         */
        public Builder node(ComputeNode node, Map<String, Integer> cores) {
            parts.put(node.name(), new NodeParts(cores));
            return node(node);
        }

        /**
         * Nodes without names, in place of {@link #node named} ones. Jobs and reservations take {@link Share#unnamed} ones.
         */
        public Builder alike(int count, int coresPerNode) {
            this.alike = count;
            this.coresOfAlike = coresPerNode;
            return this;
        }

        /** A running job; the caller leaves out jobs inside reservations. */
        public Builder job(Collection<Share> shares, Instant latestEnd) {
            return take(
                    shares, Instant.EPOCH, TimeSlot.earlier(latestEnd, NEVER).plus(rules.afterJob()));
        }

        public Builder reservation(Collection<Share> shares, TimeSlot slot) {
            Duration gap = rules.betweenReservations();
            return take(
                    shares,
                    slot.start().minus(gap),
                    TimeSlot.earlier(slot.end(), NEVER).plus(gap));
        }

        private Builder take(Collection<Share> shares, Instant from, Instant to) {
            if (from.isBefore(to)) {
                for (Share share : shares) {
                    taken.computeIfAbsent(share.node(), name -> new ArrayList<>())
                            .add(new TakenCores(share.cores(), from, to));
                }
            }
            return this;
        }

        public SitePlan build() {
            return new SitePlan(this);
        }
    }

    /** Number of nodes that have what the need wants of each, free or not. */
    public int suiting(Need.Nodes need) {
        if (alike > 0) {
            return need.coresPerNode() <= coresOfAlike && need.properties().isEmpty() ? alike : 0;
        }
        return (int) nodes.values().stream().filter(node -> suits(node, need)).count();
    }

    private static boolean suits(ComputeNode node, Need.Nodes need) {
        return node.suits(need.coresPerNode(), need.properties());
    }

    private static BitSet suiting(NodeProfile profile, Need.Nodes need) {
        return profile.suiting(need.coresPerNode(), need.properties());
    }

    /** The first start at or after {@code notBefore}, inside the look-ahead. */
    public Optional<Instant> earliestStart(Need.Nodes need, Duration length, Instant notBefore) {
        return ask(need, length, (profile, run) -> earliestStart(profile, need, run, notBefore));
    }

    private Optional<Instant> earliestStart(
            AvailabilityProfile profile, Need.Nodes need, Duration length, Instant notBefore) {
        Instant latest = window.endFrom(now);
        Optional<Instant> start =
                profile.earliestStart(need.count(), length, TimeSlot.later(notBefore, soonest()), latest);
        while (start.isPresent() && !times.isWritable(window.floor(start.get()))) {
            Instant next = times.firstWritable(window.floor(start.get()));
            start = profile.earliestStart(need.count(), length, next, latest);
        }
        return start;
    }

    /** Every start inside the look-ahead from the earliest to the latest, both included. */
    public FreeWindows freeWindows(Need.Nodes need, Duration length, Instant earliest, Instant latest) {
        Instant from = TimeSlot.later(earliest, soonest());
        Instant to = TimeSlot.earlier(latest, window.endFrom(now));
        List<StartInterval> starts = from.isBefore(to)
                ? ask(need, length, (profile, run) -> profile.starts(need.count(), run, new TimeSlot(from, to)))
                : ask(need, length, (profile, run) -> profile.earliestStart(need.count(), run, from, to)).stream()
                        .map(only -> new StartInterval(only, only))
                        .toList();
        var unambiguous = new ArrayList<StartInterval>();
        starts.forEach(interval -> addUnambiguous(unambiguous, interval));
        return new FreeWindows(version, unambiguous);
    }

    /** Adds an interval without the hours that come a second time when summer time ends. */
    private void addUnambiguous(List<StartInterval> intervals, StartInterval interval) {
        Instant from = interval.earliest();
        var transition = times.zone().getRules().nextTransition(from.minus(Duration.ofDays(1)));
        while (transition != null && !transition.getInstant().isAfter(interval.latest())) {
            Instant repeat = transition.getInstant();
            if (transition.isOverlap()
                    && repeat.plus(transition.getDuration().abs()).isAfter(from)) {
                if (from.isBefore(repeat)) {
                    intervals.add(new StartInterval(from, repeat.minusNanos(1)));
                }
                from = TimeSlot.later(from, repeat.plus(transition.getDuration().abs()));
            }
            transition = times.zone().getRules().nextTransition(transition.getInstant());
        }
        if (!from.isAfter(interval.latest())) {
            intervals.add(new StartInterval(from, interval.latest()));
        }
    }

    /** The named nodes that suit the need and stay free throughout the slot, in the scheduler's order. */
    public List<String> freeNodes(Need.Nodes need, TimeSlot slot) {
        NodeProfile profile = closedProfile(need, slot.length());
        synchronized (profile) {
            var free = profile.freeThroughout(TimeSlot.of(slot.start(), runLength(slot.length())));
            free.and(suiting(profile, need));
            return profile.names(free);
        }
    }

    /** Number of nodes of which no core is taken now. */
    public int freeNodes() {
        if (alike > 0) {
            long used = taken.getOrDefault(UNNAMED, List.of()).stream()
                    .filter(this::isNow)
                    .mapToLong(TakenCores::cores)
                    .sum();
            return (int) Math.max(0, alike - used);
        }
        return (int) nodes.values().stream()
                .filter(node -> takenOf(node).filter(this::isNow).noneMatch(span -> span.cores() > 0))
                .count();
    }

    private boolean isNow(TakenCores span) {
        return !span.from().isAfter(now) && span.to().isAfter(now);
    }

    private NodeParts partsOf(ComputeNode node) {
        return parts.getOrDefault(node.name(), new NodeParts(Map.of(node.name(), node.cores())));
    }

    private Stream<TakenCores> takenOf(ComputeNode node) {
        return partsOf(node).cores().keySet().stream().flatMap(part -> taken.getOrDefault(part, List.of()).stream());
    }

    /**
     * The answer of a profile in which each node is closed while it cannot serve the need. These times are widened to the grid, like
     * bookings, so that no start needs rounding.
     *
     * @param question asked with the length of a run in the profile
     */
    private <T> T ask(Need.Nodes need, Duration length, BiFunction<AvailabilityProfile, Duration, T> question) {
        if (alike > 0) {
            return question.apply(countProfile(need), length);
        }
        NodeProfile profile = closedProfile(need, length);
        // A profile is not thread-safe, not even for reading.
        synchronized (profile) {
            return question.apply(profile.among(suiting(profile, need)), runLength(length));
        }
    }

    /**
     * Length of a run in the profile. If nodes have parts, the profile holds closed starts, and a run lasts one instant: see
     * {@link NodeParts}.
     */
    private Duration runLength(Duration length) {
        return hasParts ? NodeParts.INSTANT : length;
    }

    /** Needs of the same cores and properties share a profile, as the plan does not change. */
    private NodeProfile closedProfile(Need.Nodes need, Duration length) {
        if (closedProfiles.size() >= MOST_PROFILES) {
            closedProfiles.clear();
        }
        var kind = new Kind(need.coresPerNode(), need.properties(), hasParts ? length : Duration.ZERO);
        return closedProfiles.computeIfAbsent(kind, any -> profileOfClosed(need, length));
    }

    private NodeProfile profileOfClosed(Need.Nodes need, Duration length) {
        var closed = new LinkedHashMap<TimeSlot, List<String>>();
        for (ComputeNode node : nodes.values()) {
            if (suits(node, need)) {
                closedTimes(node, need.coresPerNode(), length)
                        .forEach(slot -> closed.computeIfAbsent(slot, any -> new ArrayList<>())
                                .add(node.name()));
            }
        }
        return new NodeProfile(List.copyOf(nodes.values()), closed);
    }

    /** The times at which a node cannot serve; if nodes have parts, the starts of this length that it cannot serve. */
    private List<TimeSlot> closedTimes(ComputeNode node, int cores, Duration length) {
        if (hasParts) {
            return partsOf(node).closedStarts(taken, window, cores, length);
        }
        var spans = takenOf(node).toList();
        int spare = rules.wholeNodes() ? 0 : node.cores() - cores;
        return TakenCores.full(spans, spare).stream()
                .map(full -> window.covering(full.start(), full.length()))
                .toList();
    }

    private AvailabilityProfile countProfile(Need.Nodes need) {
        var profile = new CountProfile(suiting(need));
        for (TakenCores span : taken.getOrDefault(UNNAMED, List.of())) {
            if (span.cores() > 0) {
                profile.take(span.cores(), window.covering(span.from(), Duration.between(span.from(), span.to())));
            }
        }
        return profile;
    }

    private Instant soonest() {
        return window.ceiling(now.plus(rules.lead()));
    }
}
