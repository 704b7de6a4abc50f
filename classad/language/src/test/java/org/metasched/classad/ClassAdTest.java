package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassAdTest {

    @Test
    void evaluatesAnAttributeThroughOthers() throws Exception {
        var ad = ClassAd.parse("[ Memory = 2 * Base; base = 1024; Arch = \"INTEL\" ]");

        assertThat(ad.evaluate("memory")).isEqualTo(Value.of(2048L));
        assertThat(ad.evaluate("nosuch")).isEqualTo(Value.UNDEFINED);
        assertThat(ad.names()).containsExactly("Memory", "base", "Arch");
    }

    @Test
    void keepsTheFirstSpellingAndTheLastExpressionOfARepeatedName() throws Exception {
        var ad = ClassAd.parse("[ Abc = 1; x = 2; aBC = 3 ]");

        assertThat(ad.print()).isEqualTo("[ x = 2; Abc = 3 ]");
        assertThat(ad.with("ABC", 4).print()).isEqualTo("[ x = 2; Abc = 4 ]");
        assertThat(ad.without("abc").print()).isEqualTo("[ x = 2 ]");
    }

    /** A map of a thousand customers that differ in their values only is not a list. */
    @Test
    void adsOfTheSameNamesHaveDifferentHashes() throws Exception {
        var hashes = new HashSet<Integer>();
        for (int i = 0; i < 1_000; i++) {
            hashes.add(ClassAd.parse("[ Size = %d; Requirements = TARGET.Memory > %d ]".formatted(i / 10, i % 10))
                    .hashCode());
        }

        assertThat(hashes).hasSizeGreaterThan(900);
        assertThat(ClassAd.parse("[ A = 1; b = 2.0; c = { \"x\" } ]"))
                .isEqualTo(ClassAd.parse("[ C = { \"x\" }; B = 2.0; a = 1 ]"))
                .hasSameHashCodeAs(ClassAd.parse("[ C = { \"x\" }; B = 2.0; a = 1 ]"));
    }

    @Test
    void pointsAtTheErrorWithACaret() {
        assertThatThrownBy(() -> ClassAd.parse("[\n  Rank = 1;\n  Constraint = a &&;\n]"))
                .isInstanceOfSatisfying(ClassAdSyntaxException.class, e -> {
                    assertThat(e.line()).isEqualTo(3);
                    assertThat(e.column()).isEqualTo(20);
                })
                .hasMessage("line 3, column 20: expected an expression, found ';'\n"
                        + "    Constraint = a &&;\n"
                        + "                     ^");
    }

    @Test
    void matchesTwoAdsThatAcceptEachOther() throws Exception {
        var context = new MatchContext(LookupMode.OLD);
        context.left(ClassAd.parse(
                "[ Requirements = TARGET.Memory >= Need && Arch == \"intel\"; Need = 31; Rank = Memory ]"));
        context.right(ClassAd.parse("[ Requirements = other.Need < 100; Memory = 64; Arch = \"INTEL\" ]"));

        assertThat(context.symmetricMatch()).isTrue();
        assertThat(context.leftRank()).isEqualTo(64.0);

        context.right(ClassAd.parse("[ Memory = 64 ]"));
        assertThat(context.symmetricMatch()).isFalse();
        assertThat(context.leftRequirements()).isEqualTo(Value.UNDEFINED);
    }

    @Test
    void whichSideRefusedThePairBeforeMakesNoDifference() throws Exception {
        ClassAd yes = ClassAd.parse("[ Requirements = true ]");
        ClassAd no = ClassAd.parse("[ Requirements = false ]");
        var context = new MatchContext(LookupMode.OLD);
        var random = new java.util.Random(17);
        for (int i = 0; i < 200; i++) {
            boolean left = random.nextBoolean();
            boolean right = random.nextBoolean();
            context.left(left ? yes : no);
            context.right(right ? yes : no);
            assertThat(context.symmetricMatch()).isEqualTo(left && right);
        }
    }

    @Test
    void bindsLabelsOneAtATime() throws Exception {
        var labels = LabelBindings.of("cpu", "license");
        var port = ClassAd.parse("[ ImageSize = 28; Constraint = cpu.Memory >= ImageSize && Owner == \"raman\" ]");
        var scope = labels.scope(port, ClassAd.parse("[ Owner = \"raman\" ]"));

        assertThat(port.evaluate("Constraint", scope)).isEqualTo(Value.UNDEFINED);
        labels.bind(0, Scope.of(ClassAd.parse("[ Memory = Half * 2; Half = 14 ]")));
        assertThat(port.evaluate("Constraint", scope)).isEqualTo(Value.TRUE);
        labels.bind(0, Scope.of(ClassAd.parse("[ Memory = 27 ]")));
        assertThat(port.evaluate("Constraint", scope)).isEqualTo(Value.FALSE);
    }

    @Test
    void flattensToWhatTheOtherSideMustSay() throws Exception {
        var scope = Scope.of(ClassAd.parse("[ Need = 5 ]"));

        assertThat(Expr.parse("TARGET.Memory >= Need && Need > 3")
                        .flatten(scope)
                        .print())
                .isEqualTo("TARGET.Memory >= 5");
        assertThat(Expr.parse("TARGET.Memory >= Need && Need > 9").flatten(scope))
                .isEqualTo(Literal.of(false));
    }

    @Test
    void findsANameWhereverAnAdHasIt() throws Exception {
        Expr sum = Expr.parse("a + b");

        for (int round = 0; round < 3; round++) {
            var both = List.of("a = 1; b = 2", "b = 2; a = 1", "x%d = 0; B = 2; A = 1", "a = 3 - b; y%d = 5; b = 2");
            for (String text : both) {
                Scope place = Scope.of(ClassAd.parse("[ %s ]".formatted(text.formatted(round))));
                assertThat(sum.evaluate(place)).as(text).isEqualTo(Value.of(3));
            }
            for (String text : List.of("a = 1; c = 2", "b = 2", "z%d = 1; ab = 2", "")) {
                Scope place = Scope.of(ClassAd.parse("[ %s ]".formatted(text.formatted(round))));
                assertThat(sum.evaluate(place)).as(text).isEqualTo(Value.UNDEFINED);
            }
        }
    }

    @Test
    void splitsAConjunctionThroughParentheses() throws Exception {
        var conjuncts = Expr.parse("a && (b < 3 && c) && (d || e)").conjuncts();

        assertThat(conjuncts).extracting(Expr::print).containsExactly("a", "b < 3", "c", "(d || e)");
    }
}
