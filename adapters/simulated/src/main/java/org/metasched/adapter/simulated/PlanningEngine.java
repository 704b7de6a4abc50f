package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.NodePlan;
import org.metasched.slots.NodeProfile;

/**
 * The planning-based scheduler inside a {@link SimulatedScheduler}: one plan in which local jobs and advance reservations
 * stand side by side. Time is a parameter. Not thread-safe: the scheduler synchronizes on it.
 */
final class PlanningEngine {

    /** The usual value of PBS's {@code max_starve}. */
    private static final Duration STARVING = Duration.ofDays(1);

    private final SimulatedSite description;
    private final PreviewWindow window;
    final ReservationBook book;
    private final LocalWork work;
    private final Optional<StateFile> file;
    /** Number of changes so far: the version of listed windows. */
    private long changes;

    PlanningEngine(SimulatedSite description, Instant now) {
        this.description = description;
        this.window = description.window;
        NodePlan nodes = description.namesNodesAtStart
                ? new CountedNodes(description.nodes)
                : new NodeProfile(description.nodes);
        this.book = new ReservationBook(description, nodes);
        this.file = description.stateFile.map(path -> new StateFile(path, nodes));
        var notDedicated = nodes.all();
        if (!description.dedicated.isEmpty()) {
            notDedicated.andNot(nodes.named(description.dedicated));
        }
        var queue = switch (description.local.backfilling) {
            case CONSERVATIVE -> new ConservativeQueue(nodes, () -> book.upAmong(notDedicated));
            case EASY -> new HeadQueue(nodes, () -> book.upAmong(notDedicated), Duration.ZERO);
            case FIRST_FIT -> new HeadQueue(nodes, () -> book.upAmong(notDedicated), STARVING);
        };
        var origin = window.floor(now);
        var replay = description.local.replay(origin, window);
        this.work = new LocalWork(description.local, replay, origin.minus(description.local.warmUp), nodes, queue);
        file.ifPresent(state -> state.open(now).forEach(this::restore));
        work.runUntil(now);
    }

    private void restore(SimulatedReservation held) {
        book.restore(held);
        work.wakeAt(held.slot.end());
    }

    /** Processes all events up to now; returns now. */
    Instant catchUp(Instant now) {
        if (work.runUntil(now)) {
            changes++;
        }
        book.forgetOld(now);
        return now;
    }

    Optional<Instant> earliest(ResourceRequest request, Instant from, Instant now) throws Refused {
        return book.profileFor(request.need())
                .earliestStart(request.need().amount(), request.duration(), from, window.endFrom(now));
    }

    FreeWindows windows(ResourceRequest request, Instant from, Instant to, Instant now) throws Refused {
        var profile = book.profileFor(request.need());
        var last = to.isBefore(window.endFrom(now)) ? to : window.endFrom(now);
        var starts = new ArrayList<FreeWindows.StartInterval>();
        if (from.isBefore(last)) {
            starts.addAll(profile.starts(request.need().amount(), request.duration(), new TimeSlot(from, last)));
        } else if (from.equals(last)
                && profile.leastFree(TimeSlot.of(from, request.duration()))
                        >= request.need().amount()) {
            starts.add(new FreeWindows.StartInterval(from, from));
        }
        return new FreeWindows(Long.toString(changes), starts);
    }

    Reservation reserve(RequestKey key, ResourceRequest request, Instant start, Instant now) throws Refused {
        var known = book.find(key);
        if (known.isPresent()) {
            return repeatedAnswer(known.get());
        }
        if (start.isBefore(window.floor(now))) {
            throw refused(key, request, start, "the start is in the past", earliest(request, now, now));
        }
        if (start.isAfter(window.endFrom(now))) {
            throw refused(key, request, start, beyondLookAhead(), Optional.empty());
        }
        var slot = window.covering(start, request.duration());
        var held = book.make(key, request.need(), slot);
        if (held.isEmpty()) {
            throw refused(
                    key, request, start, "not enough is free", earliest(request, TimeSlot.later(start, now), now));
        }
        noteChange(held.get());
        return book.reservation(held.get());
    }

