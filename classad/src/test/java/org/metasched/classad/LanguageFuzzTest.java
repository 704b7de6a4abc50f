package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Random;

/**
 * Fuzzing: nothing but a syntax error may come out of any text. Without {@code JAZZER_FUZZ=1} in the environment the inputs of
 * the test resources are run once; with it, each method looks for new ones (run one method at a time, {@code -Dtest=...#...}).
 */
class LanguageFuzzTest {

    private static final Limits SMALL = new Limits(1 << 16, 500, 400, 100_000, 10_000, 1 << 16, 100_000);
    private static final ClassAd OTHER =
            ClassAd.EMPTY.with("Memory", 64).with("Arch", "INTEL").with("Requirements", AttributeRef.to("Memory"));

    @FuzzTest(maxDuration = "60s")
    void readsAnyBytesAsAnyForm(FuzzedDataProvider data) {
        Syntax syntax = data.pickValue(Syntax.values());
        Reading reading = new Reading(syntax, data.pickValue(Mode.values()), data.pickValue(Dialect.values()), SMALL);
        String text = data.consumeRemainingAsString();
        try {
            ClassAd ad = ClassAd.parse(text, reading);
            exercise(ad, reading);
        } catch (ClassAdSyntaxException expected) {
            assertThat(expected.line()).isPositive();
        }
        try {
            Expr.parse(text, reading).evaluate(Scope.of(OTHER, reading.mode(), SMALL));
        } catch (ClassAdSyntaxException expected) {
            assertThat(expected.line()).isPositive();
        }
    }

    @FuzzTest(maxDuration = "60s")
    void evaluatesAnyTree(FuzzedDataProvider data) throws ClassAdSyntaxException {
        var expressions = new RandomExpressions(new Random(data.consumeLong()));
        ClassAd ad = expressions.ad(data.consumeInt(1, 6));
        exercise(ad, Reading.NEW.with(SMALL));
    }

    private static void exercise(ClassAd ad, Reading reading) throws ClassAdSyntaxException {
        var context = new MatchContext(reading.mode(), reading.dialect(), SMALL);
        context.left(ad);
        context.right(OTHER);
        context.symmetricMatch();
        context.rightRank();
        for (String name : ad.names()) {
            ad.evaluate(name, context.leftScope()).print();
            ad.lookup(name)
                    .orElseThrow()
                    .flatten(Scope.of(ad, reading.mode(), SMALL))
                    .print();
            ad.lookup(name).orElseThrow().references(ad, reading.mode());
        }
        for (Syntax syntax : Syntax.values()) {
            ad.print(syntax);
        }
        // The reference prints a minus without the blank before its number, to which it then belongs; before a zero it
        // is
        // gone at the next reading. So printing may take some turns to come to rest, each shorter than the one before.
        Reading plain = Reading.NEW.with(reading.dialect());
        String printed = ClassAd.parse(ad.print(), plain).print();
        String again = ClassAd.parse(printed, plain).print();
        while (!again.equals(printed)) {
            if (again.length() >= printed.length()) {
                throw new AssertionError("printed as %s, read as %s".formatted(printed, again));
            }
            printed = again;
            again = ClassAd.parse(printed, plain).print();
        }
    }
}
