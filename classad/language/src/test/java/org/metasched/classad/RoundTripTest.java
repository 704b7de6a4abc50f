package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Printing and parsing is the identity. {@code -Dclassad.trees=1000000} makes a million trees, {@code -Dclassad.seed} repeats. */
@Tag("slow")
class RoundTripTest {

    private static final int TREES = Integer.getInteger("classad.trees", 20_000);
    private static final long SEED = Long.getLong("classad.seed", System.nanoTime());

    @Test
    void parsingWhatWasPrintedGivesTheTreeAgain() {
        System.out.println("RoundTripTest: -Dclassad.seed=" + SEED + " -Dclassad.trees=" + TREES);
        var expressions = new RandomExpressions(new Random(SEED));

        for (int i = 0; i < TREES; i++) {
            Expr expr = expressions.next(4);
            String text = expr.print();

            Expr again = parsed(text, ReadOptions.NEW);
            assertThat(again.equals(expr))
                    .as("tree %d: %s became %s", i, text, again)
                    .isTrue();
            assertThat(again.print()).isEqualTo(text);
        }
    }

    @Test
    void adsSurviveEveryWrittenForm() throws Exception {
        var expressions = new RandomExpressions(new Random(SEED));

        for (int i = 0; i < TREES / 10; i++) {
            ClassAd ad = expressions.ad(3);

            assertThat(ClassAd.parse(ad.print())).as("ad %d", i).isEqualTo(ad);
            for (Syntax syntax : new Syntax[] {Syntax.JSON, Syntax.XML}) {
                // Relative times become numbers and zero loses its sign there, so the texts are compared.
                ClassAd again = ClassAd.parse(ad.print(syntax), ReadOptions.NEW.with(syntax));
                assertThat(again.print(syntax)).as("%s of ad %d", syntax, i).isEqualTo(ad.print(syntax));
            }
        }
    }

    @Test
    void evaluationOfATreeAndOfItsTextAgree() {
        var expressions = new RandomExpressions(new Random(SEED));
        Scope scope = Scope.of(
                ClassAd.of(
                        java.util.List.of("a", "B", "Memory"),
                        java.util.List.of(Literal.of(1), Literal.of("abc"), expressions.next(2))),
                LookupMode.OLD);

        for (int i = 0; i < TREES / 10; i++) {
            Expr expr = expressions.next(4);

            Value value = expr.evaluate(scope);
            assertThat(parsed(expr.print(), ReadOptions.NEW).evaluate(scope).print())
                    .as("value of %s", expr)
                    .isEqualTo(value.print());
        }
    }

    private static Expr parsed(String text, ReadOptions reading) {
        try {
            return Expr.parse(text, reading);
        } catch (ClassAdSyntaxException e) {
            return fail("seed %d: %s", SEED, e.getMessage());
        }
    }
}
