package org.metasched.classad.index;

import java.util.List;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;

/** Keys of clauses: equal keys mean that the clauses are met by the same ads. */
final class ClauseKeys {

    private record TestKey(String attribute, BinaryOperator operator, Value value) {}

    private record ResidualKey(Expr residual, boolean whole, String label) {}

    private ClauseKeys() {}

    /** A key with all that is known filled in; an object equal to nothing else if that is unknown. */
    static Object of(Clause clause) {
        if (clause instanceof Clause.Test test) {
            return new TestKey(test.wanted().attribute(), test.operator(), test.value());
        }
        if (clause instanceof Clause.AnyOf any) {
            return any.tests().stream().map(ClauseKeys::of).toList();
        }
        if (clause instanceof Clause.Opaque opaque) {
            return residual(opaque);
        }
        return clause;
    }

    private static Object residual(Clause.Opaque opaque) {
        Place place = opaque.place();
        boolean alone = opaque.wanted().stream().allMatch(wanted -> wanted.bond() == place.own());
        if (!alone || !place.earlier().isEmpty()) {
            return new Object();
        }
        Object residual = place.residual(opaque.expr(), opaque.level());
        return residual instanceof Expr expr
                ? new ResidualKey(expr, place.side().isWhole(), place.side().label())
                : residual;
    }

    static List<Object> of(List<Clause> clauses) {
        return clauses.stream().map(ClauseKeys::of).toList();
    }
}
