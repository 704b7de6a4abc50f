package org.metasched.classad;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Name;

/** The built-in attributes, such as {@code self} and {@code parent}, which an ad has unless it has an attribute of that name. */
final class BuiltInAttributes {

    /**
     * The expression to which a name is bound.
     *
     * @param scope the scope of the ad that has the name
     * @param isAttribute false for a built-in attribute
     */
    record Found(Expr expr, Scope scope, boolean isAttribute) {

        /** Whether both are the same expression in the same scope: if it is found again while it is followed, it is circular. */
        boolean isAlso(Found that) {
            return expr == that.expr && scope.isSameAs(that.scope);
        }
    }

    private BuiltInAttributes() {}

    /** Whether a name is a built-in attribute, or one that {@link MatchContext} defines around the ads of a match. */
    static boolean isKnown(Name name) {
        return switch (name.lower()) {
            case "self", "parent", "root", "toplevel", "my", "currenttime" -> true;
            case "target", "other", "ad", "left", "right", "lctx", "rctx" -> true;
            case "symmetricmatch", "leftmatchesright", "rightmatchesleft", "leftrankvalue", "rightrankvalue" -> true;
            default -> false;
        };
    }

    /**
     * The expression of a built-in attribute in a scope whose ad has no attribute of that name; null for other names and, outside the old
     * mode, for {@code MY} and {@code CurrentTime}.
     */
    static @Nullable Expr lookup(Name name, Scope s, EvaluationClock clock) {
        return switch (name.lower()) {
            case "self" -> Literal.exactly(s.record());
            case "parent" -> {
                Scope parent = s.parent();
                yield parent == null ? Literal.UNDEFINED : Literal.exactly(parent.record());
            }
            case "root", "toplevel" -> Literal.exactly(s.root().record());
            case "my" -> s.mode() == LookupMode.OLD ? Literal.exactly(s.record()) : null;
            case "currenttime" -> s.mode() == LookupMode.OLD ? Literal.of(clock.seconds()) : null;
            default -> null;
        };
    }

    /** The first attribute, built-in ones included, of a name from a scope outward; null if there is none. */
    static @Nullable Found find(Name name, Scope from, EvaluationClock clock) {
        for (Scope s = from; s != null; s = s.parent()) {
            Expr expr = s.ad().expression(name);
            if (expr != null) {
                return new Found(expr, s, true);
            }
            Expr special = lookup(name, s, clock);
            if (special != null) {
                return new Found(special, s, false);
            }
        }
        return null;
    }

    /**
     * The attribute to which a reference is bound; in old mode, if the own ads lack the name, that of the opposite ad. Null if
     * there is none.
     */
    static @Nullable Found find(AttributeRef ref, Scope s, EvaluationClock clock) {
        Found found = find(ref.key(), ref.absolute() ? s.root() : s, clock);
        Scope other = s.other();
        return found == null && !ref.absolute() && other != null && s.mode() == LookupMode.OLD
                ? find(ref.key(), other, clock)
                : found;
    }
}
