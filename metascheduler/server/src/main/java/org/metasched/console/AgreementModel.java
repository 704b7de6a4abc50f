package org.metasched.console;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.SiteCommitment;
import org.metasched.console.OfferApi.SlotRequest;

/** One agreement: its parts at the sites, its guarantees, what it cost to find. */
record AgreementModel(Agreement agreement, List<AgreementEvent> history) {

    List<SiteCommitment> programs() {
        return agreement.commitments().stream()
                .filter(part -> part.run().isPresent())
                .toList();
    }

    /** What a form can ask for instead. */
    Optional<SlotRequest> renegotiable(Instant now) {
        var asked = agreement.offer().alternatives();
        return asked.size() == 1 ? OfferForm.like(asked.get(0), now) : Optional.empty();
    }
}
