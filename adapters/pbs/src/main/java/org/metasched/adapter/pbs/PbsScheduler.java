package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;
import org.metasched.adapter.support.CommandLineSite;
import org.metasched.adapter.support.KeyLocks;
import org.metasched.adapter.support.PublishFolder;
import org.metasched.adapter.support.SeenReservations;
import org.metasched.adapter.support.SitePlan;
import org.metasched.adapter.support.SitePlan.Share;

/**
 * A PBS site. A node of a request is a host, that is a chunk of {@code place=scatter}; its virtual nodes are added up. The
 * request key is the reservation's name. Measured rules: a reservation may start the very second a job's wall-clock limit
 * ends and the one before it ends; a job without a limit blocks its nodes for good; queued jobs block nothing.
 */
public final class PbsScheduler implements LocalScheduler, WindowListing, LoadReporting {

    /** A node whose state has any other word cannot be reserved. */
    private static final Set<String> WORKING_STATES =
            Set.of("free", "busy", "job-busy", "job-exclusive", "resv-exclusive", "job-sharing", "sleep");
    /** Running, exiting, suspended, being moved: on nodes. */
    private static final Set<String> PLACED_JOB_STATES = Set.of("R", "E", "S", "U", "T");

    private static final Set<String> GIVEN_UP =
            Set.of("RESV_BEING_DELETED", "RESV_DELETED", "RESV_DELETING_JOBS", "RESV_NONE");

    private final CommandLineSite site;
    private final PbsSettings settings;
    private final PbsCommands commands;
    private final SitePlan.Rules rules;
    private final SeenReservations seen = new SeenReservations();
    private final KeyLocks keys = new KeyLocks();

