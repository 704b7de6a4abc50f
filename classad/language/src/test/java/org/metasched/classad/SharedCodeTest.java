package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedCodeTest {

    private static final List<String> CONSTANTS = List.of(
            "0",
            "1",
            "-3",
            "7",
            "2.5",
            "0.0",
            "-1.25",
            "\"x\"",
            "\"X\"",
            "\"\"",
            "\"yz\"",
            "true",
            "undefined",
            "error");

    /** An attribute with the constant as its value stands for the constant in the other ad, where no code has a parameter. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "A > B",
                "X + A == B",
                "A == X || B == X",
                "T == A && T != B",
                "A == T ? B : A",
                "ifThenElse(X > A, B, A + 1)",
                "(X > (A)) && (X < B) || Y is A",
                "X * A + X * B - A",
                "(T =?= A) ? (X ?: B) : A",
                "Undef ?: A",
                "{ 1, A, B }[0] + A",
                "[ In = A; Of = B ].In == A",
                "strcat(T, A) == strcat(T, B) || X > A",
                "regexp(\"x.*\", T) && X != A && -X < B",
                "(A + 1 > X) && !(X > B)",
                "(X == A) + (X == B)"
            })
    void aConstantCountsAsAnAttributeWithItsValue(String form) throws Exception {
        long seed = 20261128;
        var random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            String a = CONSTANTS.get(random.nextInt(CONSTANTS.size()));
            String b = CONSTANTS.get(random.nextInt(CONSTANTS.size()));
            String own = "X = %d; Y = 7; T = \"x\"".formatted(random.nextInt(5) - 1);
            String written = form.replaceAll("\\bA\\b", "(" + a + ")").replaceAll("\\bB\\b", "(" + b + ")");
            var constants = ClassAd.parse("[ V = %s; %s ]".formatted(written, own));
            var attributes = ClassAd.parse("[ V = %s; %s; A = %s; B = %s ]".formatted(form, own, a, b));

            assertThat(constants.evaluate("V").toString())
                    .as("%s with A = %s, B = %s, %s, seed %d", form, a, b, own, seed)
                    .isEqualTo(attributes.evaluate("V").toString());
        }
    }

    @Test
    void expressionsThatDifferInConstantsHaveOneCode() throws Exception {
        var one = (CompiledExpr.Parametrised)
                Expr.parse("Load < 0.3 && Name == \"a\"").code();
        var two = (CompiledExpr.Parametrised)
                Expr.parse("(Load < 4) && (Name == \"b\")").code();
        var other = (CompiledExpr.Parametrised)
                Expr.parse("Load < 0.3 && Name == 1").code();

        assertThat(two.code).isSameAs(one.code);
        assertThat(other.code).isNotSameAs(one.code);
    }

    /** Each reference leads to code with parameters of its own, and back to those of the expression that refers. */
    @Test
    void parametersOfAnExpressionAreBackAfterAReference() throws Exception {
        var ad = ClassAd.parse("[ V = (X > 10) && (W > 20) && (X < 40); W = X + 1 > 5 ? X : 0; X = 30; ]");
        var alike = ClassAd.parse("[ V = (X > 1) && (W > 2) && (X < 4); W = X + 7 > 9 ? X : 0; X = 3; ]");

        assertThat(ad.evaluate("V")).isEqualTo(Value.TRUE);
        assertThat(alike.evaluate("V")).isEqualTo(Value.TRUE);
    }

    /** An absolute reference and a quoted name that begins with a dot differ, whichever is compiled first. */
    @Test
    void aQuotedNameWithADotIsNoAbsoluteReference() throws Exception {
        var ad = ClassAd.parse("[ x = 1; '.x' = 2; quoted = '.x'; absolute = .x; ]");

        assertThat(Expr.parse("'.x'")).isNotEqualTo(Expr.parse(".x"));
        assertThat(ad.evaluate("quoted")).isEqualTo(Value.of(2));
        assertThat(ad.evaluate("absolute")).isEqualTo(Value.of(1));
    }

    /** Ads that are equal but for the case of their names are written as their own expression writes them. */
    @ParameterizedTest
    @ValueSource(strings = {"%s", "{ %s }", "ifThenElse(x, %s, 1)", "[ In = %s ].In", "undefined ?: %s"})
    void anAdIsWrittenAsInItsOwnExpression(String form) throws Exception {
        for (String nested : List.of("[ Name = 1; Size = 2 ]", "[ NAME = 1; size = 2 ]", "[ name = 1; SIZE = 2 ]")) {
            var ad = ClassAd.parse("[ x = true; v = " + form.formatted(nested) + " ]");

            assertThat(ad.evaluate("v").toString()).contains(nested);
        }
    }
}
