package org.metasched.adapter.slurm;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
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
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.ChangingScheduler;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.PlanMemo;
import org.metasched.adapter.booking.SchedulerReservation;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.adapter.jobs.JobQueue;
import org.metasched.adapter.slurm.SlurmOutput.JobLine;
import org.metasched.adapter.slurm.SlurmOutput.NodeLine;
import org.metasched.adapter.slurm.SlurmOutput.Table;

/**
 * Whole nodes of one Slurm partition, in Slurm's advance reservations. The reservation's name is its id
 * and holds the request key.
 *
 * <p>The adapter itself computes which starts fit, by the rule that slurmctld 22.05 was seen to follow: a node can be reserved for
 * {@code [s, e)} when it is in service, no reservation overlaps, and every job on it has its time limit before {@code s};
 * waiting jobs do not count. {@code sbatch --test-only} is not asked, because it answers another question (it knows one
 * job's view, not the reservation rule) and can be minutes off.
 */
final class SlurmScheduler extends ChangingScheduler {

    /** A job whose limit is at E leaves its node free for a reservation from E + 1 s; reservations may touch. */
    private static final SitePlan.Rules RULES =
            new SitePlan.Rules(Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO, true);

    /**
     * Time from the end of a slot to the end of its reservation, at a site that runs programs. A job begins some seconds after its
     * reservation, its limit is in whole minutes, and slurmctld begins no job whose limit reaches into the next reservation of a node.
     */
    private static final Duration MARGIN_OF_JOBS = Duration.ofSeconds(90);

    private static final Pattern FEATURE = Pattern.compile("[A-Za-z0-9_.:/=-]{1,64}");
    private static final Pattern RESERVATION_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");
    private static final Duration BETWEEN_DELETIONS = Duration.ofMillis(300);

    private final SlurmOperations slurm;
    private final String usersWithoutMapping;
    private final Duration margin;
    private final PlanMemo plans = new PlanMemo();

    SlurmScheduler(
            CommandLineSite site, BookingRules rules, Settings settings, SlurmOperations slurm, List<String> users) {
        super(site, rules, settings);
        this.slurm = slurm;
        this.usersWithoutMapping = String.join(",", users);
        this.margin = settings.section("programs").isPresent() ? MARGIN_OF_JOBS : Duration.ZERO;
    }

    @Override
    protected SitePlan plan(Need.Nodes need, TimeSlot span) throws LocalSchedulerException {
        SlurmReservations reservations = slurm.reservations();
        Table<JobLine> jobs = slurm.jobsOnNodes();
        Table<NodeLine> nodes = slurm.nodes();
        return plans.of(
                List.of(reservations, jobs, nodes),
                span,
                until -> plan(reservations, jobs.rows(), nodes.rows(), until));
    }

    private SitePlan plan(SlurmReservations reservations, List<JobLine> jobs, List<NodeLine> nodes, Instant until) {
        Instant now = now();
        var plan = planBuilder(RULES, now);
        nodes.stream().filter(NodeLine::usable).map(NodeLine::node).forEach(plan::node);
        for (JobLine job : jobs) {
            // A job past its limit is about to end, but still holds its nodes.
            Instant end = job.end().orElse(SitePlan.NEVER);
            plan.job(Share.whole(job.nodes()), TimeSlot.later(end, now));
        }
        for (SlurmReservations.SlurmReservation reservation : reservations.readable()) {
            for (TimeSlot slot :
                    reservation.slots(until, commandLineSite().times().zone())) {
                plan.reservation(Share.whole(reservation.nodes()), withMargin(slot));
            }
        }
        for (SlurmReservations.Odd odd : reservations.odd()) {
            plan.reservation(Share.whole(odd.nodes()), withMargin(odd.slot()));
        }
        return plan.build();
    }

    /** The time with a margin before it, since an earlier reservation lasts a margin longer than its own slot. */
    private TimeSlot withMargin(TimeSlot taken) {
        return new TimeSlot(taken.start().minus(margin), taken.end());
    }

