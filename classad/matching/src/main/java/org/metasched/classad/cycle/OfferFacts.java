package org.metasched.classad.cycle;

import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/** Facts that a cycle reads from an offer's ad. */
final class OfferFacts {

    private OfferFacts() {}

    /** The submitter that pays for an offer whose ad shows a claim, as a machine's ad does; empty for any other. */
    static Optional<String> payer(ClassAd offer) {
        boolean claimed = text(offer, "State")
                .filter(state -> state.equalsIgnoreCase("Claimed") || state.equalsIgnoreCase("Preempting"))
                .isPresent();
        return claimed ? text(offer, "AccountingGroup").or(() -> text(offer, "RemoteUser")) : Optional.empty();
    }

    /** The weight of an offer's slot: {@code SlotWeight}, or 1 if that is missing, negative or no finite number. */
    static double weight(ClassAd offer) {
        return number(offer, "SlotWeight").filter(value -> value >= 0).orElse(1.0);
    }

    /** Whether an offer may be matched several times in a cycle, its {@code CurMatches} rising with each match. */
    static boolean wantsRevaluation(ClassAd offer) {
        return value(offer, "WantAdRevaluate").satisfies();
    }

    /** The value of an attribute of an ad by itself, if it is an integer or a finite real. */
    static Optional<Double> number(ClassAd ad, String attribute) {
        Value value = value(ad, attribute);
        boolean isNumber = value instanceof Value.Int || value instanceof Value.Real;
        return isNumber && Double.isFinite(value.rank()) ? Optional.of(value.rank()) : Optional.empty();
    }

    /** Value of an attribute of an ad by itself. */
    static Value value(ClassAd ad, String attribute) {
        return ad.evaluate(attribute, Scope.of(ad, LookupMode.OLD));
    }

    private static Optional<String> text(ClassAd ad, String attribute) {
        return value(ad, attribute) instanceof Value.Text text && !text.text().isBlank()
                ? Optional.of(text.text())
                : Optional.empty();
    }
}
