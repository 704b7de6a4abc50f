package org.metasched.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.SiteCommitment;
import org.metasched.console.ConsoleOffers.SlotRequest;

/** An agreement, with the history that its page shows. */
record AgreementModel(Agreement agreement, List<AgreementEvent> history) {

    List<SiteCommitment> programs() {
        return agreement.commitments().stream()
                .filter(part -> part.run().isPresent())
                .toList();
    }

    /** @param kind kind of event in one word, which also is its style class */
    record Moment(Instant at, String kind, String what) {}

    /** Events of the agreement, past and to come. */
    List<Moment> life(Instant now) {
        List<Moment> life = new ArrayList<>();
        history.forEach(
                event -> life.add(new Moment(event.at(), event.kind().name().toLowerCase(Locale.ROOT), event.what())));
        agreement.slot().filter(slot -> !agreement.state().isFinal()).ifPresent(slot -> {
            Stream.of(
                            new Moment(slot.start(), "start", "The slot begins."),
                            new Moment(slot.end(), "end", "The slot ends."))
                    .filter(moment -> moment.at().isAfter(now))
                    .forEach(life::add);
        });
        return life;
    }

    /** The agreement's request, for a form that asks for another; empty where there may be no other, or a form would lose a part of the offer. */
    Optional<SlotRequest> renegotiable(Instant now) {
        var offer = agreement.offer();
        return agreement.id().isRandom() && offer.alternatives().size() == 1 && !offer.hasMoreTerms()
                ? OfferForm.like(offer.alternatives().get(0), now)
                : Optional.empty();
    }
}
