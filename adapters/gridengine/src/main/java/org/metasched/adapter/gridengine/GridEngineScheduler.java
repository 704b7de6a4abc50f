package org.metasched.adapter.gridengine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.BookingScheduler;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.SchedulerReservation;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.adapter.gridengine.GridEngineOutput.AdvanceReservation;
import org.metasched.adapter.gridengine.GridEngineOutput.QueueInstance;
import org.metasched.adapter.gridengine.GridEngineOutput.RunningJob;
import org.metasched.adapter.gridengine.GridEngineOutput.SchedulerSettings;
import org.metasched.adapter.jobs.JobQueue;
import org.metasched.slots.ComputeNode;

/**
 * Whole nodes of a Grid Engine queue. Grid Engine reserves slots, so a parallel environment with a fixed number of slots on each host makes
 * them whole nodes. The reservation's number is the id, its name holds the request key.
 *
 * <p>Candidate starts are computed from running jobs and reservations. Each answer is confirmed by {@code qrsub -w v}, with which Grid Engine
 * itself tells whether it would grant a reservation, and makes none.
 */
final class GridEngineScheduler extends BookingScheduler {

    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,17}");
    private static final Pattern RESOURCE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]{0,63}=[A-Za-z0-9_.:/-]{1,128}");

    /** Age up to which the definitions are not read again. */
    private static final Duration OLDEST_DEFINITIONS = Duration.ofMinutes(1);

    private final GridEngineCommands commands;
    private final String queue;
    private volatile @Nullable Definitions definitions;

    /** Definitions that an administrator seldom changes. */
    private record Definitions(int slotsPerHost, SchedulerSettings assumed, Instant readAt) {}

    GridEngineScheduler(CommandLineSite site, BookingRules rules, Settings settings, String queue, String environment) {
        super(site, rules, settings);
        this.queue = queue;
        this.commands = new GridEngineCommands(site.runner(), site.times(), queue, environment);
    }

    @Override
    protected SitePlan plan(Need.Nodes need, TimeSlot span) throws LocalSchedulerException {
        refuseOddResources(need);
        Instant now = now();
        SchedulerSettings assumed = definitions().assumed();
        List<QueueInstance> instances = queueInstances();
        // The scheduler adds its offset to the jobs' limits; reservations may touch.
        var rules = new SitePlan.Rules(assumed.offset(), Duration.ZERO, Duration.ZERO, false);
        var plan = planBuilder(rules, now);
        nodes(instances, need, definitions().slotsPerHost()).forEach(plan::node);
        List<AdvanceReservation> reservations = reservations();
        for (QueueInstance instance : instances) {
            for (RunningJob job : instance.jobs()) {
                if (reservations.stream().anyMatch(held -> isInside(job, instance, held))) {
                    continue;
                }
                Instant end = job.limit()
                        .or(assumed::defaultDuration)
                        .map(length -> job.start().plus(length))
                        .orElse(SitePlan.NEVER);
                plan.job(List.of(new Share(instance.host(), job.slots())), TimeSlot.later(end, now));
            }
        }
        for (AdvanceReservation reservation : reservations) {
            var shares = new ArrayList<Share>();
            reservation.slotsOnHosts().forEach((host, slots) -> shares.add(new Share(host, slots)));
            plan.reservation(shares, new TimeSlot(reservation.start(), reservation.end()));
        }
        return plan.build();
    }

    /** Whether a job runs in a reservation, with which it ends: in one that has begun before it, and has all slots of the queue instance. */
    private static boolean isInside(RunningJob job, QueueInstance instance, AdvanceReservation held) {
        return held.begun()
                && held.slotsOnHosts().getOrDefault(instance.host(), 0) >= instance.slots()
                && !job.start().isBefore(held.start());
    }

    /** The queue instances that all queries of an interval share. */
    private List<QueueInstance> queueInstances() throws LocalSchedulerException {
        return shared().get("queues", commands::queueInstances);
    }

    private List<AdvanceReservation> reservations() throws LocalSchedulerException {
        return shared().get(
                        "reservations",
                        () -> commands.reservations(commands.reservationNames().keySet()));
    }

    private Definitions definitions() throws LocalSchedulerException {
        Definitions known = definitions;
        if (known == null || now().isAfter(known.readAt().plus(OLDEST_DEFINITIONS))) {
            known = new Definitions(commands.slotsPerHost(), commands.schedulerSettings(), now());
            definitions = known;
        }
        return known;
    }

    /** A host serves as a node when its queue instance works and has the slots that the environment puts on a host, enough for the need. */
    private List<ComputeNode> nodes(List<QueueInstance> instances, Need.Nodes need, int slotsPerHost)
            throws LocalSchedulerException {
        Set<String> matching = need.properties().isEmpty() ? Set.of() : commands.hostsWith(need.properties());
        var nodes = new ArrayList<ComputeNode>();
        for (QueueInstance instance : instances) {
            int spare = instance.slots() - slotsPerHost;
            if (instance.queue().equals(queue)
                    && instance.usable()
                    && spare >= 0
                    && need.coresPerNode() <= slotsPerHost) {
                var properties = matching.contains(instance.host()) ? need.properties() : new TreeSet<String>();
                // A reservation takes all slots of the environment: for others only the spare ones are left.
                nodes.add(new ComputeNode(instance.host(), need.coresPerNode() + spare, properties));
            }
        }
        return nodes;
    }

    private void refuseOddResources(Need.Nodes need) throws Refused {
        for (String resource : need.properties()) {
            if (!RESOURCE.matcher(resource).matches()) {
                throw new Refused("Site " + site() + ": the property (" + resource
                        + ") is not of the form name=value, as in speed=fast.");
            }
        }
    }

    @Override
    protected boolean confirms(Need.Nodes need, TimeSlot slot) throws LocalSchedulerException {
        int slots = need.count() * definitions().slotsPerHost();
        return shared().get(
                        List.of("would grant", slot, slots, need.properties()),
                        () -> commands.wouldGrant(slot, slots, need.properties()));
    }

    @Override
    protected void book(BookingRequest booking, SitePlan plan) throws LocalSchedulerException {
        commands.reserve(booking, booking.need().count() * definitions().slotsPerHost());
    }

    @Override
    protected List<SchedulerReservation> lookUp(RequestKey key) throws LocalSchedulerException {
        Map<Long, String> named = commands.reservationNames();
        named.values().removeIf(name -> !name.equals(rules().nameOf(key)));
        return ours(commands.reservations(named.keySet()));
    }

    @Override
    protected Optional<SchedulerReservation> lookUp(ReservationId id) throws LocalSchedulerException {
        return ours(read(id)).stream().findFirst();
    }

    /** The reservation of a number without use of a snapshot, as a list of one or none. */
    private List<AdvanceReservation> read(ReservationId id) throws LocalSchedulerException {
        return NUMBER.matcher(id.value()).matches()
                ? commands.reservations(List.of(Long.parseLong(id.value())))
                : List.of();
    }

    @Override
    protected Optional<SchedulerReservation> lookUpInSnapshot(ReservationId id) throws LocalSchedulerException {
        return ours(reservations().stream()
                        .filter(shown -> String.valueOf(shown.id()).equals(id.value()))
                        .toList())
                .stream()
                .findFirst();
    }

    private List<SchedulerReservation> ours(List<AdvanceReservation> reservations) throws LocalSchedulerException {
        var ours = new ArrayList<SchedulerReservation>();
        for (AdvanceReservation reservation : reservations) {
            Optional<RequestKey> key = rules().keyOf(reservation.name());
            if (key.isPresent() && !reservation.over()) {
                ours.add(translate(key.get(), reservation));
            }
        }
        return ours;
    }

    private SchedulerReservation translate(RequestKey key, AdvanceReservation shown) throws LocalSchedulerException {
        var hosts = List.copyOf(shown.slotsOnHosts().keySet());
        if (hosts.isEmpty()) {
            throw new Unreachable("Site " + site() + " shows reservation " + shown.id() + " without any slot.");
        }
        int slots = shown.slotsOnHosts().values().stream()
                .mapToInt(Integer::intValue)
                .min()
                .getAsInt();
        var reservation = new Reservation(
                new ReservationId(String.valueOf(shown.id())),
                key,
                new TimeSlot(shown.start(), shown.end()),
                new Need.Nodes(hosts.size(), Math.max(1, slots), new TreeSet<>(shown.resources())),
                hosts);
        var state = !now().isBefore(shown.end())
                ? ReservationState.FINISHED
                : shown.begun() ? ReservationState.ACTIVE : ReservationState.RESERVED;
        var status = new ReservationStatus(state, reservation, lost(hosts), String.join("; ", shown.messages()));
        return new SchedulerReservation(status);
    }

    /** The hosts of a reservation that do not work or are not listed; Grid Engine marks only the reservation as a whole. */
    private List<String> lost(List<String> hosts) throws LocalSchedulerException {
        Set<String> working = queueInstances().stream()
                .filter(instance -> instance.queue().equals(queue) && instance.usable())
                .map(QueueInstance::host)
                .collect(Collectors.toSet());
        return hosts.stream().filter(host -> !working.contains(host)).toList();
    }

    @Override
    protected boolean shows(ReservationId id) throws LocalSchedulerException {
        return read(id).stream()
                .anyMatch(shown -> !shown.over()
                        && now().isBefore(shown.end())
                        && rules().keyOf(shown.name()).isPresent());
    }

    @Override
    protected void release(ReservationId id) throws LocalSchedulerException {
        commands.delete(Long.parseLong(id.value()));
    }

    @Override
    protected Optional<JobQueue> jobQueue() {
        return Optional.of(commands);
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        Instant now = now();
        List<QueueInstance> instances = queueInstances();
        SitePlan plan = plan(new Need.Nodes(1), new TimeSlot(now, now.plusSeconds(1)));
        var running = new HashSet<Long>();
        var hosts = new HashSet<String>();
        for (QueueInstance instance : instances) {
            if (instance.queue().equals(queue)) {
                hosts.add(instance.host());
                instance.jobs().forEach(job -> running.add(job.id()));
            }
        }
        return new SiteLoad(
                hosts.size(), plan.freeNodes(), running.size(), shared().get("waiting", commands::waitingJobs));
    }
}
