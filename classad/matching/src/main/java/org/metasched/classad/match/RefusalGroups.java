package org.metasched.classad.match;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Expr;
import org.metasched.classad.Selection;
import org.metasched.classad.Value;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.MissingAttribute;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.PartialValue;

/**
 * The conditions by which offers refuse a customer, counted. Conditions that compare the same attribute of the customer by the same
 * operator, and differ only in the constant, count as one: machines may have limits of their own. Used once.
 */
final class RefusalGroups {

    /** The most conditions in the result, offers that are read, and attributes that a condition names. */
    private static final int MOST = 20;

    private static final int MOST_OFFERS = 20_000;
    private static final int MOST_REASONS = 4;

    /** A condition of one offer, its clause while the customer is unknown, and the key under which it is counted. */
    private record Condition(Object key, Clause open, EvaluationSite.Conjunct conjunct) {

        private String text() {
            return key instanceof String text
                    ? text.strip()
                    : conjunct.expr().print().strip();
        }
    }

    private record Comparison(String subject, BinaryOperator operator) {}

    /** One line of the result while it is being counted. */
    private static final class Tally {
        final String text;
        final Set<Value> constants = new LinkedHashSet<>();
        final String because;
        int offers;
        int alone;

        Tally(String text, String because) {
            this.text = text;
            this.because = because;
        }
    }

    private final EvaluationSite customer;
    private final Map<Object, Tally> tallies = new LinkedHashMap<>();
    /** Whether more offers refuse than were read. */
    private final boolean isCutShort;

    RefusalGroups(EvaluationSite customer, OfferIndex pool, IntUnaryOperator adOf, OfferSet refusing) {
        this.customer = customer;
        int seen = 0;
        int last = -1;
        int offer = refusing.next(0);
        for (; offer >= 0 && seen < MOST_OFFERS; offer = refusing.next(offer + 1)) {
            if (adOf.applyAsInt(offer) != last) {
                last = adOf.applyAsInt(offer);
                seen++;
                count(pool.offer(offer).site());
            }
        }
        this.isCutShort = offer >= 0;
    }

    /** A note, if not all offers were read. */
    Optional<String> note() {
        return isCutShort
                ? Optional.of("The offers' own conditions are those of the first " + MOST_OFFERS
                        + " that refuse; more were not looked at.")
                : Optional.empty();
    }

    /** The conditions, those by which most offers refuse first. */
    List<PoolVerdict.Refusal> worstFirst() {
        return tallies.entrySet().stream()
                .map(entry -> refusal(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingInt(PoolVerdict.Refusal::offers)
                        .reversed()
                        .thenComparing(PoolVerdict.Refusal::expression))
                .limit(MOST)
                .toList();
    }

    private static PoolVerdict.Refusal refusal(Object key, Tally tally) {
        String text = key instanceof Comparison comparison && tally.constants.size() > 1
                ? comparison.subject() + " " + comparison.operator().symbol() + " ("
                        + ClauseRelaxations.list(tally.constants) + ")"
                : tally.text;
        return new PoolVerdict.Refusal(text, tally.offers, tally.alone, tally.because);
    }

    private void count(EvaluationSite offer) {
        var lines = new LinkedHashSet<Tally>();
        for (Condition failure : failed(offer)) {
            Tally tally = tallies.computeIfAbsent(failure.key(), key -> new Tally(failure.text(), because(failure)));
            lines.add(tally);
            if (failure.open() instanceof Clause.Test test) {
                tally.constants.add(test.value());
            }
        }
        lines.forEach(line -> line.offers++);
        lines.forEach(line -> line.alone += lines.size() == 1 ? 1 : 0);
    }

    private List<Condition> failed(EvaluationSite offer) {
        if (offer.side().constraint() == null) {
            String text = offer.side().isWhole() ? "(no Requirements)" : "(no Constraint)";
            return List.of(new Condition(
                    text, Clause.Decided.NOT_MET, offer.conjuncts().get(0)));
        }
        List<Condition> conditions =
                offer.conjuncts().stream().map(RefusalGroups::condition).toList();
        return customer.facing(
                offer,
                () -> conditions.stream()
                        .filter(condition -> condition.conjunct().read() == Clause.Decided.NOT_MET)
                        .toList());
    }

    private static Condition condition(EvaluationSite.Conjunct conjunct) {
        Clause open = conjunct.read();
        Object key = open instanceof Clause.Test test
                ? new Comparison(ClauseRelaxations.subject(test, conjunct), test.operator())
                : conjunct.expr().print();
        return new Condition(key, open, conjunct);
    }

    /** The customer's attributes on which a condition fails. */
    private String because(Condition failure) {
        EvaluationSite offer = failure.conjunct().site();
        Expr constraint = offer.side().constraint();
        if (constraint == null) {
            return "an ad without a constraint matches nothing";
        }
        if (Explanation.isCircular(constraint, offer.side())) {
            return "it refers to itself in a circle, or too far to be followed";
        }
        var reasons = new LinkedHashSet<String>();
        for (MissingAttribute wanted : failure.open().missing()) {
            if (wanted.link() == offer.own()
                    && customer.attribute(wanted.attribute()) instanceof PartialValue.Known known) {
                String name = spelling(failure.conjunct().expr(), wanted.attribute());
                reasons.add((name == null ? wanted.attribute() : name) + " is "
                        + known.value().print());
            }
        }
        return String.join(", ", reasons.stream().sorted().limit(MOST_REASONS).toList());
    }

    /** An attribute's name as an expression spells it. */
    private static @Nullable String spelling(Expr expr, String attribute) {
        Expr bare = expr.bare();
        if (bare instanceof AttributeRef ref && ref.name().equalsIgnoreCase(attribute)) {
            return ref.name();
        }
        if (bare instanceof Selection selection && selection.name().equalsIgnoreCase(attribute)) {
            return selection.name();
        }
        for (Expr child : bare.children()) {
            String found = spelling(child, attribute);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
