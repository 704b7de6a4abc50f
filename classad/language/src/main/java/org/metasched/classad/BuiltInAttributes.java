package org.metasched.classad;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Name;

/** Names that every ad answers to when it has no such attribute, and those that the ads around a match define. */
final class BuiltInAttributes {

    /** Where a name was found; {@code isAttribute} is false for {@code self} and the like. */
    record Found(Expr expr, Scope scope, boolean isAttribute) {

        /** Whether this is the same expression in the same place: what needs itself. */
        boolean isAlso(Found that) {
            return expr == that.expr && scope.samePlace(that.scope);
        }
    }

    private BuiltInAttributes() {}

    /** Whether a name may be found without being an attribute of a user's ad, in a match or out of it. */
    static boolean isKnown(Name name) {
        return switch (name.lower()) {
            case "self", "parent", "root", "toplevel", "my", "currenttime" -> true;
            case "target", "other", "ad", "left", "right", "lctx", "rctx" -> true;
            case "symmetricmatch", "leftmatchesright", "rightmatchesleft", "leftrankvalue", "rightrankvalue" -> true;
            default -> false;
        };
    }

    /** Meaning of a special name in an ad that has no such attribute, or null. */
    static @Nullable Expr lookup(Name name, Scope s, EvaluationClock present) {
        return switch (name.lower()) {
            case "self" -> Literal.exactly(s.record());
            case "parent" -> {
                Scope parent = s.parent();
                yield parent == null ? Literal.UNDEFINED : Literal.exactly(parent.record());
            }
            case "root", "toplevel" -> Literal.exactly(s.root().record());
            case "my" -> s.mode() == LookupMode.OLD ? Literal.exactly(s.record()) : null;
            case "currenttime" -> s.mode() == LookupMode.OLD ? Literal.of(present.seconds()) : null;
            default -> null;
        };
    }

    /** The first expression of that name from a place outward. */
    static @Nullable Found find(Name name, Scope from, EvaluationClock present) {
        for (Scope s = from; s != null; s = s.parent()) {
            Expr expr = s.ad().expression(name);
            if (expr != null) {
                return new Found(expr, s, true);
            }
            Expr special = lookup(name, s, present);
            if (special != null) {
                return new Found(special, s, false);
            }
        }
        return null;
    }

    /** Binding of a reference; in old mode perhaps in the other ad of a match. */
    static @Nullable Found find(AttributeRef ref, Scope s, EvaluationClock present) {
        Found found = find(ref.key(), ref.absolute() ? s.root() : s, present);
        Scope other = s.other();
        return found == null && !ref.absolute() && other != null && s.mode() == LookupMode.OLD
                ? find(ref.key(), other, present)
                : found;
    }
}
