package org.metasched.adapter.simulated;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;
import org.metasched.adapter.booking.BookingScheduler;

/**
 * A site that exists in this process only: plans its own users' jobs on its nodes and makes advance reservations in the rest.
 *
 * <p>Each call first processes all events up to the time of the clock; while the clock stands still only callers change the site. Faults
 * can be injected, once or at random. {@link #held} lists all reservations, also those whose answers were lost.
 *
 * <p>Thread-safe: one lock, never held while an answer is delayed.
 */
public final class SimulatedScheduler
        implements LocalScheduler, WindowListing, RuntimeSupport, ReservationChange, LoadReporting {

    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}");
    private static final int LONGEST_CONTENT = 1 << 20;

    private final SimulatedSite description;
    private final Clock clock;
    private final FaultInjector faults;
    private final PlanningEngine engine;
    private final Optional<RealProcesses> processes;

    SimulatedScheduler(SimulatedSite description, Clock clock) {
        this.description = description;
        this.clock = clock;
        this.faults = new FaultInjector(description.latency);
        this.engine = new PlanningEngine(description, clock.instant());
        this.processes = description.jobs.map(jobs -> new RealProcesses(site(), jobs, this::state));
    }

    @Override
    public SiteId site() {
        return description.id;
    }

    @Override
    public PreviewWindow previewWindow() {
        return description.window;
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        return ask(now -> engine.earliest(request, TimeSlot.later(notBefore, now), now));
    }

    @Override
    public FreeWindows freeWindows(ResourceRequest request, TimeSlot within) throws LocalSchedulerException {
        return ask(now -> engine.windows(request, TimeSlot.later(within.start(), now), within.end(), now));
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        delayCall();
        var fault = faults.next(FaultInjector.OF_RESERVING);
        lose(fault, InjectedFault.LOSE_REQUEST, "reserve " + key);
        Reservation made;
        synchronized (engine) {
            var now = engine.catchUp(clock.instant());
            if (fault.equals(Optional.of(InjectedFault.FILL_UP))) {
                engine.fillUp(request, start, now);
            }
            boolean late = fault.equals(Optional.of(InjectedFault.GRANT_LATER));
            made = late
                    ? engine.reserveLater(key, request, start, FaultInjector.GRANT_DELAY, now)
                    : engine.reserve(key, request, start, now);
        }
        delay(fault);
        lose(fault, InjectedFault.LOSE_ANSWER, "reserve " + key);
        return made;
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        return ask(now -> engine.book.find(key).map(held -> engine.book.status(held, now)));
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        delayCall();
        var fault = faults.next(FaultInjector.OF_OTHER_CALLS);
        lose(fault, InjectedFault.LOSE_REQUEST, "cancel " + id);
        Optional<RequestKey> ended;
        synchronized (engine) {
            engine.cancel(id, engine.catchUp(clock.instant()));
            ended = engine.book.find(id).map(held -> held.key);
        }
        if (processes.isPresent() && ended.isPresent()) {
            processes.get().end(ended.get());
        }
        delay(fault);
        lose(fault, InjectedFault.LOSE_ANSWER, "cancel " + id);
    }

    @Override
    public Reservation change(ReservationId id, ResourceRequest request, Instant start) throws LocalSchedulerException {
        var fault = faults.next(FaultInjector.OF_OTHER_CALLS);
        lose(fault, InjectedFault.LOSE_REQUEST, "change " + id);
        var changed = ask(now -> engine.change(id, request, start, now));
        delay(fault);
        lose(fault, InjectedFault.LOSE_ANSWER, "change " + id);
        return changed;
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        return ask(now -> engine.book.status(known(id), now));
    }

    @Override
    public Optional<JobStarter> jobStarter() {
        return processes.map(running -> running.starter);
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        return ask(engine::load);
    }

    @Override
    public void bind(ReservationId id, List<String> nodeAddresses) throws LocalSchedulerException {
        ask(now -> heldAt(now, id).bound = List.copyOf(nodeAddresses));
    }

    @Override
    public void publish(ReservationId id, String name, String content) throws LocalSchedulerException {
        if (!FILE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The published name (" + DisplayText.of(name) + ") must be a plain file name"
                            + " of 1 to 128 characters [A-Za-z0-9._-] that does not begin with '.'.");
        }
        if (content.length() > LONGEST_CONTENT) {
            throw new IllegalArgumentException("The file " + name + " (" + content.length()
                    + " characters) must be at most " + LONGEST_CONTENT + " characters.");
        }
        ask(now -> {
            SimulatedReservation held = heldAt(now, id);
            held.published.put(name, content);
            return held;
        });
    }

    private SimulatedReservation heldAt(Instant now, ReservationId id) throws LocalSchedulerException {
        var held = known(id);
        if (!held.stateAt(now).isHeld()) {
            throw new Refused("Reservation " + id + " of site " + site() + " is " + held.stateAt(now) + ".");
        }
        return held;
    }

    private SimulatedReservation known(ReservationId id) throws UnknownReservation {
        return engine.book.find(id).orElseThrow(() -> new UnknownReservation(site(), id));
    }

    /** All reservations that the site remembers, as they are now: held, over and cancelled. Works also while the site is down. */
    public List<ReservationStatus> reservations() {
        synchronized (engine) {
            var now = engine.catchUp(clock.instant());
            return engine.book.all().stream()
                    .map(held -> engine.book.status(held, now))
                    .toList();
        }
    }

    /** The {@link #reservations()} that are held. */
    public List<ReservationStatus> held() {
        return reservations().stream().filter(status -> status.state().isHeld()).toList();
    }

    /** The addresses last bound to a reservation. */
    public List<String> bound(ReservationId id) {
        synchronized (engine) {
            return engine.book.find(id).map(held -> held.bound).orElse(List.of());
        }
    }

    /** Files published for a reservation, by name. */
    public Map<String, String> published(ReservationId id) {
        synchronized (engine) {
            return engine.book.find(id).map(held -> Map.copyOf(held.published)).orElse(Map.of());
        }
    }

    private interface Question<T> {
        T answeredAt(Instant now) throws LocalSchedulerException;
    }

    private <T> T ask(Question<T> question) throws LocalSchedulerException {
        delayCall();
        synchronized (engine) {
            return question.answeredAt(engine.catchUp(clock.instant()));
        }
    }

    /** Breaks nodes now: their jobs end, and reservations get other nodes, or are degraded when too few are free. */
    public void failNodes(Set<String> names) {
        synchronized (engine) {
            engine.fail(names, engine.catchUp(clock.instant()));
        }
    }

    /** Repairs broken nodes. */
    public void repairNodes(Set<String> names) {
        synchronized (engine) {
            engine.repair(names, engine.catchUp(clock.instant()));
        }
    }

    /** Orders a fault for the next call in which it can happen. */
    public SimulatedScheduler suffers(InjectedFault fault) {
        faults.order(fault);
        return this;
    }

    /** Delays every answer from now on, in real time.
     *
     * @param latency the delay; zero for none
     */
    public SimulatedScheduler answersWithin(Duration latency) {
        faults.latency = latency;
        return this;
    }

    /** Takes the site down: from now on it answers no call and does nothing. */
    public SimulatedScheduler goesDown() {
        faults.down = true;
        return this;
    }

    public SimulatedScheduler comesBack() {
        faults.down = false;
        return this;
    }

    /**
     * Injects random faults from now on.
     *
     * @param share share of the calls of reserve, cancel and change that get a fault, from 0 to 1
     */
    public SimulatedScheduler misbehavesAtRandom(long seed, double share) {
        faults.injectAtRandom(seed, share);
        return this;
    }

    /** Delays a call by the latency, and fails it when the site is down. */
    private void delayCall() throws Unreachable {
        pause(faults.latency);
        if (faults.down) {
            throw new Unreachable("Site " + site() + " does not answer: it is simulated to be down.");
        }
    }

    private void lose(Optional<InjectedFault> fault, InjectedFault kind, String call) throws Unreachable {
        if (fault.equals(Optional.of(kind))) {
            String what = kind == InjectedFault.LOSE_ANSWER ? "answer" : "request";
            throw new Unreachable(
                    "Site " + site() + " gave no answer to " + call + ": a lost " + what + " is simulated.");
        }
    }

    private void delay(Optional<InjectedFault> fault) throws Unreachable {
        if (fault.equals(Optional.of(InjectedFault.ANSWER_LATE))) {
            pause(FaultInjector.ANSWER_DELAY);
        }
    }

    private void pause(Duration time) throws Unreachable {
        if (!time.isZero()) {
            BookingScheduler.pause(time, "The call to site " + site() + " was interrupted.");
        }
    }
}
