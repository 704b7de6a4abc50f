package org.metasched.classad.match;

import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;

/**
 * Counts of the offers of a pool that match a customer, or one port of it, and the reasons why others do not. Counts cover the offers that
 * the caller chose: all offers of the pool, or only those not yet taken. Several offers of one ad count as one.
 *
 * @param offers number of offers
 * @param meetingConstraint number of them that meet the customer's constraint
 * @param acceptingCustomer number of them that accept the customer
 * @param matching number of them that do both, as far as that is decided before other ports are bound
 * @param clauses the conjuncts that an offer alone decides: those of the customer's constraint, and those passed on from other ports or from
 *     docked offers
 * @param waiting the conjuncts that also depend on neighbours at other ports: the numbers above count them as met; none if there is just
 *     one port
 * @param refusals conditions by which offers that meet the constraint (all offers, if none does) refuse the customer, the costliest first
 * @param conflicts pairs of clauses each of which some offer of the pool, free or taken, meets while no offer meets both; at most 10
 * @param notes texts on faults of the customer itself
 */
public record PoolVerdict(
        ClassAd customer,
        int offers,
        int meetingConstraint,
        int acceptingCustomer,
        int matching,
        List<Clause> clauses,
        List<Waiting> waiting,
        List<Refusal> refusals,
        List<Conflict> conflicts,
        List<String> notes) {

    /**
     * A conjunct that the offer must meet.
     *
     * @param met number of offers that meet it
     * @param alone number of offers that do not match, but would if this conjunct were dropped
     * @param matchingWithout number of offers that would match if it were dropped, with those that match anyway
     * @param neverMet whether no offer of the pool, free or taken, satisfies it
     * @param sees the operands of the conjunct that do not depend on the offer, with their values, in words; empty if there are none
     * @param inPool why no offer meets the conjunct, in words: its value, if that is the same for every offer (false, UNDEFINED or ERROR), else
     *     the values in the pool of the attribute that it tests; empty if some offer meets it, or if it tests no single attribute
     * @param relaxations weaker forms with the number of offers that would match: nearest bounds, or most frequent values, first
     */
    public record Clause(
            String expression,
            int met,
            int alone,
            int matchingWithout,
            boolean neverMet,
            String sees,
            Optional<String> inPool,
            List<Relaxation> relaxations) {
        public Clause {
            relaxations = List.copyOf(relaxations);
        }
    }

    /** A weaker clause, and the number of offers that would match with it instead. */
    public record Relaxation(String expression, int matching) {}

    /** A conjunct, and the labels of the ports that must be bound before it is decided. */
    public record Waiting(String expression, List<String> labels) {
        public Waiting {
            labels = List.copyOf(labels);
        }
    }

    /**
     * A condition by which offers refuse a customer.
     *
     * @param expression the condition; conditions that differ just in a constant are one, with all their constants
     * @param offers number of offers that refuse by this condition
     * @param alone number of them that refuse by no other condition
     * @param because attributes of the customer on which it fails, in words, or empty
     */
    public record Refusal(String expression, int offers, int alone, String because) {}

    /** Two clauses that exclude each other in this pool. */
    public record Conflict(String one, String other) {}

    public PoolVerdict {
        clauses = List.copyOf(clauses);
        waiting = List.copyOf(waiting);
        refusals = List.copyOf(refusals);
        conflicts = List.copyOf(conflicts);
        notes = List.copyOf(notes);
    }
}
