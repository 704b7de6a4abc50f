package org.metasched.fakes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;

/**
 * A site small enough to see through: a count of nodes and a list of what is booked, on a grid of one second or more. It
 * misbehaves when told to. Thread-safe.
 */
public final class FakeSite implements LocalScheduler {

    /** What goes wrong with the next {@code reserve}. */
    public enum Mishap {
        /** Nothing. */
        NONE,
        REFUSE,
        /** By a rule of the site. */
        FORBID,
        /** The reservation is made, its answer is lost. */
        LOSE_ANSWER,
        /** The request is lost; nothing is made. */
        LOSE_REQUEST,
        /** The request reaches the site only with {@link #deliverLate}. */
        ARRIVE_LATE,
        /** An hour later than asked. */
        GRANT_LATER,
        /** Made and confirmed under another key than asked. */
        FOREIGN_KEY,
        /** The call does not come back before {@link #letGo}. */
        HANG
    }

    private final SiteId site;
    private final int nodes;
    private final Clock clock;
    private final List<Booking> bookings = new ArrayList<>();
    private final Map<RequestKey, Reservation> reservations = new LinkedHashMap<>();
    private final Map<RequestKey, ReservationState> states = new LinkedHashMap<>();
    private final Deque<Mishap> mishaps = new ArrayDeque<>();
    private final Deque<Runnable> late = new ArrayDeque<>();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private PreviewWindow preview = new PreviewWindow(Duration.ofDays(7));
    private boolean lists;
    private boolean isForKnownPersons;
    private boolean reportsLoad;
    private @Nullable LocalSchedulerException failure;
    private boolean changes;
    private final Deque<Mishap> changeMishaps = new ArrayDeque<>();
    private int failingCancels;
    private int questions;
    private Optional<JobStarter> jobs = Optional.empty();
    private List<String> lostNodes = List.of();
    private final Map<RequestKey, List<String>> lostOfOne = new LinkedHashMap<>();
    private Runnable step = () -> {};

    private record Booking(TimeSlot slot, int nodes) {}

    public FakeSite(String name, int nodes, Clock clock) {
        this.site = new SiteId(name);
        this.nodes = nodes;
        this.clock = clock;
    }

    /** Nodes that local users have taken. */
    public synchronized FakeSite busy(Instant from, Instant to, int count) {
        bookings.add(new Booking(new TimeSlot(from, to), count));
        return this;
    }

    public synchronized FakeSite listsWindows() {
        lists = true;
        return this;
    }

    /** From now on, the site tells how many nodes it has. */
    public synchronized FakeSite reportsLoad() {
        reportsLoad = true;
        return this;
    }

    @Override
    public synchronized Optional<LoadReporting> loadReporting() {
        return reportsLoad ? Optional.of(() -> new SiteLoad(nodes, nodes, 0, 0)) : Optional.empty();
    }

    /** From now on, questions for free times without a requester are refused. */
    public synchronized FakeSite forKnownPersons() {
        isForKnownPersons = true;
        return this;
    }

    public synchronized FakeSite previews(PreviewWindow window) {
        preview = window;
        return this;
    }

    /** The next calls of {@code reserve} meet these, one each. */
    public synchronized FakeSite next(Mishap... some) {
        mishaps.addAll(List.of(some));
        return this;
    }

    public synchronized FakeSite runsPrograms(JobStarter starter) {
        jobs = Optional.of(starter);
        return this;
    }

    /** Changes reservations in place. The next calls meet the mishaps of {@link #nextChanges}. */
    public synchronized FakeSite changesInPlace() {
        changes = true;
        return this;
    }

    /** The next calls of {@code change} meet these, one each: REFUSE, LOSE_ANSWER, LOSE_REQUEST or ARRIVE_LATE. */
    public synchronized FakeSite nextChanges(Mishap... some) {
        changeMishaps.addAll(List.of(some));
        return this;
    }

    @Override
    public synchronized Optional<ReservationChange> reservationChange() {
        return changes ? Optional.of(this::change) : Optional.empty();
    }

    private Reservation change(ReservationId id, ResourceRequest request, Instant start)
            throws LocalSchedulerException {
        Mishap mishap;
        synchronized (this) {
            ask();
            mishap = changeMishaps.isEmpty() ? Mishap.NONE : changeMishaps.remove();
        }
        step.run();
        var changed = change(id, request, start, mishap);
        step.run();
        return changed;
    }

    private synchronized Reservation change(ReservationId id, ResourceRequest request, Instant start, Mishap mishap)
            throws LocalSchedulerException {
        switch (mishap) {
            case REFUSE -> throw new Refused("Site " + site + " does not change " + id + ".");
            case LOSE_REQUEST -> throw new Unreachable("No answer from site " + site + ".");
            case ARRIVE_LATE -> {
                late.add(() -> {
                    try {
                        alter(id, request, start);
                    } catch (LocalSchedulerException e) {
                        // Its answer would be lost as well.
                        return;
                    }
                });
                throw new Unreachable("No answer from site " + site + ".");
            }
            case LOSE_ANSWER -> {
                alter(id, request, start);
                throw new Unreachable("No answer from site " + site + ".");
            }
            default -> {
                return alter(id, request, start);
            }
        }
    }