    PbsScheduler(CommandLineSite site, PbsSettings settings) {
        this.site = site;
        this.settings = settings;
        this.commands = new PbsCommands(site, settings);
        this.rules = new SitePlan.Rules(Duration.ZERO, Duration.ZERO, settings.leadTime(), settings.exclusive());
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
        if (request.need() instanceof Need.Nodes need) {
            return need;
        }
        throw new Refused("Site " + site.id() + " offers nodes only, not " + request.need() + ".");
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
            int hosts = hosts();
            if (need.count() > hosts) {
                throw new Refused("Site " + site.id() + " has " + hosts + " nodes, not " + need.count() + ".");
            }
            return make(key, need, slot, user);
        });
    }

    private int hosts() throws LocalSchedulerException {
        var hosts = new HashSet<String>();
        for (PbsOutput.Vnode vnode : commands.nodes()) {
            if (vnode.cores() > 0) {
                hosts.add(vnode.host());
            }
        }
        return hosts.size();
    }

    private Reservation make(RequestKey key, Need.Nodes need, TimeSlot slot, Optional<String> user)
            throws LocalSchedulerException {
        PbsOutput.Submitted answer = commands.submit(key, need, slot, user);
        String what = "Site " + site.id() + " refused reservation " + key + " for " + need.count() + " nodes at "
                + slot.start() + ": ";
        if (answer.verdict().equals("DENIED")) {
            throw new Refused(what + "pbs_rsub said \"" + answer.id() + " DENIED\"."
                    + "\nMaybe others reserved or a job began since the preview.");
        }
        PbsOutput.Resv resv = confirmed(answer.id())
                .orElseThrow(() -> new Refused(what + "it was not confirmed within " + settings.confirmWithin() + "."));
        Reservation held = seen.note(status(key, resv, nodeTable())).reservation();
        if (!covers(held, key, need, slot)) {
            commands.delete(answer.id());
            seen.cancelled(held.id());
            throw new Refused(what + "PBS made " + held + " instead, which was given back.");
        }
        return held;
    }

    private static boolean covers(Reservation held, RequestKey key, Need.Nodes need, TimeSlot slot) {
        return held.key().equals(key)
                && held.slot().covers(slot)
                && held.granted() instanceof Need.Nodes granted
                && granted.count() >= need.count()
                && granted.coresPerNode() >= need.coresPerNode();
    }

    /** Reads the reservation back until it is confirmed; nothing when the server took it back, or it had to be. */
    private Optional<PbsOutput.Resv> confirmed(String id) throws LocalSchedulerException {
        long deadline = System.nanoTime() + settings.confirmWithin().toNanos();
        long pause = 50;
        while (true) {
            Optional<PbsOutput.Resv> resv = commands.reservation(id);
            if (resv.isEmpty() || GIVEN_UP.contains(resv.get().state())) {
                return Optional.empty();
            }
            if (!resv.get().state().equals("RESV_UNCONFIRMED")
                    && !resv.get().shares().isEmpty()) {
                return resv;
            }
            if (System.nanoTime() > deadline) {
                commands.delete(id);
                return Optional.empty();
            }
            pause(pause, id);
            pause = Math.min(1000, 2 * pause);
        }
    }

    private void pause(long millis, String id) throws Unreachable {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("Site " + site.id() + ": interrupted while " + id + " was not confirmed yet.", e);
        }
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        Optional<ReservationStatus> best = Optional.empty();
        for (PbsOutput.Resv resv : commands.reservations()) {
            if (resv.name().equals(key.value())) {
                ReservationStatus status = seen.note(status(key, resv, nodeTable()));
                if (best.isEmpty() || status.state().isHeld()) {
                    best = Optional.of(status);
                }
            }
        }
        return best;
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        if (PbsOutput.isReservationId(id.value())) {
            commands.delete(id.value());
            seen.cancelled(id);
        }
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        if (!PbsOutput.isReservationId(id.value())) {
            throw new UnknownReservation(site.id(), id);
        }
        Optional<PbsOutput.Resv> resv = commands.reservation(id.value());
        if (resv.isPresent()) {
            RequestKey key = keyOf(resv.get()).orElseThrow(() -> new UnknownReservation(site.id(), id));
            return seen.note(status(key, resv.get(), nodeTable()));
        }
        return seen.gone(id, site.clock().instant()).orElseThrow(() -> new UnknownReservation(site.id(), id));
    }

    /** Reservations that others made by hand have no key, or one that was never handed out. */
    private static Optional<RequestKey> keyOf(PbsOutput.Resv resv) {
        try {
            return Optional.of(new RequestKey(resv.name()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private ReservationStatus status(RequestKey key, PbsOutput.Resv resv, Map<String, PbsOutput.Vnode> table) {
        var coresOn = new LinkedHashMap<String, Integer>();
        var lost = new TreeSet<String>();
        for (Share share : resv.shares()) {
            PbsOutput.Vnode vnode = table.get(share.node());
            String host = vnode == null ? share.node() : vnode.host();
            coresOn.merge(host, share.cores(), Integer::sum);
            if (vnode == null || !works(vnode)) {
                lost.add(host);
            }
        }
        var perHost = new ArrayList<Share>();
        coresOn.forEach((host, cores) -> perHost.add(new Share(host, cores)));
        var reservation = new Reservation(
                new ReservationId(resv.id()),
                key,
                resv.slot(),
                PbsOutput.needOf(resv, perHost),
                List.copyOf(coresOn.keySet()));
        ReservationState state = state(resv);
        return new ReservationStatus(state, reservation, state.isHeld() ? List.copyOf(lost) : List.of(), resv.state());
    }

    private ReservationState state(PbsOutput.Resv resv) {
        if (GIVEN_UP.contains(resv.state())) {
            return ReservationState.CANCELLED;
        } else if (resv.state().equals("RESV_FINISHED")) {
            return ReservationState.FINISHED;
        } else if (resv.state().equals("RESV_RUNNING")) {
            return ReservationState.ACTIVE;
        }
        // Degraded, being altered, time to run: the word does not say on which side of its start it is.
        boolean begun = !site.clock().instant().isBefore(resv.slot().start());
        boolean early = resv.state().equals("RESV_CONFIRMED") || resv.state().equals("RESV_UNCONFIRMED");
        return begun && !early ? ReservationState.ACTIVE : ReservationState.RESERVED;
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        List<PbsOutput.Job> jobs = commands.jobs();
        long running = jobs.stream()
                .filter(job -> PLACED_JOB_STATES.contains(job.state()))
                .count();
        long queued = jobs.stream()
                .filter(job -> job.state().equals("Q")
                        || job.state().equals("H")
                        || job.state().equals("W"))
                .count();
        return new SiteLoad(hosts(), plan().freeNodes(), (int) running, (int) queued);
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
        return settings.publishFolder().map(folder -> new PublishFolder(site.runner(), folder));
    }

    private Map<String, PbsOutput.Vnode> nodeTable() throws LocalSchedulerException {
        var table = new HashMap<String, PbsOutput.Vnode>();
        commands.nodes().forEach(vnode -> table.put(vnode.name(), vnode));
        return table;
    }

    private static boolean works(PbsOutput.Vnode vnode) {
        return WORKING_STATES.containsAll(vnode.states());
    }

    private SitePlan plan() throws LocalSchedulerException {
        return PbsPlan.of(commands, site, rules, PbsScheduler::works, PLACED_JOB_STATES);
    }
}
