package org.metasched.adapter.booking;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
 * reservations. Answers where a request fits, by the scheduler's measured rules, with a {@link NodeProfile}; a few milliseconds
 * for a thousand nodes and jobs. Immutable once built.
 */
public final class SitePlan {

    /** End of jobs and reservations that have none. */
    public static final Instant NEVER = Instant.parse("2110-01-01T00:00:00Z");

    /** All cores of a node, however many it has. */
    public static final int WHOLE = Integer.MAX_VALUE;

    /**
     * By what rules a scheduler lets a reservation in.
     *
     * @param afterJob between the latest end of a running job and a reservation on the same node
     * @param betweenReservations between two reservations on the same node, either way round
     * @param lead how long from now the first start must be away, so that there is time to ask for it
     * @param wholeNodes whether a reservation needs its nodes for itself
     */
    public record Rules(Duration afterJob, Duration betweenReservations, Duration lead, boolean wholeNodes) {
        public static final Rules PLAIN = new Rules(Duration.ZERO, Duration.ZERO, Duration.ZERO, true);
    }

    /**
     * A part of a node.
     *
     * @param node its name
     * @param cores how many of its cores, or {@link #WHOLE}
     */
    public record Share(String node, int cores) {

        public Share {
            if (cores < 0) {
                throw new IllegalArgumentException("The cores (" + cores + ") of a share must not be negative.");
            }
        }

        /** The nodes, each as a whole. */
        public static List<Share> whole(Collection<String> nodes) {
            return nodes.stream().map(node -> new Share(node, WHOLE)).toList();
        }
    }

    /** Cores of one node that are taken from {@code from} until {@code to}, gaps included. */
    private record Taken(int cores, Instant from, Instant to) {

        /** Instants as numbers: a plan prints tens of thousands for its {@link #version}. */
        @Override
        public String toString() {
            return cores + "@" + from.getEpochSecond() + "." + from.getNano() + "-" + to.getEpochSecond() + "."
                    + to.getNano();
        }
    }

    /** Capacity in use on unknown nodes is booked under this name, counted in nodes. */
    private static final String SOMEWHERE = "";

    /** Kind of need: the nodes that are closed, and when, depend on it alone. */
    private record Kind(int cores, SortedSet<String> properties) {}

    private static final int MOST_PROFILES = 16;

    private final Map<Kind, NodeProfile> closedProfiles = new ConcurrentHashMap<>();
    private final PreviewWindow window;
    private final Rules rules;
    private final SiteClock times;
    private final Instant now;
    private final Map<String, ComputeNode> nodes;
    private final int alike;
    private final int coresOfAlike;
    private final Map<String, List<Taken>> taken;
    private final String version;

    private SitePlan(Builder builder) {
        this.window = builder.window;
        this.rules = builder.rules;
        this.times = builder.times;
        this.now = builder.now;
        this.nodes = new LinkedHashMap<>(builder.nodes);
        this.alike = builder.alike;
        this.coresOfAlike = builder.coresOfAlike;
        this.taken = new TreeMap<>(builder.taken);
        this.version = digest(alike + "|" + nodes.values() + "|" + taken);
    }

    /**
     * @param times cuts out the starts that cannot be told to the scheduler when summer time ends
     * @param now from where the look-ahead counts
     */
    public static Builder builder(PreviewWindow window, Rules rules, SiteClock times, Instant now) {
        return new Builder(window, rules, times, now);
    }

    /** Collects a plan. What is taken on a node that is not there counts for nothing. Not thread-safe. */
    public static final class Builder {
        private final PreviewWindow window;
        private final Rules rules;
        private final SiteClock times;
        private final Instant now;
        private final Map<String, ComputeNode> nodes = new LinkedHashMap<>();
        private final Map<String, List<Taken>> taken = new TreeMap<>();
        private int alike;
        private int coresOfAlike = 1;

        private Builder(PreviewWindow window, Rules rules, SiteClock times, Instant now) {
            this.window = window;
            this.rules = rules;
            this.times = times;
            this.now = now;
        }

        /** A node on which reservations can be made; down ones are left out. */
        public Builder node(ComputeNode node) {
            nodes.put(node.name(), node);
            return this;
        }

        /**
         * Nodes without names, in place of {@link #node named} ones; what is taken of them is counted with
         * {@link #jobSomewhere} and {@link #reservationSomewhere}.
         */
        public Builder alike(int count, int coresPerNode) {
            this.alike = count;
            this.coresOfAlike = coresPerNode;
            return this;
        }

        /** A running job on that many nodes. */
        public Builder jobSomewhere(int count, Instant latestEnd) {
            return job(List.of(new Share(SOMEWHERE, count)), latestEnd);
        }

        /** A reservation of that many nodes. */
        public Builder reservationSomewhere(int count, TimeSlot slot) {
            return reservation(List.of(new Share(SOMEWHERE, count)), slot);
        }