    private String beyondLookAhead() {
        return "the start is beyond the look-ahead of " + window.lookAhead();
    }

    private Reservation repeatedAnswer(SimulatedReservation known) throws Refused {
        if (known.cancelled) {
            throw new Refused("Key " + known.key + " was used for reservation " + known.id + " of site "
                    + description.id + ", which is cancelled.");
        }
        return book.reservation(known);
    }

    private Refused refused(
            RequestKey key, ResourceRequest request, Instant start, String reason, Optional<Instant> possible) {
        return new Refused(
                "Site " + description.id + " refused reservation " + key + " for "
                        + request.need().words() + " at " + start
                        + ": " + reason + "."
                        + possible.map(at -> "\nMaybe from " + at + ".").orElse(""),
                possible);
    }

    /** Reserves from the first start that fits at least {@code delay} later; from the requested start if there is none. */
    Reservation reserveLater(RequestKey key, ResourceRequest request, Instant start, Duration delay, Instant now)
            throws Refused {
        if (start.isBefore(now) || start.isAfter(window.endFrom(now))) {
            return reserve(key, request, start, now);
        }
        var later = earliest(request, TimeSlot.later(start.plus(delay), now), now);
        return reserve(key, request, later.orElse(start), now);
    }

    private void noteChange(SimulatedReservation held) {
        file.ifPresent(state -> state.append(held));
        work.wakeAt(held.slot.end());
        changes++;
    }

    void cancel(ReservationId id, Instant now) throws UnknownReservation {
        var held = book.find(id).orElseThrow(() -> new UnknownReservation(description.id, id));
        if (!held.stateAt(now).isHeld()) {
            return;
        }
        book.cancel(held);
        file.ifPresent(state -> state.append(held));
        work.replanAt(window.ceiling(now));
        changes++;
    }

    /** Changes amount or slot of a reservation, under the same id and key. */
    Reservation change(ReservationId id, ResourceRequest request, Instant start, Instant now)
            throws Refused, UnknownReservation {
        var held = book.find(id)
                .filter(reservation -> reservation.stateAt(now).isHeld())
                .orElseThrow(() -> new UnknownReservation(description.id, id));
        var slot = window.covering(start, request.duration());
        if (slot.equals(held.slot) && request.need().equals(held.need)) {
            return book.reservation(held);
        }
        boolean hasBegun = held.slot.start().isBefore(now) || slot.start().isBefore(window.floor(now));
        boolean isTooLate = slot.start().isAfter(window.endFrom(now));
        if (hasBegun || isTooLate || !book.change(held, request.need(), slot)) {
            String why = hasBegun
                    ? "it has begun, or would begin in the past"
                    : isTooLate ? beyondLookAhead() : "not enough is free";
            throw refused(held.key, request, start, why, Optional.empty());
        }
        noteChange(held);
        work.replanAt(window.ceiling(now));
        return book.reservation(held);
    }

    /** Takes so much of the slot for another user that the request does not fit any more. */
    void fillUp(ResourceRequest request, Instant start, Instant now) throws Refused {
        if (start.isBefore(now) || start.isAfter(window.endFrom(now))) {
            return;
        }
        var slot = window.covering(start, request.duration());
        var need = request.need();
        int free = book.profileFor(need).leastFree(slot);
        if (free < need.amount()) {
            return;
        }
        int taken = free - need.amount() + 1;
        book.takeForOthers(need.withAmount(taken), slot);
        work.wakeAt(slot.end());
        changes++;
    }

    void fail(Set<String> names, Instant now) {
        var tick = window.ceiling(now);
        work.kill(book.nodes.named(names), tick);
        book.fail(names, tick);
        work.replanAt(tick);
        changes++;
    }

    void repair(Set<String> names, Instant now) {
        book.repair(names);
        work.replanAt(window.ceiling(now));
        changes++;
    }

    SiteLoad load(Instant now) {
        var slot = TimeSlot.of(now, window.grid());
        int free = book.nodes.among(book.upAmong(book.nodes.all())).leastFree(slot);
        return new SiteLoad(book.nodes.nodes().size(), free, work.running(), work.waiting());
    }
}
