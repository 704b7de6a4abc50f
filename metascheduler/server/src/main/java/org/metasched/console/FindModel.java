package org.metasched.console;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.SiteId;

/**
 * A time for a request: the question as a form, and the answer: a picture of the common slots with plans or, if there is none, why not and what
 * could be had.
 *
 * @param code of a refusal
 * @param reason what is wrong with the question, or why it is refused; empty if nothing
 */
record FindModel(
        List<SiteId> sites,
        OfferForm fields,
        String code,
        String reason,
        Optional<AdviceModel> advice,
        Optional<PictureModel> picture) {}
