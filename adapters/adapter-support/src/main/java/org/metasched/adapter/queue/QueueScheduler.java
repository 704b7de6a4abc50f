package org.metasched.adapter.queue;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;
import org.metasched.adapter.queue.ListedRequest.Stage;
import org.metasched.adapter.support.CommandLineSite;
import org.metasched.adapter.support.KeyLocks;
import org.metasched.adapter.support.LayeredSettings;
import org.metasched.adapter.support.PublishFolder;
import org.metasched.adapter.support.SeenReservations;
import org.metasched.adapter.support.SitePlan;

/**
 * A site whose scheduler is known by its listing: a reservation is a request with a fixed start, named by the request key,
 * and what is planned or runs takes its nodes away. Nodes are alike; which ones a request gets is known when the listing
 * says so. Thread-safe.
 */
public final class QueueScheduler implements LocalScheduler, WindowListing, LoadReporting {

    private final CommandLineSite site;
    private final QueueDialect dialect;
    private final QueueCommands commands;
    private final SitePlan.Rules rules;
    private final int nodes;
    private final int coresPerNode;
    private final Optional<String> publishFolder;
    private final SeenReservations seen = new SeenReservations();
    private final KeyLocks keys = new KeyLocks();

    private QueueScheduler(CommandLineSite site, QueueDialect dialect, Settings settings) {
        this.site = site;
        this.dialect = dialect;
        this.commands = new QueueCommands(site, dialect);
        this.rules = new SitePlan.Rules(
                nonNegative(settings, "gap-after-job"),
                nonNegative(settings, "gap-between-reservations"),
                nonNegative(settings, "lead-time"),
                true);
        this.nodes = atLeastOne(settings, "nodes");
        this.coresPerNode = atLeastOne(settings, "cores-per-node");
        this.publishFolder = settings.text("publish-folder");
        publishFolder.filter(path -> !path.startsWith("/")).ifPresent(path -> {
            throw settings.invalid("publish-folder", "expected an absolute path, not (" + path + ")");
        });
    }

