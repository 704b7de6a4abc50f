package org.metasched.classad.match;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;

/** Keys of clauses: equal keys mean that the clauses are met by the same ads. */
final class ClauseKeys {

    private record TestKey(String attribute, BinaryOperator operator, Value value) {}

    private record ResidualKey(Expr residual, boolean whole, String label) {}

    private static final Set<String> SELF = Set.of("my", "self", "parent", "root", "toplevel");

    private ClauseKeys() {}

    /** A key with all that is known filled in; an object equal to nothing else if that cannot be told. */
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
        Expr residual = place.withOwnAttributes(opaque.expr(), opaque.level());
        // What is left of an own attribute stays behind its name, and would be different under the same name elsewhere.
        for (String name : residual.names()) {
            if (place.find(name, opaque.level()) != null || SELF.contains(name.toLowerCase(Locale.ROOT))) {
                return new Object();
            }
        }
        return new ResidualKey(residual, place.side().isWhole(), place.side().label());
    }

    static List<Object> of(List<Clause> clauses) {
        return clauses.stream().map(ClauseKeys::of).toList();
    }
}
