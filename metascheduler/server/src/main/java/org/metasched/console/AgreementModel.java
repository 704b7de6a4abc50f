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

/** One agreement: its parts at the sites, its guarantees, what it cost to find. */
record AgreementModel(Agreement agreement, List<AgreementEvent> history) {

    List<SiteCommitment> programs() {
        return agreement.commitments().stream()
                .filter(part -> part.run().isPresent())
                .toList();
    }

    /**
     * A moment in the life of the agreement.
     *
     * @param kind kind of moment, in one word
     */
    record Moment(Instant at, String kind, String what) {}

    /** Moments in the life of the agreement, past and to come. */
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

    /** The agreement's request, for a form that asks for another; nothing where no form can show it. */
    Optional<SlotRequest> renegotiable(Instant now) {
        var alternatives = agreement.offer().alternatives();
        return alternatives.size() == 1 ? OfferForm.like(alternatives.get(0), now) : Optional.empty();
    }
}