    /**
     * @param settings the keys beside {@code type}, those of {@code dialect:} over the adapter's
     * @param defaults of the same form, with a whole {@code dialect:}
     */
    public static QueueScheduler open(SiteId site, Settings settings, Settings defaults, java.time.Clock clock) {
        settings.allowOnly(CommandLineSite.keysAnd(
                "nodes",
                "cores-per-node",
                "gap-after-job",
                "gap-between-reservations",
                "lead-time",
                "publish-folder",
                "dialect"));
        var layered = new LayeredSettings(settings, defaults);
        Settings usual = defaults.section("dialect").orElseThrow();
        Settings words = settings.section("dialect")
                .<Settings>map(own -> new LayeredSettings(own, usual))
                .orElse(usual);
        var common = CommandLineSite.from(
                site, layered, clock, new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofMinutes(1)));
        return new QueueScheduler(common, QueueDialect.from(words), layered);
    }

    private static Duration nonNegative(Settings settings, String key) {
        Duration gap = settings.duration(key).orElse(Duration.ZERO);
        if (gap.isNegative()) {
            throw settings.invalid(key, "expected no negative duration, not (" + gap + ")");
        }
        return gap;
    }

    private static int atLeastOne(Settings settings, String key) {
        int number = settings.number(key)
                .orElseThrow(() -> settings.invalid(key, "the setting is missing: the scheduler does not tell it"));
        if (number < 1 || number > Need.MOST) {
            throw settings.invalid(key, "expected from 1 to " + Need.MOST + ", not (" + number + ")");
        }
        return number;
    }

    @Override
    public SiteId site() {
        return site.id();
    }

    @Override
    public PreviewWindow previewWindow() {
        return site.preview();
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        Need.Nodes need = nodes(request);
        return plan().earliestStart(need, request.duration(), notBefore);
    }

    @Override
    public FreeWindows freeWindows(ResourceRequest request, TimeSlot within) throws LocalSchedulerException {
        Need.Nodes need = nodes(request);
        return plan().freeWindows(need, request.duration(), within);
    }

    private Need.Nodes nodes(ResourceRequest request) throws LocalSchedulerException {
        site.users().userOf(request.requester());
        if (request.need() instanceof Need.Nodes need && need.properties().isEmpty()) {
            return need;
        }
        throw new Refused("Site " + site.id() + " offers alike nodes only, not " + request.need() + ".");
    }

    /**
     * Running and planned requests take their nodes. With EASY backfilling the first one that waits has the earliest start
     * that they leave, which nobody may delay; the others have no such promise.
     */
    private SitePlan plan() throws LocalSchedulerException {
        List<ListedRequest> requests = commands.requests();
        int working = working(commands.nodeStates());
        Instant now = site.clock().instant();
        SitePlan.Builder builder =
                SitePlan.builder(site.preview(), rules, site.times(), now).alike(working, coresPerNode);
        requests.forEach(request -> take(builder, request, now));
        Optional<ListedRequest> head = requests.stream()
                .filter(request -> request.stage() == Stage.WAITING && request.nodes() <= working)
                .findFirst();
        if (dialect.queueHead() && head.isPresent()) {
            Duration length = head.get().length().orElse(Duration.ofDays(3650));
            builder.build()
                    .earliestStart(new Need.Nodes(head.get().nodes()), length, now)
                    .ifPresent(start -> builder.reservationSomewhere(head.get().nodes(), TimeSlot.of(start, length)));
        }
        return builder.build();
    }

    private static void take(SitePlan.Builder builder, ListedRequest request, Instant now) {
        if (request.stage() == Stage.RUNNING) {
            Instant end = endOf(request);
            builder.jobSomewhere(request.nodes(), end.isBefore(now) ? now : end);
        } else if (request.stage() == Stage.PLANNED) {
            Instant start = request.start().orElse(now);
            Instant end = endOf(request);
            builder.reservationSomewhere(request.nodes(), new TimeSlot(start, end));
        }
    }

    private static Instant endOf(ListedRequest request) {
        return request.length().isEmpty() || request.start().isEmpty()
                ? SitePlan.NEVER
                : request.start().get().plus(request.length().get());
    }

    private int working(Map<String, Boolean> states) {
        return states.isEmpty()
                ? nodes
                : (int) states.values().stream().filter(up -> up).count();
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        Need.Nodes need = nodes(request);
        Optional<String> user = site.users().userOf(request.requester());
        TimeSlot slot = site.preview().booked(start, request.duration());
        return keys.alone(key, () -> {
            Optional<ReservationStatus> known = find(key);
            if (known.isPresent() && known.get().state().isHeld()) {
                return known.get().reservation();
            }
            if (need.count() > nodes || need.coresPerNode() > coresPerNode) {
                throw new Refused("Site " + site.id() + " has " + nodes + " nodes of " + coresPerNode + " cores, not "
                        + need.count() + " of " + need.coresPerNode() + ".");
            }
            if (slot.start().isBefore(site.clock().instant())) {
                throw new Refused("Site " + site.id() + " cannot reserve from " + slot.start() + ", which has passed.");
            }
            return make(key, need, slot, user);
        });
    }

    private Reservation make(RequestKey key, Need.Nodes need, TimeSlot slot, Optional<String> user)
            throws LocalSchedulerException {
        String id = commands.submit(key, need, slot, user);
        ListedRequest listed = listed(id)
                .orElseThrow(() -> new Unreachable(
                        "Site " + site.id() + " answered with the request " + id + " and then did not list it."));
        boolean covers = listed.name().equals(key.value())
                && (listed.stage() == Stage.PLANNED || listed.stage() == Stage.RUNNING)
                && listed.nodes() >= need.count()
                && slotOf(listed).covers(slot);
        if (!covers) {
            commands.remove(id);
            throw new Refused("Site " + site.id() + " refused reservation " + key + " for " + need.count()
                    + " nodes at " + slot.start() + ": it made " + listed + " instead, which was given back.");
        }
        return look(key, listed).reservation();
    }

    private Optional<ListedRequest> listed(String id) throws LocalSchedulerException {
        return commands.requests().stream()
                .filter(request -> request.id().equals(id))
                .findFirst();
    }

    private TimeSlot slotOf(ListedRequest listed) {
        Instant start = listed.start().orElse(site.clock().instant());
        return new TimeSlot(start, listed.length().map(start::plus).orElse(SitePlan.NEVER));
    }

    private ReservationStatus status(RequestKey key, ListedRequest listed, Map<String, Boolean> nodeStates) {
        var need = new Need.Nodes(listed.nodes(), coresPerNode, Collections.emptySortedSet());
        var reservation = new Reservation(new ReservationId(listed.id()), key, slotOf(listed), need, listed.hosts());
        ReservationState state = switch (listed.stage()) {
            case WAITING, PLANNED -> ReservationState.RESERVED;
            case RUNNING -> ReservationState.ACTIVE;
            case FINISHED -> ReservationState.FINISHED;
            case CANCELLED -> ReservationState.CANCELLED;
        };
        List<String> lost = nodeStates.isEmpty() || !state.isHeld()
                ? List.of()
                : listed.hosts().stream()
                        .filter(host -> !nodeStates.getOrDefault(host, false))
                        .toList();
        return new ReservationStatus(state, reservation, lost, listed.stateWord());
    }

    /** The listing has no cores: whole nodes are held. */
    private ReservationStatus look(RequestKey key, ListedRequest listed) throws LocalSchedulerException {
        return seen.note(status(key, listed, commands.nodeStates()));
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        Optional<ReservationStatus> best = Optional.empty();
        for (ListedRequest listed : commands.requests()) {
            if (listed.name().equals(key.value()) && listed.stage() != Stage.WAITING) {
                ReservationStatus status = look(key, listed);
                if (best.isEmpty() || status.state().isHeld()) {
                    best = Optional.of(status);
                }
            }
        }
        return best;
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        if (QueueOutput.isId(id.value())) {
            commands.remove(id.value());
            seen.cancelled(id);
        }
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        Optional<ListedRequest> listed = QueueOutput.isId(id.value()) ? listed(id.value()) : Optional.empty();
        if (listed.isPresent()) {
            return look(keyOf(listed.get(), id), listed.get());
        }
        return seen.gone(id, site.clock().instant()).orElseThrow(() -> new UnknownReservation(site.id(), id));
    }

    private RequestKey keyOf(ListedRequest listed, ReservationId id) throws UnknownReservation {
        try {
            return new RequestKey(listed.name());
        } catch (IllegalArgumentException e) {
            throw new UnknownReservation(site.id(), id);
        }
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        List<ListedRequest> requests = commands.requests();
        long running = requests.stream().filter(r -> r.stage() == Stage.RUNNING).count();
        long waiting = requests.stream().filter(r -> r.stage() == Stage.WAITING).count();
        return new SiteLoad(nodes, Math.min(nodes, plan().freeNodes()), (int) running, (int) waiting);
    }

    @Override
    public Optional<WindowListing> windowListing() {
        return Optional.of(this);
    }

    @Override
    public Optional<LoadReporting> loadReporting() {
        return Optional.of(this);
    }

    @Override
    public Optional<RuntimeSupport> runtimeSupport() {
        return publishFolder.map(folder -> new PublishFolder(site.runner(), folder));
    }
}
