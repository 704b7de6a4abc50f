package org.metasched.agreement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An event in the life of an agreement.
 *
 * @param what description for people, of one line
 */
public record AgreementEvent(Instant at, Kind kind, String what) {

    /** Most events of one agreement that its history returns. */
    public static final int MOST = 10_000;

    /** The subject of an event. */
    public enum Kind {
        /** The offer arrived. */
        OFFER,
        /** Figures of the negotiation. */
        NEGOTIATION,
        /** The agreement went from one state to another. */
        STATE,
        /** The reservation of a part went from one state to another. */
        PART,
        /** The state of a guarantee changed. */
        GUARANTEE,
        /** A penalty or reward became due. */
        COMPENSATION
    }

    /** Events between two versions of an agreement. Version 0 was never saved: after it, the first event is the arrival of the offer. */
    public static List<AgreementEvent> between(Agreement before, Agreement after) {
        var events = new ArrayList<AgreementEvent>();
        if (before.version() == 0) {
            var offer = before.offer();
            events.add(new AgreementEvent(
                    after.created(),
                    Kind.OFFER,
                    "offer " + offer.key().id() + " from template " + offer.template() + ", "
                            + offer.alternatives().size()
                            + (offer.alternatives().size() == 1 ? " alternative" : " alternatives")));
        }
        var at = after.changed();
        if (!before.effort().equals(after.effort())) {
            events.add(new AgreementEvent(at, Kind.NEGOTIATION, after.effort().words()));
        }
        if (before.state() != after.state()) {
            var why = after.reason().filter(r -> !before.reason().equals(after.reason()));
            events.add(new AgreementEvent(
                    at,
                    Kind.STATE,
                    before.state().term() + " to " + after.state().term()
                            + why.map(w -> ": " + w).orElse("")));
        }
        parts(before, after, events);
        after.guarantees().forEach((name, state) -> {
            var old = before.guarantees().get(name);
            if (old != null && old != state) {
                events.add(new AgreementEvent(at, Kind.GUARANTEE, name + ": " + old.term() + " to " + state.term()));
            }
        });
        compensations(before, after, events);
        return events;
    }

    private static void compensations(Agreement before, Agreement after, List<AgreementEvent> events) {
        var due = after.compensations();
        for (int i = 0; i < due.size(); i++) {
            var old = before.assessments().get(i);
            var current = after.assessments().get(i);
            if (current.times() > old.times()) {
                var compensation = due.get(i).getValue();
                events.add(new AgreementEvent(
                        after.changed(),
                        Kind.COMPENSATION,
                        due.get(i).getKey() + ": " + compensation.kind().name().toLowerCase(Locale.ROOT) + " of "
                                + (current.total() - old.total()) + " " + compensation.unit() + ", " + current.times()
                                + " so far, " + current.total() + " in all"));
            }
        }
    }

    private static void parts(Agreement before, Agreement after, List<AgreementEvent> events) {
        for (int i = 0; i < after.commitments().size(); i++) {
            var part = after.commitments().get(i);
            var held = part.reservation();
            var old = before.commitments().stream().skip(i).findFirst();
            var replaced = old.map(SiteCommitment::reservation)
                    .filter(was -> !was.key().equals(held.key()));
            String what = part.term() + " at " + part.site() + ", " + held.id() + ": "
                    + old.map(was -> was.state() + " to ").orElse("") + part.state()
                    + part.run().map(run -> ", program " + run.status().state()).orElse("")
                    + replaced.map(was -> ", in the place of " + was.id()).orElse("")
                    + (part.isDegraded() ? ", without nodes " + part.lostNodes() : "");
            if (!old.equals(Optional.of(part))) {
                events.add(new AgreementEvent(after.changed(), Kind.PART, what));
            }
        }
    }
}