    private Reservation alter(ReservationId id, ResourceRequest request, Instant start) throws LocalSchedulerException {
        var known = byId(id);
        if (known == null || !stateOf(known).isHeld()) {
            throw new UnknownReservation(site, id);
        }
        reservations.remove(known.key());
        if (!fits(request, start)) {
            reservations.put(known.key(), known);
            throw new Refused("Site " + site + " has no room to change " + id + ".");
        }
        var slot = new TimeSlot(floor(start), ceiling(start.plus(request.duration())));
        var changed = new Reservation(id, known.key(), slot, request.need(), List.of());
        reservations.put(known.key(), changed);
        return changed;
    }

    @Override
    public synchronized Optional<JobStarter> jobStarter() {
        return jobs;
    }

    public synchronized FakeSite down(boolean isDown) {
        return fails(isDown ? new Unreachable("Site " + site + " is down.") : null);
    }

    /** Each call fails from now on; null ends that. */
    public synchronized FakeSite fails(@Nullable LocalSchedulerException problem) {
        failure = problem;
        return this;
    }

    public synchronized FakeSite failsToCancel(int times) {
        failingCancels = times;
        return this;
    }

    public synchronized void deliverLate() {
        while (!late.isEmpty()) {
            late.remove().run();
        }
    }

    public void letGo() {
        hanging.countDown();
    }

    public synchronized void loses(RequestKey key) {
        states.put(key, ReservationState.CANCELLED);
    }

    public synchronized void forgets(RequestKey key) {
        states.remove(key);
        reservations.remove(key);
    }

    /** Of every reservation. */
    public synchronized void loseNodes(String... names) {
        lostNodes = List.of(names);
    }

    public synchronized void loseNodesOf(RequestKey key, String... names) {
        lostOfOne.put(key, List.of(names));
    }

    /** Called around each effect of a call, for tests that let the caller die there. */
    public synchronized FakeSite around(Runnable hook) {
        step = hook;
        return this;
    }

    /** What is held now. */
    public synchronized List<Reservation> held() {
        return reservations.values().stream().filter(r -> stateOf(r).isHeld()).toList();
    }

    public synchronized int questions() {
        return questions;
    }

    @Override
    public SiteId site() {
        return site;
    }

    @Override
    public synchronized PreviewWindow previewWindow() {
        return preview;
    }

