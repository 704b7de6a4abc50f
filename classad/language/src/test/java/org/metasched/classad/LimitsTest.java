package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

/** Hostile ads end in ERROR or a syntax error, soon. */
class LimitsTest {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Nanoseconds of processor time. Generous: without limits these take years. */
    private static final long BOUND = 30_000_000_000L;

    @Test
    void refusesNestingThatWouldExhaustTheStack() {
        assertThatThrownBy(() -> Expr.parse("(".repeat(100_000))).isInstanceOf(ClassAdSyntaxException.class);
        assertThatThrownBy(() -> Expr.parse("-".repeat(100_000) + "a")).isInstanceOf(ClassAdSyntaxException.class);
        assertThatThrownBy(() -> Expr.parse("a" + ".a".repeat(100_000))).isInstanceOf(ClassAdSyntaxException.class);
        assertThatThrownBy(() -> Expr.parse("1" + "+1".repeat(100_000))).isInstanceOf(ClassAdSyntaxException.class);
        assertThatThrownBy(() -> Expr.parse("a" + "?:a".repeat(100_000))).isInstanceOf(ClassAdSyntaxException.class);
        assertThatThrownBy(() -> Expr.parse("[a=".repeat(100_000))).isInstanceOf(ClassAdSyntaxException.class);
        assertThatThrownBy(() -> ClassAd.parse("{\"a\":".repeat(100_000), ReadOptions.NEW.with(Syntax.JSON)))
                .isInstanceOf(ClassAdSyntaxException.class);
        assertThatThrownBy(() -> ClassAd.parse("<c><a n=\"a\">".repeat(100_000), ReadOptions.NEW.with(Syntax.XML)))
                .isInstanceOf(ClassAdSyntaxException.class);
    }

    @Test
    void acceptsAsManyParenthesesAsTheReferenceDoes() throws Exception {
        assertThat(Expr.parse("(".repeat(249) + "1" + ")".repeat(249)).evaluate(Scope.NOWHERE))
                .isEqualTo(Value.of(1L));
        assertThatThrownBy(() -> Expr.parse("(".repeat(300) + "1" + ")".repeat(300)))
                .isInstanceOf(ClassAdSyntaxException.class)
                .hasMessageContaining("nested too deeply");
    }

    @Test
    void givesErrorForChainsDeeperThanTheEvaluationMayGo() throws Exception {
        var text = new StringBuilder("[ a1000 = 1");
        for (int i = 0; i < 1000; i++) {
            text.append("; a").append(i).append(" = a").append(i + 1).append(" + 0");
        }
        var ad = ClassAd.parse(text + " ]");

        assertThat(ad.evaluate("a900")).isEqualTo(Value.of(1L));
        assertThat(ad.evaluate("a0")).isEqualTo(Value.ERROR);
        assertThat(Expr.parse("isError(a0)").evaluate(Scope.of(ad))).isEqualTo(Value.ERROR);
    }

    @Test
    void stopsAnEvaluationThatDoublesItsWorkAtEachStep() throws Exception {
        var text = new StringBuilder("[ a64 = b; b = c; c = 1");
        for (int i = 0; i < 64; i++) {
            text.append("; a%d = a%d + a%d".formatted(i, i + 1, i + 1));
        }
        var ad = ClassAd.parse(text + " ]");
        long start = THREADS.getCurrentThreadCpuTime();

        assertThat(ad.evaluate("a0", Scope.of(ad, LookupMode.NEW, Limits.DEFAULT.withEvaluationSteps(1_000_000))))
                .isEqualTo(Value.ERROR);
        assertThat(THREADS.getCurrentThreadCpuTime() - start).isLessThan(BOUND);
    }

    @Test
    void stopsARegularExpressionThatBacktracksWithoutEnd() throws Exception {
        long start = THREADS.getCurrentThreadCpuTime();

        assertThat(Expr.parse("regexp(\"^(a|aa|(q)\\\\2)+$\", \"%s!\")".formatted("a".repeat(60)))
                        .evaluate(Scope.NOWHERE))
                .isEqualTo(Value.ERROR);
        assertThat(Expr.parse("regexp(\"^(x+)+\\\\1!$\", \"%s\")".formatted("x".repeat(60)))
                        .evaluate(Scope.NOWHERE))
                .isEqualTo(Value.ERROR);
        assertThat(THREADS.getCurrentThreadCpuTime() - start).isLessThan(BOUND);
    }

    @Test
    void refusesTextsThatAreTooLong() {
        var reading = ReadOptions.NEW.with(Limits.DEFAULT.withTextBytes(100));

        assertThatThrownBy(() -> ClassAd.parse("[ a = \"%s\" ]".formatted("x".repeat(100)), reading))
                .hasMessageContaining("at most 100 are read");
    }

    @Test
    void stopsStringsThatGrowWithoutEnd() throws Exception {
        var text = new StringBuilder("[ s40 = \"0123456789\"");
        for (int i = 0; i < 40; i++) {
            text.append("; s%d = strcat(s%d, s%d)".formatted(i, i + 1, i + 1));
        }
        var ad = ClassAd.parse(text + " ]");

        assertThat(ad.evaluate("s0")).isEqualTo(Value.ERROR);
        assertThat(ad.evaluate("s38")).isEqualTo(Value.of("0123456789".repeat(4)));
    }

    @Test
    void fourHundredLevelsAreEvaluatedAndOneMoreIsError() throws Exception {
        String summands = "1" + " + 1".repeat(400);
        var ad = ClassAd.parse("[ r = %1$s; s = %1$s + 1; t = r ]".formatted(summands));

        assertThat(Expr.parse(summands).evaluate(Scope.NOWHERE)).isEqualTo(Value.of(401L));
        assertThat(Expr.parse(summands + " + 1").evaluate(Scope.NOWHERE)).isEqualTo(Value.ERROR);
        assertThat(ad.evaluate("r")).isEqualTo(Value.of(401L));
        assertThat(ad.evaluate("s")).isEqualTo(Value.ERROR);
        assertThat(ad.evaluate("t")).isEqualTo(Value.ERROR);
    }

    @Test
    void aTraceTakesNoMoreThanAFewEvaluations() throws Exception {
        var text = new StringBuilder("[ a40 = \"x\"");
        for (int i = 0; i < 40; i++) {
            text.append("; a%d = a%d + a%d".formatted(i, i + 1, i + 1));
        }
        var ad = ClassAd.parse(text + " ]");
        Limits few = Limits.DEFAULT.withEvaluationSteps(200_000);
        long start = THREADS.getCurrentThreadCpuTime();

        Trace trace = Trace.of(Expr.parse("a0"), Scope.of(ad, LookupMode.NEW, few));

        assertThat(THREADS.getCurrentThreadCpuTime() - start).isLessThan(3_000_000_000L);
        assertThat(trace.value()).isEqualTo(Value.ERROR);
        assertThat(trace.parts().toString()).contains("not evaluated: this trace has reached its limits");
    }
}
