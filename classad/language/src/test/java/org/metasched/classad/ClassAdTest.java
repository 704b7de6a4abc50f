package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    @Test
    void gettersGiveValuesOfJavaAndNameWhatIsWrong() throws Exception {
        ClassAd ad = ClassAd.parse(
                "[ N = 2 + 3; Big = 5000000000; R = 0.5; S = \"x\"; B = N > 4; L = { N, S }; A = [ x = 1 ] ]");

        assertThat(ad.getInt("n")).isEqualTo(5);
        assertThat(ad.getLong("Big")).isEqualTo(5_000_000_000L);
        assertThat(ad.getDouble("N") + ad.getDouble("R")).isEqualTo(5.5);
        assertThat(ad.getString("S")).isEqualTo("x");
        assertThat(ad.getBoolean("B")).isTrue();
        assertThat(ad.getList("L")).containsExactly(Value.of(5L), Value.of("x"));
        assertThat(ad.getAd("A").getInt("x")).isEqualTo(1);
        assertThat(ad.getInt("None", 7) + ad.getString("None", "y")).isEqualTo("7y");
        assertThat(ad.getInt("N", 7)).isEqualTo(5);
        assertThatThrownBy(() -> ad.getInt("None"))
                .hasMessage("The attribute None is undefined, expected an integer of 32 bits.");
        assertThatThrownBy(() -> ad.getInt("Big")).hasMessageContaining("Big is 5000000000, expected");
        assertThatThrownBy(() -> ad.getBoolean("S", true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The attribute S is \"x\", expected a boolean.");
    }

    @Test
    void aMapGoesInAndComesOut() throws Exception {
        var map = new LinkedHashMap<String, Object>();
        map.put("Owner", "ann");
        map.put("Size", 28L);
        map.put("Share", 0.5);
        map.put("Idle", true);
        map.put("Wait", Duration.ofSeconds(90));
        map.put("Since", OffsetDateTime.parse("2026-01-05T08:00:00+01:00"));
        map.put("None", null);
        map.put("Machines", List.of("a", List.of(1L), Map.of("x", 1L)));

        ClassAd ad = ClassAd.fromMap(map);

        assertThat(ad.toMap()).isEqualTo(map).containsExactlyEntriesOf(map);
        assertThat(ClassAd.fromMap(Map.of("N", 3, "M", Expr.parse("N + 1"))).getInt("M"))
                .isEqualTo(4);
        assertThatThrownBy(() -> ClassAd.fromMap(Map.of("T", Thread.currentThread())))
                .hasMessageContaining("The attribute T is a java.lang.Thread");
    }

    @Test
    void aMapOfAHostileAdEnds() throws Exception {
        var text = new StringBuilder("[ T = absTime(99999999999999999); B = { B, B }; a40 = 1");
        for (int i = 0; i < 40; i++) {
            text.append("; a%d = a%d + a%d".formatted(i, i + 1, i + 1));
        }

        Map<String, Object> map = ClassAd.parse(text + " ]").toMap();

        assertThat(map.get("a0")).isEqualTo(Value.ERROR);
        assertThat(map.get("T")).isEqualTo(new Value.AbsTime(99999999999999999L, 0));
        assertThat(map.get("B")).isInstanceOf(List.class);
    }

    @Test
    void nullArgumentsAndAnEmptyNameAreRefusedByName() {
        assertThatThrownBy(() -> ClassAd.parse(null)).hasMessage("The text to parse is null.");
        assertThatThrownBy(() -> Expr.parse(null)).hasMessage("The text to parse is null.");
        assertThatThrownBy(() -> ClassAd.EMPTY.evaluate(null)).hasMessage("The name of an attribute is null.");
        assertThatThrownBy(() -> ClassAd.EMPTY.with("x", (String) null)).hasMessage("The text of a string is null.");
        assertThatThrownBy(() -> ClassAd.EMPTY.with("x", (Expr) null))
                .hasMessage("The value of the attribute x is null.");
        assertThatThrownBy(() -> Scope.of(null)).hasMessage("The ad of the scope is null.");
        assertThatThrownBy(() -> Literal.TRUE.evaluate(null)).hasMessage("The scope of the evaluation is null.");
        assertThatThrownBy(() -> MatchContext.of(null, ClassAd.EMPTY)).hasMessage("The left ad is null.");
        assertThatThrownBy(() -> new ClassAd.Builder().set("", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The name of an attribute is empty.");
        assertThatThrownBy(() -> ClassAd.parse("[ a = 1; '' = 2 ]"))
                .hasMessageContaining("line 1, column 10: ")
                .hasMessageContaining("the name of an attribute is empty");
    }

    @Test
    void aPairOfAdsStays() {
        ClassAd job = ClassAd.parse("[ Size = 3; Requirements = TARGET.Memory > Size; Rank = Memory ]");
        ClassAd machine = ClassAd.parse("[ Memory = 4; Requirements = TARGET.Size < 9 ]");

        MatchContext.MatchPair pair = MatchContext.of(job, machine);

        assertThat(pair.matches() && pair.leftAccepts() && pair.rightAccepts()).isTrue();
        assertThat(pair.leftRank()).isEqualTo(4.0);
        assertThat(pair.evaluate(Expr.parse("Memory - Size"))).isEqualTo(Value.of(1L));
        assertThat(MatchContext.of(job.with("Size", 5), machine).matches()).isFalse();
    }

    @Test
    void aSpanIsPrintedWithAllItsDigits() {
        ClassAd ad =
                ClassAd.fromMap(Map.of("T", new Value.RelTime(0.123456789), "L", List.of(new Value.RelTime(61.25))));

        assertThat(ad.print()).isEqualTo("[ L = { relTime(\"01:1.25\") }; T = relTime(\"0.123456789\") ]");
    }

    @Test
    void aCallIsNamedByAnyText() {
        Call call = Call.of("Größe", List.of());

        assertThat(call.isNamed("größe")).isTrue();
        assertThat(call.isNamed("grose")).isFalse();
    }
}
