package org.metasched.adapter.oar;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.Settings;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.BookingScheduler;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.PlanMemo;
import org.metasched.adapter.booking.SchedulerReservation;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.adapter.jobs.JobQueue;
import org.metasched.adapter.jobs.JobSettings;
import org.metasched.adapter.oar.OarOutput.Job;
import org.metasched.adapter.oar.OarOutput.NodeLine;
import org.metasched.adapter.oar.OarOutput.Planned;

/**
 * Reserves whole nodes of an OAR cluster. A reservation is a job with a fixed start, of type {@code container} so that other jobs can run
 * inside it; its job number is the id and its name holds the request key.
 *
 * <p>Which starts fit is computed from OAR's own Gantt chart: a node is free between running jobs and confirmed reservations, with the job
 * security time before and a second more than that after each. Waiting jobs are planned around reservations, so they do not count. A refusal
 * of OAR names the first start that OAR would grant; the adapter passes that start on.
 */
final class OarScheduler extends BookingScheduler {

    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,12}");
    private static final Pattern PROPERTY = Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,63})=([A-Za-z0-9_.:/ -]{1,128})");

    /** Interval at which OAR's scheduler runs by itself. */
    private static final Duration CYCLE = Duration.ofMinutes(1);

    private final OarCommands commands;
    private final List<String> wake;
    /** Instant at which OAR was woken last, or will be woken. */
    private final AtomicReference<Instant> woken = new AtomicReference<>(Instant.EPOCH);

    private final Duration gapBefore;
    private final Duration gapAfter;

    /** @param securityTime OAR's SCHEDULER_JOB_SECURITY_TIME, kept free after every job */
    OarScheduler(
            CommandLineSite site, BookingRules rules, Settings settings, List<String> become, Duration securityTime) {
        super(site, rules, settings);
        this.wake = settings.texts("wake");
        this.commands = new OarCommands(
                site.runner(),
                site.times(),
                rules,
                settings.section("programs").map(JobSettings::from).map(JobSettings::folder),
                become);
        this.gapBefore = securityTime;
        this.gapAfter = securityTime.plusSeconds(1);
    }

    @Override
    protected SitePlan plan(Need.Nodes need, TimeSlot span) throws LocalSchedulerException {
        Instant now = now();
        Instant until = PlanMemo.endOfDay(span.end());
        List<Planned> jobs = shared().get(List.of("gantt", until), () -> commands.gantt(new TimeSlot(now, until)));
        Set<Long> promised = shared().get("promised", commands::promised);
        var plan = planBuilder(new SitePlan.Rules(gapAfter, Duration.ZERO, Duration.ZERO, true), now);
        nodes().stream().filter(NodeLine::usable).map(NodeLine::node).forEach(plan::node);
        for (Planned job : jobs) {
            var nodes = Share.whole(new TreeSet<>(job.nodes()));
            if (!job.waits()) {
                plan.job(nodes, TimeSlot.later(job.stop(), now));
            } else if (promised.contains(job.id()) || job.state().equals(OarOutput.UNACKNOWLEDGED)) {
                // The gaps before and after a reservation differ, which Rules cannot say: they are added to its slot.
                var slot = new TimeSlot(job.start().minus(gapBefore), job.stop().plus(gapAfter));
                plan.reservation(nodes, slot);
            }
        }
        return plan.build();
    }

    private List<NodeLine> nodes() throws LocalSchedulerException {
        return shared().get("nodes", commands::nodes);
    }

    @Override
    protected List<String> users(ResourceRequest request) throws LocalSchedulerException {
        List<String> users = super.users(request);
        if (users.size() > 1) {
            throw new Refused(
                    "Site " + site() + ": OAR lets one user into a reservation, and these are " + users + ".");
        }
        return users;
    }

    @Override
    protected void book(BookingRequest booking, SitePlan plan) throws LocalSchedulerException {
        Need.Nodes need = booking.need();
        var clauses = new ArrayList<String>();
        for (String property : need.properties()) {
            clauses.add(clause(property));
        }
        // nodes=N does not ask for cores: where some nodes with the properties have too few, the nodes are named.
        if (plan.suiting(new Need.Nodes(need.count(), 1, need.properties())) > plan.suiting(need)) {
            List<String> free = plan.freeNodes(need, booking.slot());
            if (free.isEmpty()) {
                throw new Refused("Site " + site() + " has no node with at least " + need.coresPerNode()
                        + " cores free from " + booking.slot().start() + ".");
            }
            clauses.add("network_address IN ('" + String.join("','", free) + "')");
        }
        commands.reserve(booking, String.join(" AND ", clauses));
    }

    /** A property becomes part of an SQL clause, so only the plain form name=value is let through. */
    private String clause(String property) throws Refused {
        var matcher = PROPERTY.matcher(property);
        if (!matcher.matches()) {
            throw new Refused("Site " + site() + ": the property (" + property
                    + ") is not of the form name=value, as in speed=fast.");
        }
        return matcher.group(1) + "='" + matcher.group(2) + "'";
    }

    @Override
    protected List<SchedulerReservation> lookUp(RequestKey key) throws LocalSchedulerException {
        var reservations = new ArrayList<SchedulerReservation>();
        for (Job job : commands.jobsNamed(rules().nameOf(key))) {
            reservationOf(job).ifPresent(reservations::add);
        }
        return reservations;
    }

    @Override
    protected Optional<SchedulerReservation> lookUp(ReservationId id) throws LocalSchedulerException {
        Optional<Job> job = ourJob(id);
        return job.isPresent() ? reservationOf(job.get()) : Optional.empty();
    }

    @Override
    protected Optional<SchedulerReservation> lookUpInSnapshot(ReservationId id) throws LocalSchedulerException {
        List<Job> shown;
        try {
            shown = shared().get("ours", commands::ours);
        } catch (Unreachable odd) {
            // A record that cannot be read must not hide the others: the caller then looks up each by itself.
            return Optional.empty();
        }
        Optional<Job> job = shown.stream()
                .filter(ours -> Long.toString(ours.id()).equals(id.value()))
                .findFirst();
        return job.isPresent() ? reservationOf(job.get()) : Optional.empty();
    }

    /** The reservation of a job; empty for an ordinary job, for the reservation of another user, and for one that OAR refused. */
    private Optional<SchedulerReservation> reservationOf(Job job) throws Unreachable {
        Optional<RequestKey> key = rules().keyOf(job.name());
        if (key.isEmpty() || !job.isReservation() || job.wasRefused()) {
            return Optional.empty();
        }
        if (job.waits()) {
            wakeAt(job.start());
        }
        int count = job.isOver() ? job.nodes().wanted() : job.nodes().cores().size();
        if (count == 0 || job.walltime().isZero()) {
            throw new Unreachable("Site " + site() + " shows reservation " + job.id() + " (" + job.state()
                    + ") without nodes or without a length.");
        }
        int cores = job.nodes().cores().values().stream()
                .mapToInt(Integer::intValue)
                .min()
                .orElse(1);
        var granted = new Need.Nodes(count, cores, new TreeSet<>(job.properties()));
        var reservation = new Reservation(
                new ReservationId(String.valueOf(job.id())),
                key.get(),
                TimeSlot.of(job.start(), job.walltime()),
                granted,
                List.copyOf(job.nodes().cores().keySet()));
        List<String> lost = job.isOver() ? List.of() : job.nodes().lost();
        var status = new ReservationStatus(stateOf(job), reservation, lost, job.isConfirmed() ? "" : job.message());
        return Optional.of(new SchedulerReservation(status, job.isConfirmed()));
    }

    /** Plans to wake OAR at a start, since OAR begins a reservation only when its scheduler runs. */
    private void wakeAt(Instant start) {
        Instant now = now();
        Instant due = start.isAfter(now) ? start : now.plusSeconds(1);
        Instant last = Objects.requireNonNull(woken.get());
        // A planned wake before this start is enough: after it, the next look at this reservation plans another.
        boolean isPlanned = last.isAfter(now) && !last.isAfter(due);
        if (!wake.isEmpty() && !isPlanned && due.isBefore(now.plus(CYCLE)) && woken.compareAndSet(last, due)) {
            CompletableFuture.delayedExecutor(Duration.between(now, due).toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> commands.wake(wake));
        }
    }

    /** The state of a job. OAR's state Error stands for a cancelled reservation, and also for one that ended with its walltime. */
    private static ReservationState stateOf(Job job) {
        if (job.state().equals("Terminated")) {
            return ReservationState.FINISHED;
        } else if (job.state().equals("Error")) {
            Instant end = job.start().plus(job.walltime());
            // A few seconds early, since OAR notes the end of a job before the walltime is quite over.
            boolean untilEnd = job.stop()
                    .filter(stop -> !stop.isBefore(end.minusSeconds(5)))
                    .isPresent();
            return untilEnd ? ReservationState.FINISHED : ReservationState.CANCELLED;
        }
        return job.waits() ? ReservationState.RESERVED : ReservationState.ACTIVE;
    }

    @Override
    protected boolean shows(ReservationId id) throws LocalSchedulerException {
        return ourJob(id).filter(job -> !job.isOver()).isPresent();
    }

    private Optional<Job> ourJob(ReservationId id) throws LocalSchedulerException {
        return NUMBER.matcher(id.value()).matches()
                ? commands.job(Long.parseLong(id.value()))
                        .filter(job ->
                                job.isReservation() && rules().keyOf(job.name()).isPresent())
                : Optional.empty();
    }

    @Override
    protected void release(ReservationId id) throws LocalSchedulerException {
        commands.delete(Long.parseLong(id.value()), ourJob(id).map(Job::owner));
    }

    @Override
    protected Optional<JobQueue> jobQueue() {
        return Optional.of(commands);
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        Instant now = now();
        SitePlan plan = plan(new Need.Nodes(1), new TimeSlot(now, now.plusSeconds(1)));
        int running = commands.inState("toLaunch", "Launching", "Running", "Suspended", "Resuming", "Finishing")
                .size();
        Set<Long> waiting = commands.inState("Waiting", "Hold");
        waiting.removeAll(commands.promised());
        return new SiteLoad(nodes().size(), plan.freeNodes(), running, waiting.size());
    }
}