        /** A running job. One inside a reservation is left out: its reservation is there. */
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
                            .add(new Taken(share.cores(), from, to));
                }
            }
            return this;
        }

        public SitePlan build() {
            return new SitePlan(this);
        }
    }

    /** How many nodes have what the need wants of each, free or not. */
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
        return asked(need, profile -> earliestStart(profile, need, length, notBefore));
    }

    private Optional<Instant> earliestStart(
            AvailabilityProfile profile, Need.Nodes need, Duration length, Instant notBefore) {
        Instant latest = window.endFrom(now);
        Optional<Instant> start =
                profile.earliestStart(need.count(), length, TimeSlot.later(notBefore, soonest()), latest);
        while (start.isPresent() && !times.canSay(window.floor(start.get()))) {
            Instant next = times.sayable(window.floor(start.get()));
            start = profile.earliestStart(need.count(), length, next, latest);
        }
        return start;
    }

    /** Every start within the slot, both ends included, and inside the look-ahead. */
    public FreeWindows freeWindows(Need.Nodes need, Duration length, TimeSlot within) {
        Instant from = TimeSlot.later(within.start(), soonest());
        Instant to = within.end().isBefore(window.endFrom(now)) ? within.end() : window.endFrom(now);
        if (!from.isBefore(to)) {
            return new FreeWindows(version, List.of());
        }
        var starts = asked(need, profile -> profile.starts(need.count(), length, new TimeSlot(from, to)));
        var sayable = new ArrayList<StartInterval>();
        starts.forEach(interval -> addSayable(sayable, interval));
        return new FreeWindows(version, sayable);
    }

    private void addSayable(List<StartInterval> into, StartInterval interval) {
        Instant from = interval.earliest();
        var transition = times.zone().getRules().nextTransition(from.minus(Duration.ofDays(1)));
        while (transition != null && transition.getInstant().isBefore(interval.latest())) {
            Instant twice = transition.getInstant();
            if (transition.isOverlap()
                    && twice.plus(transition.getDuration().abs()).isAfter(from)) {
                if (from.isBefore(twice)) {
                    into.add(new StartInterval(from, twice.minusNanos(1)));
                }
                from = TimeSlot.later(from, twice.plus(transition.getDuration().abs()));
            }
            transition = times.zone().getRules().nextTransition(transition.getInstant());
        }
        if (!from.isAfter(interval.latest())) {
            into.add(new StartInterval(from, interval.latest()));
        }
    }

    /** The named nodes that suit the need and stay free throughout the slot, in the scheduler's order. */
    public List<String> freeNodes(Need.Nodes need, TimeSlot slot) {
        NodeProfile profile = closedProfile(need);
        synchronized (profile) {
            var free = profile.freeThroughout(slot);
            free.and(suiting(profile, need));
            return profile.names(free);
        }
    }

    /** Nodes of which no core is taken at the moment. */
    public int freeNodes() {
        if (alike > 0) {
            long used = takenNow(SOMEWHERE).mapToLong(Taken::cores).sum();
            return (int) Math.max(0, alike - used);
        }
        return (int) nodes.keySet().stream()
                .filter(name -> takenNow(name).noneMatch(span -> span.cores() > 0))
                .count();
    }

    private Stream<Taken> takenNow(String node) {
        return taken.getOrDefault(node, List.of()).stream()
                .filter(span -> !span.from().isAfter(now) && span.to().isAfter(now));
    }

    /**
     * The nodes with every span closed in which they could not serve the need, widened to the grid: as a reservation is
     * booked as the interval of the grid that covers it, this gives the same starts without rounding any.
     */
    private <T> T asked(Need.Nodes need, Function<AvailabilityProfile, T> question) {
        if (alike > 0) {
            return question.apply(countProfile(need));
        }
        NodeProfile profile = closedProfile(need);
        // a profile is not thread-safe, not even for reading
        synchronized (profile) {
            return question.apply(profile.among(suiting(profile, need)));
        }
    }

    /** Needs of the same cores and properties share a profile, as the plan does not change. */
    private NodeProfile closedProfile(Need.Nodes need) {
        if (closedProfiles.size() > MOST_PROFILES) {
            closedProfiles.clear();
        }
        return closedProfiles.computeIfAbsent(new Kind(need.coresPerNode(), need.properties()), kind -> closed(need));
    }

    private NodeProfile closed(Need.Nodes need) {
        var closed = new LinkedHashMap<TimeSlot, List<String>>();
        for (ComputeNode node : nodes.values()) {
            List<Taken> spans = taken.getOrDefault(node.name(), List.of());
            if (suits(node, need) && !spans.isEmpty()) {
                int spare = rules.wholeNodes() ? 0 : node.cores() - need.coresPerNode();
                for (TimeSlot full : full(spans, spare)) {
                    closed.computeIfAbsent(window.covering(full.start(), full.length()), slot -> new ArrayList<>())
                            .add(node.name());
                }
            }
        }
        return new NodeProfile(List.copyOf(nodes.values()), closed);
    }

    private AvailabilityProfile countProfile(Need.Nodes need) {
        var profile = new CountProfile(suiting(need));
        for (Taken span : taken.getOrDefault(SOMEWHERE, List.of())) {
            if (span.cores() > 0) {
                profile.take(span.cores(), window.covering(span.from(), Duration.between(span.from(), span.to())));
            }
        }
        return profile;
    }

    /** When more than the spare cores are taken. */
    private static List<TimeSlot> full(List<Taken> spans, int spare) {
        var changes = new TreeMap<Instant, Long>();
        for (Taken span : spans) {
            changes.merge(span.from(), (long) span.cores(), Long::sum);
            changes.merge(span.to(), -(long) span.cores(), Long::sum);
        }
        var full = new ArrayList<TimeSlot>();
        long sum = 0;
        Instant begun = Instant.EPOCH;
        for (Map.Entry<Instant, Long> change : changes.entrySet()) {
            long before = sum;
            sum += change.getValue();
            if (before <= spare && sum > spare) {
                begun = change.getKey();
            } else if (before > spare && sum <= spare) {
                full.add(new TimeSlot(begun, change.getKey()));
            }
        }
        return full;
    }

    private Instant soonest() {
        return window.ceiling(now.plus(rules.lead()));
    }

    private static String digest(String content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-256.", e);
        }
    }
}
