package org.metasched.negotiation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Call;

/**
 * Changes kept reservations in place. Each site first widens its reservation to what the old and the new agreement want together. Once the
 * decision between them is durable, the {@link OrphanSweeper} gives back the excess. So at any instant, also after a crash, a site holds at
 * least what the living agreement says. Thread-safe.
 */
public record InPlaceChange(ReservationJournal journal, SiteCalls calls, OrphanSweeper sweeper, Clock clock) {

    /**
     * A wanted change of one reservation.
     *
     * @param held the reservation as it is now
     * @param request resources and duration that it is to have instead, from {@code start} on
     */
    public record WantedChange(SiteReservation held, ResourceRequest request, Instant start) {
        RequestKey key() {
            return held.reservation().key();
        }
    }

    /**
     * Result of the first step.
     *
     * @param reservations the reservations as they will be once the excess is given back, in the order of the changes; none if a site
     *     cannot change its own
     * @param whyNot reason of that site; else empty
     */
    public record Widened(List<SiteReservation> reservations, String whyNot) {}

    /** Widens all reservations or none. If all are widened, the journal has an open change for each. */
    public Widened widen(List<WantedChange> changes) throws InterruptedException {
        var keys = changes.stream().map(WantedChange::key).toList();
        try {
            journal.widen(changes.stream().map(WantedChange::held).toList(), clock.instant());
        } catch (IllegalStateException e) {
            return new Widened(List.of(), String.valueOf(e.getMessage()));
        }
        boolean isSettled = false;
        try {
            var answers = calls.askAll(changes.stream()
                    .map(change -> new Call<>(change.held().site(), site -> widen(change, site)))
                    .toList());
            var widened = new ArrayList<SiteReservation>();
            var problems = new ArrayList<LocalSchedulerException>();
            for (var answer : answers) {
                answer.fold(widened::add, problems::add);
            }
            if (problems.isEmpty()) {
                isSettled = true;
                return new Widened(widened, "");
            }
            if (problems.stream().noneMatch(LocalSchedulerException::mayHaveHappened)) {
                sweeper.undo(keys, clock.instant());
                sweeper.release(keys);
                isSettled = true;
            }
            return new Widened(List.of(), String.valueOf(problems.get(0).getMessage()));
        } finally {
            if (!isSettled) {
                sweeper.abandon(keys);
            }
        }
    }

    static ReservationChange ability(LocalScheduler site) throws Refused {
        return site.reservationChange()
                .orElseThrow(() -> new Refused("Site " + site.site() + " cannot change a reservation in place."));
    }

    private SiteReservation widen(WantedChange change, LocalScheduler site) throws LocalSchedulerException {
        var ability = ability(site);
        var before = change.held().reservation();
        var status = site.state(before.id());
        if (!journal.ownsIntents()
                || status.state() != ReservationState.RESERVED
                || !status.lostNodes().isEmpty()
                || !before.holdsAs(status.reservation())) {
            throw new Refused("Reservation " + change.held() + " has begun, or is not as it was agreed.");
        }
        var window = site.previewWindow();
        var slot = window.covering(change.start(), change.request().duration());
        var target = before.granted().withAmount(change.request().need().amount());
        Need most = before.granted()
                .withAmount(Math.max(target.amount(), before.granted().amount()));
        var span = new TimeSlot(
                TimeSlot.earlier(slot.start(), before.slot().start()),
                TimeSlot.later(slot.end(), before.slot().end()));
        var widest = change.request().of(most).lasting(span.length());
        var objectionToTarget =
                GrantCheck.objection(change.request(), change.start(), window.grid(), changed(before, slot, target));
        if (objectionToTarget.isPresent() || !slot.overlaps(before.slot())) {
            throw new Refused("Reservation " + change.held() + " is of another kind or time.");
        }
        var held = status.reservation();
        if (!held.holdsAs(changed(before, span, most))) {
            held = ability.change(before.id(), widest, span.start());
            var objection = GrantCheck.objection(widest, span.start(), Duration.ofSeconds(1), held);
            if (objection.isPresent()) {
                throw new Refused("Site " + site.site() + " " + objection.get() + ".");
            }
        }
        return new SiteReservation(site.site(), changed(held, slot, target));
    }

    /** The reservation with another slot and need; without node names if the amount changes, as it is not known which nodes remain. */
    private static Reservation changed(Reservation held, TimeSlot slot, Need need) {
        var names = need.amount() == held.granted().amount() ? held.nodeNames() : List.<String>of();
        return new Reservation(held.id(), held.key(), slot, need, names);
    }
}
