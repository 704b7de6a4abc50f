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
 * Changes kept reservations in place. Each site is first asked to hold what the old and the new agreement want together; once the
 * decision is durable, the {@link OrphanSweeper} gives back the excess. So at any instant a site holds what the living agreement says,
 * and a crash leaves the old or the new. Thread-safe.
 */
public record InPlaceChange(ReservationJournal journal, SiteCalls calls, OrphanSweeper sweeper, Clock clock) {

    /**
     * A wanted change of one reservation.
     *
     * @param held the reservation as it is now
     * @param request resources and duration that it is to have instead, from {@code start} on
     */
    public record Wish(SiteReservation held, ResourceRequest request, Instant start) {
        RequestKey key() {
            return held.reservation().key();
        }
    }

    /**
     * Result of the first step.
     *
     * @param reservations the reservations as they will be once the excess is given back, in the order of the wishes; none if a site cannot
     * @param whyNot reason why a site cannot; else empty
     */
    public record Widened(List<SiteReservation> reservations, String whyNot) {}

    /** Widens all reservations or none. The journal then has an open change for each; without reservations it has none that lasts. */
    public Widened widen(List<Wish> wishes) throws InterruptedException {
        var keys = wishes.stream().map(Wish::key).toList();
        try {
            journal.widen(wishes.stream().map(Wish::held).toList(), clock.instant());
        } catch (IllegalStateException e) {
            return new Widened(List.of(), String.valueOf(e.getMessage()));
        }
        boolean isSettled = false;
        try {
            var answers = calls.askAll(wishes.stream()
                    .map(wish -> new Call<>(wish.held().site(), site -> widen(wish, site)))
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

    private SiteReservation widen(Wish wish, LocalScheduler site) throws LocalSchedulerException {
        var ability = ability(site);
        var before = wish.held().reservation();
        var status = site.state(before.id());
        if (!journal.ownsIntents()
                || status.state() != ReservationState.RESERVED
                || !status.lostNodes().isEmpty()
                || !before.holdsAs(status.reservation())) {
            throw new Refused("Reservation " + wish.held() + " has begun, or is not as it was agreed.");
        }
        var window = site.previewWindow();
        var slot = window.covering(wish.start(), wish.request().duration());
        var target = before.granted().withAmount(wish.request().need().amount());
        Need most = before.granted()
                .withAmount(Math.max(target.amount(), before.granted().amount()));
        var span = new TimeSlot(
                TimeSlot.earlier(slot.start(), before.slot().start()),
                TimeSlot.later(slot.end(), before.slot().end()));
        var widest = wish.request().of(most).lasting(span.length());
        var suits = GrantCheck.objection(wish.request(), wish.start(), window.grid(), changed(before, slot, target));
        if (suits.isPresent() || !slot.overlaps(before.slot())) {
            throw new Refused("Reservation " + wish.held() + " is of another kind or time.");
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

    /** The reservation with another slot and need; without node names if nodes are given back, as it is not known which. */
    private static Reservation changed(Reservation held, TimeSlot slot, Need need) {
        var names = need.amount() == held.granted().amount() ? held.nodeNames() : List.<String>of();
        return new Reservation(held.id(), held.key(), slot, need, names);
    }
}
