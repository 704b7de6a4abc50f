package org.metasched.classad.index;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Dialect;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.MatchContext;

/**
 * One side of a docking: an ad and, if it has ports, the docking port, with the label of the other side. Immutable.
 *
 * @param holder the ad
 * @param port the ad inside the list of ports, or null if the ad docks as a whole
 * @param label the name of the other side in a port; TARGET for an ad without ports
 * @param constraint expression that must be true, or null: a side without a constraint matches nothing
 * @param rank expression whose value orders the other sides, or null
 */
public record MatchParty(
        ClassAd holder,
        @Nullable ClassAd port,
        String label,
        @Nullable Expr constraint,
        @Nullable Expr rank) {

    private static final AttributeRef REQUIREMENTS = AttributeRef.to("Requirements");
    private static final AttributeRef CONSTRAINT = AttributeRef.to("Constraint");
    private static final AttributeRef RANK = AttributeRef.to("Rank");

    /** An ad that matches as a whole. TARGET and {@code other} name the other side, and names that the ad lacks are looked up there. */
    public static MatchParty whole(ClassAd ad) {
        return new MatchParty(
                ad, null, "TARGET", constraintOf(ad), ad.lookup(RANK).orElse(null));
    }

    /** A context in which a whole ad faces any other, with the rules and limits of an {@link EvaluationSite}. */
    public static MatchContext facing(ClassAd ad) {
        var context = new MatchContext(LookupMode.OLD, Dialect.PAPER, EvaluationScopes.LIMITS);
        context.left(ad);
        return context;
    }

    /** One port of an ad. A constraint is {@code Requirements}, or else {@code Constraint}. */
    public static MatchParty port(ClassAd holder, ClassAd port, String label) {
        return new MatchParty(
                holder, port, label, constraintOf(port), port.lookup(RANK).orElse(null));
    }

    private static @Nullable Expr constraintOf(ClassAd ad) {
        Expr requirements = ad.lookup(REQUIREMENTS).orElse(null);
        return requirements != null ? requirements : ad.lookup(CONSTRAINT).orElse(null);
    }

    /** Whether the ad docks as a whole: then names that it lacks are looked up on the other side. */
    public boolean isWhole() {
        return port == null;
    }

    /** Whether a name means the other side here, if no attribute has that name. */
    boolean namesOtherSide(String name) {
        return name.equalsIgnoreCase(label) || name.equalsIgnoreCase("target") || name.equalsIgnoreCase("other");
    }

    /** The expression of an attribute seen from the port outward, or null. */
    @Nullable
    Expr attribute(AttributeRef name) {
        Expr inPort = port == null ? null : port.lookup(name).orElse(null);
        return inPort != null ? inPort : holder.lookup(name).orElse(null);
    }
}
