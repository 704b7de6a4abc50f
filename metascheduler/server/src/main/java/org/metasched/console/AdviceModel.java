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
 * @param code why it would be refused, with a reason; without plans
 */
record AdviceModel(String code, String reason, List<Plan> plans, List<Plan> nearest) {

    /**
     * One way to have it.
     *
     * @param other than was asked for
     * @param fields of the form that offers it; empty when no form can
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
                        .map(one -> new Plan(one.words(), one.way(), fields.apply(one.request(), one.way())))
                        .toList());
    }
}
