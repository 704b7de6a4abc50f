package org.metasched.classad.match;

import java.util.List;
import java.util.Map;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;

/**
 * The reasons why two ads match or do not.
 *
 * @param matches whether both constraints are true
 * @param customerSide the conjuncts of the customer's constraint, in the order of the text
 * @param offerSide the conjuncts of the offer's constraint
 * @param rank the customer's rank of the offer
 * @param offerRank the offer's rank of the customer
 * @param notes faults of the ads themselves: no constraint, circular references and the like
 */
public record Verdict(
        ClassAd customer,
        ClassAd offer,
        boolean matches,
        List<Conjunct> customerSide,
        List<Conjunct> offerSide,
        double rank,
        double offerRank,
        List<String> notes) {

    /**
     * One condition.
     *
     * @param expression its text
     * @param value its value
     * @param met whether the value satisfies the constraint
     * @param operands its operands and their values
     */
    public record Conjunct(String expression, Value value, boolean met, Map<String, Value> operands) {}

    public Verdict {
        customerSide = List.copyOf(customerSide);
        offerSide = List.copyOf(offerSide);
        notes = List.copyOf(notes);
    }
}
