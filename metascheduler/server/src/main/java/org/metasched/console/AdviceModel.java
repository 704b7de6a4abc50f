package org.metasched.console;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferAdvice.Way;

/**
 * The advice about an offer.
 *
 * @param code code of the refusal; empty when there are plans
 */
record AdviceModel(String code, String reason, List<Plan> plans, List<Plan> nearest) {

    /**
     * One way to grant a request.
     *
     * @param other difference from the request, in words; empty for a plan of the request itself
     * @param fields fields of the form that offers the plan; empty when no form can
     */
    record Plan(String other, Way way, Map<String, String> fields) {}

    static AdviceModel of(OfferAdvice advice, BiFunction<AgreementRequest, Way, Map<String, String>> fields) {
        return new AdviceModel(
                advice.code().map(Enum::name).orElse(""),
                advice.reason(),
                advice.ways().stream()
                        .map(way -> new Plan("", way, fields.apply(way.request(), way)))
                        .toList(),
                advice.nearest().stream()
                        .map(near -> new Plan(near.words(), near.way(), fields.apply(near.request(), near.way())))
                        .toList());
    }
}
