package org.metasched.console;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.SiteId;

/**
 * The search of a time for a request: the question as a form, and its answer. The answer is a picture of the common slots with plans or,
 * if there is none, why not and what could be had.
 *
 * @param code code of a refusal
 * @param reason fault of the question, or reason of its refusal; empty without either
 */
record FindModel(
        List<SiteId> sites,
        OfferForm fields,
        String code,
        String reason,
        Optional<AdviceModel> advice,
        Optional<PictureModel> picture) {}
