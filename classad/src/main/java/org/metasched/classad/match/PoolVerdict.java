package org.metasched.classad.match;

import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;

/**
 * Why a customer matches so many, or so few, offers of a pool.
 *
 * @param offers how many offers there are
 * @param accepted how many of them meet the customer's constraint
 * @param accepting how many of them accept the customer
 * @param matching how many do both
 * @param clauses the conjuncts of the customer's constraint
 * @param refusals the offers' own conditions by which they refuse the customer, those that cost most offers first
 * @param conflicts pairs of clauses that some offers meet one by one but none together
 * @param notes what is wrong with the customer itself
 */
public record PoolVerdict(
        ClassAd customer,
        int offers,
        int accepted,
        int accepting,
        int matching,
        List<Clause> clauses,
        List<Refusal> refusals,
        List<Conflict> conflicts,
        List<String> notes) {

    /**
     * A conjunct of the customer's constraint.
     *
     * @param met how many offers meet it
     * @param matchingWithout how many offers would match if it were dropped
     * @param neverMet whether nothing in the pool can ever satisfy it
     * @param inPool what the pool has instead, if that can be said in a few words
     * @param relaxations weaker forms and how many offers would match then, the mildest first
     */
    public record Clause(
            String expression,
            int met,
            int matchingWithout,
            boolean neverMet,
            Optional<String> inPool,
            List<Relaxation> relaxations) {}

    /** A weaker clause, and how many offers would match if it stood instead. */
    public record Relaxation(String expression, int matching) {}

    /** A condition of offers, and how many that the customer accepts refuse it for that. */
    public record Refusal(String expression, int offers) {}

    /** Two clauses that exclude each other in this pool. */
    public record Conflict(String one, String other) {}

    public PoolVerdict {
        clauses = List.copyOf(clauses);
        refusals = List.copyOf(refusals);
        conflicts = List.copyOf(conflicts);
        notes = List.copyOf(notes);
    }
}
