package org.metasched.adapter.pbs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.Settings;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.ChangingScheduler;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.PlanMemo;
import org.metasched.adapter.booking.SchedulerReservation;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.adapter.jobs.JobQueue;

/**
 * A PBS site. A node of a request is a host, as chunks with {@code place=scatter} are spread over hosts; the cores of its virtual nodes are
 * added up. With {@code vscatter} a node is a virtual node. The request key is in the reservation's name.
 *
 * <p>Measured rules: a reservation may start in the second in which a job's wall-clock limit or an earlier reservation ends; a job without a
 * limit blocks its nodes for good; queued jobs block nothing.
 */
final class PbsScheduler extends ChangingScheduler {

    private static final Set<String> GIVEN_UP =
            Set.of("RESV_BEING_DELETED", "RESV_DELETED", "RESV_DELETING_JOBS", "RESV_NONE");
    private static final String UNCONFIRMED = "RESV_UNCONFIRMED";
    private static final String BEING_ALTERED = "RESV_BEING_ALTERED";

    private final PbsSettings pbsSettings;
    private final PbsCommands commands;
    private final PlanMemo plans = new PlanMemo();
    private volatile @Nullable PbsRecords last;

    PbsScheduler(CommandLineSite site, BookingRules rules, Settings settings) {
        super(site, rules, settings);
        this.pbsSettings = PbsSettings.from(settings);
        this.commands = new PbsCommands(site, pbsSettings);
    }

    @Override
    protected SitePlan plan(Need.Nodes need, TimeSlot span) throws LocalSchedulerException {
        PbsRecords records = records();
        return plans.of(List.of(records), span, until -> PbsPlan.of(records, pbsSettings, commandLineSite(), until));
    }

    /** The snapshot that all queries of an interval share. */
    private PbsRecords records() throws LocalSchedulerException {
        return shared().get("records", () -> {
            PbsRecords records = PbsRecords.read(commands, Optional.ofNullable(last), now());
            last = records;
            return records;
        });
    }

    /** Submits a reservation. A denial has exit code 0 too; an unconfirmed reservation is awaited, and deleted at the timeout. */
    @Override
    protected void book(BookingRequest booking, SitePlan plan) throws LocalSchedulerException {
        PbsOutput.Submitted answer = commands.reserve(booking);
        if (answer.verdict().equals("DENIED") || answer.verdict().startsWith("delete")) {
            throw new Refused("Site " + site() + " refused reservation " + booking.key() + " for "
                    + booking.need().count() + " nodes at " + booking.slot().start() + ": pbs_rsub said \""
                    + answer.id() + " " + answer.verdict() + "\".");
        }
        if (!answer.verdict().equals("CONFIRMED")) {
            awaitConfirmation(answer.id());
        }
    }

    private void awaitConfirmation(String id) throws LocalSchedulerException {
        Optional<PbsOutput.Resv> resv = awaitOtherState(UNCONFIRMED, id);
        if (resv.isEmpty() || GIVEN_UP.contains(resv.get().state())) {
            throw new Refused("Site " + site() + " did not confirm reservation " + id + " and took it back.");
        }
        if (resv.get().state().equals(UNCONFIRMED)) {
            commands.delete(id);
            throw new Refused("Site " + site() + " did not confirm reservation " + id + " within "
                    + pbsSettings.confirmWithin() + ", and it was given back.");
        }
    }

    /** The reservation when it has left a state, or at the timeout; empty if PBS does not know it. */
    private Optional<PbsOutput.Resv> awaitOtherState(String state, String id) throws LocalSchedulerException {
        long deadline = System.nanoTime() + pbsSettings.confirmWithin().toNanos();
        for (long pause = 50; ; pause = Math.min(1000, 2 * pause)) {
            Optional<PbsOutput.Resv> resv = commands.reservation(id);
            if (resv.filter(shown -> shown.state().equals(state)).isEmpty() || System.nanoTime() - deadline > 0) {
                return resv;
            }
            pause(Duration.ofMillis(pause), "Site " + site() + ": interrupted while " + id + " was not confirmed yet.");
        }
    }

    /** Present if the settings allow it. They do not by default, since a restart of the server may lose a confirmed change. */
    @Override
    public Optional<ReservationChange> reservationChange() {
        return pbsSettings.changes() ? super.reservationChange() : Optional.empty();
    }

    @Override
    protected void checkChange(Reservation held, Need.Nodes need, TimeSlot slot) throws Refused {
        if (need.count() > held.granted().amount()) {
            throw new Refused("Site " + site() + " cannot change reservation " + held.id() + " of "
                    + held.granted().amount() + " nodes to " + need.count() + ": pbs_ralter adds none.");
        }
    }

    /** Alters a reservation. A denial leaves it unchanged; at the timeout the result is unknown. */
    @Override
    protected void update(Reservation held, Need.Nodes need, TimeSlot slot) throws LocalSchedulerException {
        if (commands.alter(held, need, slot).verdict().equals("DENIED")) {
            throw new Refused("Site " + site() + " refused to change reservation " + held.id() + " to " + need.count()
                    + " nodes from " + slot.start() + " to " + slot.end() + ": pbs_ralter said \"DENIED\".");
        }
        var unused = awaitOtherState(BEING_ALTERED, held.id().value());
    }

