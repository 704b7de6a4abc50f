package org.metasched.selection;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.ServiceTermState;
import org.metasched.agreement.guarantee.ServiceLevels;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/** Conditions, objectives and values of guarantees as ClassAd expressions over an ad of the facts. Thread-safe. */
public final class ClassAdServiceLevels implements ServiceLevels {

    /** Facts with which an expression is tried out, so that one of the wrong type is refused. */
    private static final Map<String, Long> SAMPLE =
            FACTS.stream().collect(Collectors.toUnmodifiableMap(name -> name, name -> 1L));

    @Override
    public void check(GuaranteeTerm term) {
        String place = "Guarantee term " + term.name() + ": the ";
        term.condition().ifPresent(c -> check(place + "QualifyingCondition", c, Value.Bool.class));
        term.objective().ifPresent(o -> check(place + "CustomServiceLevel", o, Value.Bool.class));
        term.compensations()
                .forEach(c -> check(place + "ValueExpression", c.value(), Value.Int.class, Value.Real.class));
    }

    @SafeVarargs
    private static void check(String what, String text, Class<? extends Value>... types) {
        var expression = parsed(what, ServiceLevels.withStates(text, term -> ServiceTermState.NOT_READY));
        for (String name : expression.names()) {
            if (FACTS.stream().noneMatch(name::equalsIgnoreCase)) {
                throw new IllegalArgumentException(what + " (" + text + ") speaks of (" + name + "); it may speak of "
                        + FACTS.stream().sorted().collect(Collectors.joining(", ")) + ".");
            }
        }
        var value = expression.evaluate(Scope.of(ad(SAMPLE)));
        if (value != Value.UNDEFINED
                && value != Value.ERROR
                && Stream.of(types).noneMatch(type -> type.isInstance(value))) {
            throw new IllegalArgumentException(what + " (" + text + ") must be "
                    + (types.length == 1 ? "true or false" : "a number") + "; it is " + value + ".");
        }
    }

    @Override
    public Optional<Boolean> holds(String expression, Map<String, Long> facts) {
        return evaluate(expression, facts) instanceof Value.Bool bool ? Optional.of(bool.value()) : Optional.empty();
    }

    @Override
    public double value(String expression, Map<String, Long> facts) {
        double value = evaluate(expression, facts).rank();
        return Double.isFinite(value) ? value : 0;
    }

    private static Value evaluate(String text, Map<String, Long> facts) {
        return parsed("expression", text).evaluate(Scope.of(ad(facts)));
    }

    private static Expr parsed(String what, String text) {
        try {
            return Expr.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException(what + " is not a ClassAd expression: " + e.getMessage(), e);
        }
    }

    private static ClassAd ad(Map<String, Long> facts) {
        var ad = new ClassAd.Builder();
        facts.forEach(ad::set);
        return ad.build();
    }
}
