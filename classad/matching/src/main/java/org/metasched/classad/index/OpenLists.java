package org.metasched.classad.index;

import java.util.List;
import java.util.Set;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Call;
import org.metasched.classad.Expr;
import org.metasched.classad.ListExpr;
import org.metasched.classad.Literal;
import org.metasched.classad.Selection;

/**
 * Lists with elements other than constants. In the reference dialect, a function evaluates the elements in the scope of its call, so its
 * result may depend on names of the requesting ad that only the list mentions.
 */
final class OpenLists {

    /** The functions, in lower case, that evaluate the elements of a list that is their first argument. */
    private static final Set<String> OF_FIRST = Set.of("sum", "avg", "min", "max", "join");

    /** The functions that evaluate the elements of a list that is their second argument. */
    private static final Set<String> OF_SECOND = Set.of(
            "member",
            "identicalmember",
            "anycompare",
            "allcompare",
            "regexpmember",
            "quantize",
            "evalineachcontext",
            "countmatches",
            "join");

    private OpenLists() {}

    /** Whether expressions have such a list. */
    static boolean in(List<Expr> all) {
        for (Expr expr : all) {
            boolean isOpen =
                    expr instanceof ListExpr list && !list.elements().stream().allMatch(Literal.class::isInstance);
            if (isOpen || !(expr instanceof Literal) && in(expr.children())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a function or a selection in the expression may read a list of another ad, that is, one not written out in the expression. */
    static boolean mayBeReadBy(Expr expr) {
        if (expr instanceof Call call) {
            for (int i = 0; i < Math.min(2, call.arguments().size()); i++) {
                if ((i == 0 ? OF_FIRST : OF_SECOND).stream().anyMatch(call::isNamed)
                        && mayBeListOfOtherAd(call.arguments().get(i).bare())) {
                    return true;
                }
            }
        }
        return expr instanceof Selection selection && !(selection.base().bare() instanceof AttributeRef)
                || expr.children().stream().anyMatch(OpenLists::mayBeReadBy);
    }

    private static boolean mayBeListOfOtherAd(Expr argument) {
        return !(argument instanceof Literal
                || argument instanceof ListExpr
                || argument instanceof Call call && call.isNamed("split"));
    }
}