    @Override
    protected List<SchedulerReservation> lookUp(RequestKey key) throws LocalSchedulerException {
        var reservations = new ArrayList<SchedulerReservation>();
        for (PbsOutput.Resv resv : commands.reservations()) {
            if (resv.name().equals(rules().nameOf(key))) {
                reservations.add(reservationOf(key, resv, vnodes()));
            }
        }
        return reservations;
    }

    @Override
    protected Optional<SchedulerReservation> lookUp(ReservationId id) throws LocalSchedulerException {
        Optional<PbsOutput.Resv> resv = ours(id);
        return resv.isEmpty()
                ? Optional.empty()
                : Optional.of(reservationOf(rules().keyOf(resv.get().name()).orElseThrow(), resv.get(), vnodes()));
    }

    @Override
    protected Optional<SchedulerReservation> lookUpInSnapshot(ReservationId id) throws LocalSchedulerException {
        PbsRecords records = records();
        for (PbsOutput.Resv resv : records.reservations()) {
            Optional<RequestKey> key = rules().keyOf(resv.name());
            if (resv.id().equals(id.value()) && key.isPresent() && !resv.state().equals(BEING_ALTERED)) {
                return Optional.of(reservationOf(key.get(), resv, records.byName()));
            }
        }
        return Optional.empty();
    }

    @Override
    protected boolean shows(ReservationId id) throws LocalSchedulerException {
        return ours(id).filter(resv -> state(resv).isHeld()).isPresent();
    }

    private Optional<PbsOutput.Resv> ours(ReservationId id) throws LocalSchedulerException {
        return PbsOutput.isReservationId(id.value())
                ? commands.reservation(id.value())
                        .filter(shown -> rules().keyOf(shown.name()).isPresent())
                : Optional.empty();
    }

    @Override
    protected void release(ReservationId id) throws LocalSchedulerException {
        commands.delete(id.value());
    }

    private Map<String, PbsOutput.Vnode> vnodes() throws LocalSchedulerException {
        return shared().get("vnodes", () -> PbsRecords.byName(commands.nodes()));
    }

    /**
     * The status of a reservation; nodes that cannot be read count as lost.
     *
     * @throws Unreachable for a reservation that is being altered: PBS shows the requested values, and may reverse them
     */
    private SchedulerReservation reservationOf(RequestKey key, PbsOutput.Resv resv, Map<String, PbsOutput.Vnode> table)
            throws Unreachable {
        if (resv.state().equals(BEING_ALTERED)) {
            throw new Unreachable(
                    "Site " + site() + " has not decided yet on a change of reservation " + resv.id() + ".");
        }
        var coresOn = new LinkedHashMap<String, Integer>();
        var lost = new TreeSet<String>();
        for (Share share : resv.shares()) {
            PbsOutput.Vnode vnode = table.get(share.node());
            String node = vnode == null ? share.node() : pbsSettings.nodeOf(vnode);
            coresOn.merge(node, share.cores(), Integer::sum);
            if (vnode == null || !PbsRecords.works(vnode)) {
                lost.add(node);
            }
        }
        var perNode = new ArrayList<Share>();
        coresOn.forEach((node, cores) -> perNode.add(new Share(node, cores)));
        Need.Nodes need = PbsOutput.needOf(resv, perNode);
        for (int i = 1; resv.odd().isPresent() && i <= need.count(); i++) {
            lost.add("(node " + i + " of " + need.count() + ")");
        }
        var reservation =
                new Reservation(new ReservationId(resv.id()), key, resv.slot(), need, List.copyOf(coresOn.keySet()));
        ReservationState state = state(resv);
        String detail = resv.odd().map(why -> resv.state() + "; " + why).orElse(resv.state());
        var status = new ReservationStatus(state, reservation, state.isHeld() ? List.copyOf(lost) : List.of(), detail);
        return new SchedulerReservation(status, !resv.state().equals(UNCONFIRMED));
    }

    private ReservationState state(PbsOutput.Resv resv) {
        if (GIVEN_UP.contains(resv.state())) {
            return ReservationState.CANCELLED;
        } else if (resv.state().equals("RESV_FINISHED")) {
            return ReservationState.FINISHED;
        } else if (resv.state().equals("RESV_RUNNING")) {
            return ReservationState.ACTIVE;
        }
        // Other states, such as RESV_DEGRADED and RESV_TIME_TO_RUN, occur before and after the start.
        boolean begun = !now().isBefore(resv.slot().start());
        boolean early = resv.state().equals("RESV_CONFIRMED") || resv.state().equals(UNCONFIRMED);
        return begun && !early ? ReservationState.ACTIVE : ReservationState.RESERVED;
    }

    @Override
    protected Optional<JobQueue> jobQueue() {
        return Optional.of(commands);
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        PbsRecords records = records();
        int nodes = (int) records.vnodes().stream()
                .filter(vnode -> vnode.cores() > 0)
                .map(pbsSettings::nodeOf)
                .distinct()
                .count();
        int free = Math.min(
                nodes,
                PbsPlan.of(records, pbsSettings, commandLineSite(), now()).freeNodes());
        return new SiteLoad(nodes, free, records.running(), records.waiting(), records.remarks());
    }
}
