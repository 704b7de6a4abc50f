package org.metasched.console;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.SiteId;

/**
 * When could I have this? The question as a form, and the answer: plans or, if there is none, why not and what could be had.
 *
 * @param code of a refusal
 * @param reason what is wrong with the question, or why it is refused; empty if nothing
 */
record WhenModel(List<SiteId> sites, OfferForm fields, String code, String reason, Optional<AdviceModel> advice) {

    Optional<SlotQuery> query() {
        return SlotQuery.of(fields);
    }
}
