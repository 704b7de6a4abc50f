package org.metasched.adapter.pbs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.Settings;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.Booking;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.BookingScheduler;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.Held;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;

/**
 * A PBS site. A node of a request is a host, that is a chunk of {@code place=scatter}; its virtual nodes are added up. The
 * request key is in the reservation's name. Measured rules: a reservation may start the very second a job's wall-clock
 * limit ends and the one before it ends; a job without a limit blocks its nodes for good; queued jobs block nothing.
 */
final class PbsScheduler extends BookingScheduler {

    /** A node whose state has any other word cannot be reserved. */
    private static final Set<String> WORKING_STATES =
            Set.of("free", "busy", "job-busy", "job-exclusive", "resv-exclusive", "job-sharing", "sleep");
    /** Running, exiting, suspended, being moved: on nodes. */
    private static final Set<String> PLACED_JOB_STATES = Set.of("R", "E", "S", "U", "T");

    private static final Set<String> QUEUED_JOB_STATES = Set.of("Q", "H", "W");
    private static final Set<String> GIVEN_UP =
            Set.of("RESV_BEING_DELETED", "RESV_DELETED", "RESV_DELETING_JOBS", "RESV_NONE");
    private static final String UNCONFIRMED = "RESV_UNCONFIRMED";

    private final PbsSettings own;
    private final PbsCommands commands;

    PbsScheduler(CommandLineSite site, BookingRules rules, Settings settings) {
        super(site, rules, settings);
        this.own = PbsSettings.from(settings);
        this.commands = new PbsCommands(site, own);
    }

    @Override
    protected SitePlan plan(Need.Nodes need, TimeSlot span) throws LocalSchedulerException {
        return plan();
    }

    private SitePlan plan() throws LocalSchedulerException {
        var rules = new SitePlan.Rules(Duration.ZERO, Duration.ZERO, Duration.ZERO, own.exclusive());
        return PbsPlan.of(commands, at(), rules, PbsScheduler::works, PLACED_JOB_STATES);
    }

    /** DENIED comes with exit 0 like everything else; an UNCONFIRMED one is waited for, and taken back in the end. */
    @Override
    protected void book(Booking booking, SitePlan plan) throws LocalSchedulerException {
        PbsOutput.Submitted answer = commands.submit(booking);
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
        long deadline = System.nanoTime() + own.confirmWithin().toNanos();
        for (long pause = 50; ; pause = Math.min(1000, 2 * pause)) {
            Optional<PbsOutput.Resv> resv = commands.reservation(id);
            if (resv.isEmpty() || GIVEN_UP.contains(resv.get().state())) {
                throw new Refused("Site " + site() + " did not confirm reservation " + id + " and took it back.");
            }
            if (!resv.get().state().equals(UNCONFIRMED)) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                commands.delete(id);
                throw new Refused("Site " + site() + " did not confirm reservation " + id + " within "
                        + own.confirmWithin() + ", and it was given back.");
            }
            pause(pause, id);
        }
    }

    private void pause(long millis, String id) throws Unreachable {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("Site " + site() + ": interrupted while " + id + " was not confirmed yet.", e);
        }
    }

    @Override
    protected List<Held> lookUp(RequestKey key) throws LocalSchedulerException {
        var found = new ArrayList<Held>();
        for (PbsOutput.Resv resv : commands.reservations()) {
            if (resv.name().equals(rules().nameOf(key))) {
                found.add(held(key, resv, nodeTable()));
            }
        }
        return found;
    }

    @Override
    protected Optional<Held> lookUp(ReservationId id) throws LocalSchedulerException {
        if (!PbsOutput.isReservationId(id.value())) {
            return Optional.empty();
        }
        Optional<PbsOutput.Resv> resv = commands.reservation(id.value());
        Optional<RequestKey> key = resv.flatMap(shown -> rules().keyOf(shown.name()));
        return key.isEmpty() ? Optional.empty() : Optional.of(held(key.get(), resv.orElseThrow(), nodeTable()));
    }

    @Override
    protected void release(Held held) throws LocalSchedulerException {
        commands.delete(held.status().reservation().id().value());
    }

    private Held held(RequestKey key, PbsOutput.Resv resv, Map<String, PbsOutput.Vnode> table) {
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
        var status =
                new ReservationStatus(state, reservation, state.isHeld() ? List.copyOf(lost) : List.of(), resv.state());
        return new Held(status, Optional.empty(), !resv.state().equals(UNCONFIRMED));
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
        boolean begun = !now().isBefore(resv.slot().start());
        boolean early = resv.state().equals("RESV_CONFIRMED") || resv.state().equals(UNCONFIRMED);
        return begun && !early ? ReservationState.ACTIVE : ReservationState.RESERVED;
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        List<PbsOutput.Job> jobs = commands.jobs();
        var hosts = new HashSet<String>();
        for (PbsOutput.Vnode vnode : commands.nodes()) {
            if (vnode.cores() > 0) {
                hosts.add(vnode.host());
            }
        }
        return new SiteLoad(
                hosts.size(),
                Math.min(hosts.size(), plan().freeNodes()),
                count(jobs, PLACED_JOB_STATES),
                count(jobs, QUEUED_JOB_STATES));
    }

    private static int count(List<PbsOutput.Job> jobs, Set<String> states) {
        return (int) jobs.stream().filter(job -> states.contains(job.state())).count();
    }

    private Map<String, PbsOutput.Vnode> nodeTable() throws LocalSchedulerException {
        var table = new HashMap<String, PbsOutput.Vnode>();
        commands.nodes().forEach(vnode -> table.put(vnode.name(), vnode));
        return table;
    }

    private static boolean works(PbsOutput.Vnode vnode) {
        return WORKING_STATES.containsAll(vnode.states());
    }
}
