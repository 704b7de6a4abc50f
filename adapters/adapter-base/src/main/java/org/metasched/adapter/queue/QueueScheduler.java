package org.metasched.adapter.queue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.BookingScheduler;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.SchedulerReservation;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.adapter.jobs.JobQueue;
import org.metasched.adapter.jobs.SiteJobs;
import org.metasched.adapter.queue.ListedRequest.Stage;
import org.metasched.adapter.settings.LayeredSettings;

/**
 * A scheduler whose queue listing is the only source: a reservation is a request with a fixed start, and planned and running requests occupy
 * their nodes. Nodes are interchangeable, and held as a whole; their names are known only if the listing shows them. Thread-safe.
 */
public final class QueueScheduler extends BookingScheduler {

    private final QueueDialect dialect;
    private final QueueCommands commands;
    /** The rules of the plan, which are gaps only. */
    private final SitePlan.Rules gaps;

    private final int nodes;
    private final int coresPerNode;

    private QueueScheduler(CommandLineSite site, QueueDialect dialect, Settings settings) {
        super(site, BookingRules.from(settings, Duration.ofMinutes(1)), settings);
        this.dialect = dialect;
        this.commands = new QueueCommands(site, dialect);
        this.gaps = new SitePlan.Rules(
                settings.notNegativeDuration("gap-after-job", Duration.ZERO),
                settings.notNegativeDuration("gap-between-reservations", Duration.ZERO),
                Duration.ZERO,
                true);
        this.nodes = atLeastOne(settings, "nodes");
        this.coresPerNode = atLeastOne(settings, "cores-per-node");
    }