    @Override
    protected void book(BookingRequest booking, SitePlan plan) throws LocalSchedulerException {
        Need.Nodes need = booking.need();
        String users = booking.accessList().orElse(usersWithoutMapping);
        if (users.isEmpty()) {
            throw new Misconfigured(
                    "Site " + site() + ": the account of this program has no name, so 'users' of the site's"
                            + " settings must name who may use its reservations.");
        }
        if (!need.properties().stream().allMatch(FEATURE.asMatchPredicate())) {
            throw new Refused("Site " + site() + ": the properties " + need.properties()
                    + " are not words that can be Slurm features.");
        }
        // Features= cannot ask for cores: where some nodes with the features have too few, the nodes are named.
        boolean namesNodes = plan.suiting(new Need.Nodes(need.count(), 1, need.properties())) > plan.suiting(need);
        // slurmctld accepts a NodeCnt that reaches the size of the partition, and reserves only the free nodes.
        boolean mayBeCut = need.count() >= plan.suiting(new Need.Nodes(1));
        List<String> free = namesNodes || mayBeCut ? plan.freeNodes(need, booking.slot()) : List.of();
        if ((namesNodes || mayBeCut) && free.size() < need.count()) {
            throw new Refused("Site " + site() + " has only " + free.size() + " of " + need.count()
                    + " such nodes free from " + booking.slot().start() + " to "
                    + booking.slot().end() + ".");
        }
        List<String> named = namesNodes ? free.subList(0, need.count()) : List.of();
        slurm.create(booking, users, named, margin);
    }

    /** Refuses more nodes than are free: slurmctld would accept them and add fewer. */
    @Override
    protected void checkChange(Reservation held, Need.Nodes need, TimeSlot slot) throws LocalSchedulerException {
        int more = need.count() - held.granted().amount();
        int free = more > 0 ? plan(need, slot).freeNodes(need, slot).size() : 0;
        if (free < more) {
            throw new Refused("Site " + site() + " has " + free + " of " + more + " more such nodes free from "
                    + slot.start() + " to " + slot.end() + ".");
        }
    }

    @Override
    protected void update(Reservation held, Need.Nodes need, TimeSlot slot) throws LocalSchedulerException {
        slurm.update(
                held.id(),
                Optional.of(need.count())
                        .filter(nodes -> nodes != held.granted().amount()),
                Optional.of(slot.start())
                        .filter(start -> !start.equals(held.slot().start())),
                Optional.of(slot.end())
                        .filter(end -> !end.equals(held.slot().end()))
                        .map(end -> end.plus(margin)));
    }

    @Override
    protected List<SchedulerReservation> lookUp(RequestKey key) throws LocalSchedulerException {
        return lookUp(new ReservationId(rules().nameOf(key))).stream().toList();
    }

    @Override
    protected Optional<SchedulerReservation> lookUp(ReservationId id) throws LocalSchedulerException {
        return isOurs(id) ? heldIn(slurm.reservation(id.value()), id) : Optional.empty();
    }

    @Override
    protected Optional<SchedulerReservation> lookUpInSnapshot(ReservationId id) throws LocalSchedulerException {
        SlurmReservations shown = slurm.reservations();
        boolean odd = shown.odd().stream().anyMatch(record -> record.name().equals(id.value()));
        return odd || !isOurs(id) ? Optional.empty() : heldIn(shown, id);
    }

    @Override
    protected boolean shows(ReservationId id) throws LocalSchedulerException {
        if (!isOurs(id)) {
            return false;
        }
        SlurmReservations shown = slurm.reservation(id.value());
        return !shown.odd().isEmpty() || shown.readable().stream().anyMatch(record -> now().isBefore(record.end()));
    }

    private boolean isOurs(ReservationId id) {
        return rules().keyOf(id.value()).isPresent()
                && RESERVATION_NAME.matcher(id.value()).matches();
    }

    private Optional<SchedulerReservation> heldIn(SlurmReservations shown, ReservationId id)
            throws LocalSchedulerException {
        SlurmReservations named = shown.only(id.value());
        if (!named.odd().isEmpty()) {
            throw new Unreachable("Site " + site() + ": " + named.odd().get(0).why());
        }
        RequestKey key = rules().keyOf(id.value()).orElseThrow();
        return named.readable().isEmpty()
                ? Optional.empty()
                : Optional.of(translate(key, named.readable().get(0)));
    }

