package org.metasched.classad.index;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;

/** A conjunct of some constraint, as far as it is decided under a partial binding. */
public sealed interface Clause {

    /** Met by every offer or by none. */
    enum Decided implements Clause {
        MET,
        NOT_MET;

        static Decided of(boolean met) {
            return met ? MET : NOT_MET;
        }
    }

    /** An attribute of an unbound neighbour, compared with a value; indexes answer it. */
    record Test(MissingAttribute wanted, BinaryOperator operator, Value value) implements Clause {}

    /** Any of several tests of the same unbound neighbour. */
    record AnyOf(List<Test> tests) implements Clause {
        public AnyOf {
            tests = List.copyOf(tests);
        }
    }

    /** Any other expression, to be evaluated when all wanted attributes are known. */
    record Opaque(EvaluationSite.Conjunct conjunct, Set<MissingAttribute> wanted) implements Clause {
        public Opaque {
            wanted = Set.copyOf(wanted);
        }

        boolean isMet() {
            return conjunct.value().satisfies();
        }

        private Object residual(boolean openLists) {
            EvaluationSite site = conjunct.site();
            boolean alone = wanted.stream().allMatch(missing -> missing.link() == site.own());
            if (!alone || !site.earlier.isEmpty()) {
                return new Object();
            }
            Object residual = conjunct.residual(openLists);
            return residual instanceof Expr
                    ? List.of(residual, site.side().isWhole(), site.side().label())
                    : residual;
        }
    }

    /** Missing attributes; empty if decided. */
    default Set<MissingAttribute> missing() {
        if (this instanceof Test test) {
            return Set.of(test.wanted());
        }
        if (this instanceof AnyOf any) {
            return any.tests().stream().map(Test::wanted).collect(Collectors.toSet());
        }
        return this instanceof Opaque opaque ? opaque.wanted() : Set.of();
    }

    /**
     * A key with all known values filled in: clauses with equal keys are met by the same ads. Where that cannot be guaranteed, the key
     * equals no other.
     *
     * @param openLists whether one of those ads may have a list with elements other than constants
     */
    default Object key(boolean openLists) {
        if (this instanceof Test test) {
            return List.of(test.wanted().attribute(), test.operator(), test.value());
        }
        if (this instanceof AnyOf any) {
            return any.tests().stream().map(test -> test.key(openLists)).toList();
        }
        return this instanceof Opaque opaque ? opaque.residual(openLists) : this;
    }
}