    @Override
    public synchronized Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore)
            throws LocalSchedulerException {
        askFor(request);
        return starts(request, notBefore, preview.endFrom(clock.instant())).firstFrom(notBefore);
    }

    @Override
    public synchronized Optional<WindowListing> windowListing() {
        return lists ? Optional.of(this::listed) : Optional.empty();
    }

    private synchronized FreeWindows listed(ResourceRequest request, TimeSlot within) throws LocalSchedulerException {
        askFor(request);
        return starts(request, within.start(), within.end());
    }

    private void askFor(ResourceRequest request) throws LocalSchedulerException {
        ask();
        if (isForKnownPersons && request.requester().isEmpty()) {
            throw new Forbidden("Site " + site + " serves known persons only.");
        }
    }

    private void ask() throws LocalSchedulerException {
        questions++;
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        Mishap mishap;
        synchronized (this) {
            ask();
            mishap = mishaps.isEmpty() ? Mishap.NONE : mishaps.remove();
        }
        if (mishap == Mishap.HANG) {
            hang();
        }
        step.run();
        var made = reserve(key, request, start, mishap);
        step.run();
        return made;
    }

    private synchronized Reservation reserve(RequestKey key, ResourceRequest request, Instant start, Mishap mishap)
            throws LocalSchedulerException {
        switch (mishap) {
            case REFUSE -> throw new Refused("Site " + site + " has no room for " + key + ".");
            case FORBID -> throw new Forbidden("rule fair, most-reservations: 2 are held already, of 2");
            case LOSE_REQUEST -> throw new Unreachable("No answer from site " + site + ".");
            case ARRIVE_LATE -> {
                late.add(() -> makeLate(key, request, start));
                throw new Unreachable("No answer from site " + site + ".");
            }
            case LOSE_ANSWER -> {
                make(key, request, start);
                throw new Unreachable("No answer from site " + site + ".");
            }
            case GRANT_LATER -> {
                return make(key, request, start.plus(Duration.ofHours(1)));
            }
            case FOREIGN_KEY -> {
                return make(new RequestKey(key.value() + "x"), request, start);
            }
            default -> {
                return make(key, request, start);
            }
        }
    }

    private void hang() throws Unreachable {
        try {
            hanging.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("Interrupted.", e);
        }
    }

    private void makeLate(RequestKey key, ResourceRequest request, Instant start) {
        try {
            make(key, request, start);
        } catch (Refused e) {
            states.put(key, ReservationState.CANCELLED);
        }
    }

    private Reservation make(RequestKey key, ResourceRequest request, Instant start) throws Refused {
        var known = reservations.get(key);
        if (known != null) {
            return known;
        }
        if (!starts(request, start, start)
                .firstFrom(start)
                .filter(start::equals)
                .isPresent()) {
            throw new Refused("Site " + site + " has no room for " + key + " at " + start + ".");
        }
        var slot = new TimeSlot(floor(start), ceiling(start.plus(request.duration())));
        var made = new Reservation(
                new ReservationId("R" + (reservations.size() + 1)), key, slot, request.need(), List.of());
        reservations.put(key, made);
        states.put(key, ReservationState.RESERVED);
        return made;
    }

    @Override
    public synchronized Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        ask();
        return Optional.ofNullable(reservations.get(key)).map(this::status);
    }

    @Override
    public synchronized void cancel(ReservationId id) throws LocalSchedulerException {
        ask();
        if (failingCancels > 0) {
            failingCancels--;
            throw new Unreachable("Site " + site + " did not answer to the cancelling of " + id + ".");
        }
        step.run();
        var known = byId(id);
        if (known != null) {
            states.put(known.key(), ReservationState.CANCELLED);
        }
        step.run();
    }

    @Override
    public synchronized ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        ask();
        var known = byId(id);
        if (known == null) {
            throw new UnknownReservation(site, id);
        }
        return status(known);
    }

    private @Nullable Reservation byId(ReservationId id) {
        return reservations.values().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private ReservationStatus status(Reservation reservation) {
        return new ReservationStatus(
                stateOf(reservation), reservation, lostOfOne.getOrDefault(reservation.key(), lostNodes), "");
    }

    private ReservationState stateOf(Reservation reservation) {
        if (states.get(reservation.key()) == ReservationState.CANCELLED) {
            return ReservationState.CANCELLED;
        }
        var now = clock.instant();
        if (!now.isBefore(reservation.slot().end())) {
            return ReservationState.FINISHED;
        }
        return reservation.slot().contains(now) ? ReservationState.ACTIVE : ReservationState.RESERVED;
    }

    /** Feasible starts from the changes of load: between two candidates feasibility is constant. Quadratic. */
    private FreeWindows starts(ResourceRequest request, Instant from, Instant to) {
        var duration = request.duration();
        var candidates = new TreeSet<Instant>();
        candidates.add(from);
        for (var booked : booked()) {
            candidates.add(ceiling(booked.slot.end()));
            candidates.add(floor(booked.slot.start()).minus(duration).plusNanos(1));
        }
        candidates.add(to.plusNanos(1));
        var steps = candidates.stream()
                .filter(c -> !c.isBefore(from) && !c.isAfter(to.plusNanos(1)))
                .toList();
        var starts = new ArrayList<StartInterval>();
        for (int i = 0; i + 1 < steps.size(); i++) {
            if (fits(request, steps.get(i))) {
                join(starts, new StartInterval(steps.get(i), steps.get(i + 1).minusNanos(1)));
            }
        }
        return new FreeWindows("v" + reservations.size(), starts);
    }

    private static void join(List<StartInterval> starts, StartInterval next) {
        int last = starts.size() - 1;
        if (last >= 0 && starts.get(last).latest().plusNanos(1).equals(next.earliest())) {
            starts.set(last, new StartInterval(starts.get(last).earliest(), next.latest()));
        } else {
            starts.add(next);
        }
    }

    /** Whether the request fits from that very start, whatever the look-ahead. */
    public synchronized boolean fitsAt(ResourceRequest request, Instant start) {
        return fits(request, start);
    }

    private boolean fits(ResourceRequest request, Instant start) {
        var slot = new TimeSlot(floor(start), ceiling(start.plus(request.duration())));
        var changes = new TreeSet<Instant>();
        changes.add(slot.start());
        booked().stream().map(b -> b.slot.start()).filter(slot::contains).forEach(changes::add);
        return changes.stream().allMatch(at -> load(at) + amount(request.need()) <= nodes);
    }

    private int load(Instant at) {
        return booked().stream()
                .filter(b -> b.slot.contains(at))
                .mapToInt(Booking::nodes)
                .sum();
    }

    private List<Booking> booked() {
        var all = new ArrayList<>(bookings);
        held().forEach(r -> all.add(new Booking(r.slot(), amount(r.granted()))));
        return all;
    }

    private static int amount(Need need) {
        return need.amount();
    }

    private Instant floor(Instant instant) {
        long grid = preview.grid().toSeconds();
        return Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), grid) * grid);
    }

    private Instant ceiling(Instant instant) {
        var floor = floor(instant);
        return floor.equals(instant) ? floor : floor.plus(preview.grid());
    }
}