    /**
     * Makes the scheduler of a site.
     *
     * @param settings the keys beside {@code type}; keys under {@code dialect:} replace the adapter's
     * @param defaults the adapter's settings of the same form, with a complete {@code dialect:}
     */
    public static LocalScheduler open(SiteId site, Settings settings, Settings defaults, Clock clock) {
        settings.allowOnly(BookingScheduler.keysAnd(
                "nodes", "cores-per-node", "gap-after-job", "gap-between-reservations", "dialect", "programs"));
        var layered = new LayeredSettings(settings, defaults);
        Settings usual = defaults.section("dialect").orElseThrow();
        Settings words = settings.section("dialect")
                .<Settings>map(own -> new LayeredSettings(own, usual))
                .orElse(usual);
        var common = CommandLineSite.from(
                site, layered, clock, new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofMinutes(1)));
        return new QueueScheduler(common, QueueDialect.from(words), layered);
    }

    private static int atLeastOne(Settings settings, String key) {
        return settings.number(key, 1, Need.MOST)
                .orElseThrow(() -> settings.invalid(key, "the setting is missing: the scheduler does not tell it"));
    }

    @Override
    protected SitePlan plan(Need.Nodes need, TimeSlot span) throws LocalSchedulerException {
        return plan(requests(), nodeStates());
    }

    /** The listing that all queries of an interval share. */
    private List<ListedRequest> requests() throws LocalSchedulerException {
        return shared().get("requests", commands::requests);
    }

    private Map<String, Boolean> nodeStates() throws LocalSchedulerException {
        return shared().get("nodes", commands::nodeStates);
    }

    /**
     * Running and planned requests take their nodes. With EASY backfilling the first waiting request also has its nodes reserved, from the
     * earliest start that they allow; later ones have no such promise.
     */
    private SitePlan plan(List<ListedRequest> requests, Map<String, Boolean> nodeStates) {
        Instant now = now();
        int working = nodeStates.isEmpty()
                ? nodes
                : (int) nodeStates.values().stream().filter(up -> up).count();
        SitePlan.Builder builder = planBuilder(gaps, now).alike(working, coresPerNode);
        // Our own jobs run in reservations, which are listed too.
        var others = requests.stream()
                .filter(request -> !SiteJobs.isName(request.name()))
                .toList();
        others.forEach(request -> take(builder, request, now));
        Optional<ListedRequest> head = others.stream()
                .filter(request -> request.stage() == Stage.WAITING && request.nodes() <= working)
                .findFirst();
        if (dialect.queueHead() && head.isPresent()) {
            Duration length = head.get().length().orElse(Duration.ofDays(3650));
            builder.build()
                    .earliestStart(new Need.Nodes(head.get().nodes()), length, now)
                    .ifPresent(start ->
                            builder.reservation(Share.unnamed(head.get().nodes()), TimeSlot.of(start, length)));
        }
        return builder.build();
    }

    private static void take(SitePlan.Builder builder, ListedRequest request, Instant now) {
        if (request.stage() == Stage.RUNNING) {
            Instant end = slotOf(request, now).end();
            builder.job(Share.unnamed(request.nodes()), TimeSlot.later(end, now));
        } else if (request.stage() == Stage.PLANNED) {
            builder.reservation(Share.unnamed(request.nodes()), slotOf(request, now));
        }
    }

    private static TimeSlot slotOf(ListedRequest request, Instant now) {
        Instant start = request.start().orElse(now);
        return new TimeSlot(start, request.length().map(start::plus).orElse(SitePlan.NEVER));
    }

    @Override
    protected void book(BookingRequest booking, SitePlan plan) throws LocalSchedulerException {
        commands.reserve(booking);
    }

    @Override
    protected List<SchedulerReservation> lookUp(RequestKey key) throws LocalSchedulerException {
        var reservations = new ArrayList<SchedulerReservation>();
        for (ListedRequest request : commands.requests()) {
            if (request.name().equals(rules().nameOf(key))) {
                reservations.add(reservationOf(key, request));
            }
        }
        return reservations;
    }

    @Override
    protected Optional<SchedulerReservation> lookUp(ReservationId id) throws LocalSchedulerException {
        return find(id, commands.requests());
    }

    @Override
    protected Optional<SchedulerReservation> lookUpInSnapshot(ReservationId id) throws LocalSchedulerException {
        return find(id, requests());
    }

    private Optional<SchedulerReservation> find(ReservationId id, List<ListedRequest> requests)
            throws LocalSchedulerException {
        for (ListedRequest request : requests) {
            Optional<RequestKey> key = rules().keyOf(request.name());
            if (request.id().equals(id.value()) && key.isPresent()) {
                return Optional.of(reservationOf(key.get(), request));
            }
        }
        return Optional.empty();
    }

    @Override
    protected void release(ReservationId id) throws LocalSchedulerException {
        commands.remove(id.value());
    }

    /** Empty if the dialect has no {@code run}: the site runs no programs. */
    @Override
    protected Optional<JobQueue> jobQueue() {
        return dialect.run().words().isEmpty() ? Optional.empty() : Optional.of(commands);
    }

    /** The reservation of a listed request; a waiting one has no start yet, so it is not confirmed. */
    private SchedulerReservation reservationOf(RequestKey key, ListedRequest request) throws LocalSchedulerException {
        var need = new Need.Nodes(request.nodes(), coresPerNode, Collections.emptySortedSet());
        var reservation =
                new Reservation(new ReservationId(request.id()), key, slotOf(request, now()), need, request.hosts());
        ReservationState state = switch (request.stage()) {
            case WAITING, PLANNED -> ReservationState.RESERVED;
            case RUNNING -> ReservationState.ACTIVE;
            case FINISHED -> ReservationState.FINISHED;
            case CANCELLED -> ReservationState.CANCELLED;
        };
        var status = new ReservationStatus(state, reservation, lost(request, state), request.stateWord());
        return new SchedulerReservation(status, request.stage() != Stage.WAITING);
    }

    private List<String> lost(ListedRequest request, ReservationState state) throws LocalSchedulerException {
        if (!state.isHeld() || request.hosts().isEmpty()) {
            return List.of();
        }
        Map<String, Boolean> states = nodeStates();
        return states.isEmpty()
                ? List.of()
                : request.hosts().stream()
                        .filter(host -> !states.getOrDefault(host, false))
                        .toList();
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        List<ListedRequest> requests = requests();
        long running = requests.stream().filter(r -> r.stage() == Stage.RUNNING).count();
        long waiting = requests.stream().filter(r -> r.stage() == Stage.WAITING).count();
        int free = plan(requests, nodeStates()).freeNodes();
        return new SiteLoad(nodes, Math.min(nodes, free), (int) running, (int) waiting);
    }
}