    /**
     * The status of a reservation. Slurm removes a lost node from the list of nodes and keeps their count, so a lost node may have no name.
     */
    private SchedulerReservation translate(RequestKey key, SlurmReservations.SlurmReservation record)
            throws LocalSchedulerException {
        var lost = new ArrayList<String>();
        Map<String, NodeLine> byName = byName();
        int cores = Integer.MAX_VALUE;
        for (String name : record.nodes()) {
            NodeLine node = byName.get(name);
            if (node == null || !node.usable() || (record.active() && node.inMaintenance())) {
                lost.add(name);
            }
            cores = node == null ? cores : Math.min(cores, node.node().cores());
        }
        for (int missing = record.nodes().size() + 1; missing <= record.wanted(); missing++) {
            lost.add("(node " + missing + " of " + record.wanted() + ")");
        }
        var granted = new Need.Nodes(
                Math.max(1, record.wanted()),
                cores == Integer.MAX_VALUE ? 1 : Math.max(1, cores),
                features(record, byName));
        Instant slotEnd = record.end().minus(margin);
        Instant end = slotEnd.isAfter(record.start()) ? slotEnd : record.end();
        var reservation = new Reservation(
                new ReservationId(record.name()), key, new TimeSlot(record.start(), end), granted, record.nodes());
        String detail = lost.isEmpty() ? "" : "Nodes out of service: " + String.join(", ", lost);
        // slurmctld shows a reservation as ACTIVE for up to half a minute after its end.
        var state = !now().isBefore(end)
                ? ReservationState.FINISHED
                : record.active() ? ReservationState.ACTIVE : ReservationState.RESERVED;
        return new SchedulerReservation(new ReservationStatus(state, reservation, lost, detail));
    }

    /** The features of a reservation; one of named nodes has those that all its nodes have. */
    private static SortedSet<String> features(SlurmReservations.SlurmReservation record, Map<String, NodeLine> byName) {
        var features = new TreeSet<>(record.features());
        if (record.named()) {
            var ofNodes = record.nodes().stream()
                    .flatMap(name -> Stream.ofNullable(byName.get(name)))
                    .map(node -> node.node().properties())
                    .toList();
            ofNodes.forEach(features::addAll);
            ofNodes.forEach(features::retainAll);
        }
        return features;
    }

    private Map<String, NodeLine> byName() throws LocalSchedulerException {
        return shared().get("nodes by name", () -> {
            var byName = new HashMap<String, NodeLine>();
            slurm.nodes().rows().forEach(node -> byName.putIfAbsent(node.node().name(), node));
            return byName;
        });
    }

    @Override
    protected void release(ReservationId id) throws LocalSchedulerException {
        String name = id.value();
        long deadline = System.nanoTime() + rules().cancelTimeout().toNanos();
        while (!slurm.delete(name)) {
            if (System.nanoTime() - deadline > 0) {
                throw new Unreachable("Site " + site() + " keeps reservation " + name
                        + " because jobs are still in it after " + rules().cancelTimeout() + ".");
            }
            slurm.cancelJobsIn(name);
            pause(BETWEEN_DELETIONS, "Interrupted while giving up reservation " + name + ".");
        }
    }

    @Override
    protected Optional<JobQueue> jobQueue() {
        return Optional.of(slurm);
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        Instant now = now();
        int free =
                plan(new Need.Nodes(1), new TimeSlot(now, now.plusSeconds(1))).freeNodes();
        List<JobLine> jobs = slurm.jobsOfPartition().rows();
        int waiting = (int) jobs.stream().filter(JobLine::waits).count();
        return new SiteLoad(slurm.nodes().rows().size(), free, jobs.size() - waiting, waiting, remarks());
    }

    /** Remarks about records that cannot be read, and about reservations of any owner that lack nodes. */
    private List<String> remarks() throws LocalSchedulerException {
        var remarks = new ArrayList<String>();
        SlurmReservations reservations = slurm.reservations();
        reservations.odd().forEach(odd -> remarks.add(odd.why()));
        for (SlurmReservations.SlurmReservation record : reservations.readable()) {
            if (record.nodes().size() < record.wanted()) {
                remarks.add("Reservation " + DisplayText.of(record.name()) + " has "
                        + record.nodes().size() + " of " + record.wanted() + " nodes.");
            }
        }
        remarks.addAll(slurm.jobsOnNodes().odd());
        remarks.addAll(slurm.nodes().odd());
        return remarks;
    }
}
