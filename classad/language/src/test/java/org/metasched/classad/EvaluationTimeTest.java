package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Time and randomness are parameters of an evaluation. */
class EvaluationTimeTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    @Test
    void everyFunctionOfTheClockSeesTheGivenTime() throws Exception {
        Scope scope = Scope.of(ClassAd.EMPTY, LookupMode.OLD).at(EvaluationTime.at(NOON));
        long noon = NOON.getEpochSecond();

        assertThat(value("time()", scope)).isEqualTo(Value.of(noon));
        assertThat(value("CurrentTime", scope)).isEqualTo(Value.of(noon));
        assertThat(value("int(currentTime())", scope)).isEqualTo(Value.of(noon));
        assertThat(value("int(absTime())", scope)).isEqualTo(Value.of(noon));
        assertThat(value("formatTime()", scope)).isEqualTo(value("formatTime(" + noon + ")", scope));
        assertThat(value("dayTime()", scope))
                .isEqualTo(value("relTime((time() + int(timeZoneOffset())) % 86400)", scope));
        assertThat(value("eval(\"time()\")", scope)).isEqualTo(Value.of(noon));
        assertThat(Expr.parse("CurrentTime + x").flatten(scope).print()).isEqualTo(noon + " + x");
    }

    @Test
    void whatStandsInsideAPlaceSeesItsTime() throws Exception {
        ClassAd ad = ClassAd.parse("[ inner = [ t = time() ]; list = { time() }; a = inner.t; b = list[0] ]");
        Scope scope = Scope.of(ad).at(EvaluationTime.at(NOON));

        assertThat(ad.evaluate("a", scope)).isEqualTo(Value.of(NOON.getEpochSecond()));
        assertThat(ad.evaluate("b", scope)).isEqualTo(Value.of(NOON.getEpochSecond()));
        assertThat(((Value.ListOf) ad.evaluate("list", scope)).get(0)).isEqualTo(Value.of(NOON.getEpochSecond()));
        assertThat(scope.inner(ClassAd.EMPTY)
                        .at(EvaluationTime.at(NOON.plusSeconds(1)))
                        .ad())
                .isEqualTo(ClassAd.EMPTY);
    }

    @Test
    void randomNumbersComeFromTheGivenSource() throws Exception {
        Scope seeded = Scope.NOWHERE.at(new EvaluationTime(NOON, new Random(7)));
        var same = new Random(7);

        assertThat(value("random()", seeded)).isEqualTo(Value.of(same.nextDouble()));
        assertThat(value("random(1000)", seeded)).isEqualTo(Value.of(((RandomGenerator) same).nextLong(1000)));
        assertThat(value("random(2.0)", seeded)).isEqualTo(Value.of(2.0 * same.nextDouble()));
    }

    @Test
    void bothSidesOfAMatchSeeOneTime() throws Exception {
        var context = new MatchContext(LookupMode.OLD);
        context.left(
                ClassAd.parse("[ Requirements = time() == %d; Rank = CurrentTime ]".formatted(NOON.getEpochSecond())));
        context.right(ClassAd.parse("[ Requirements = CurrentTime == TARGET.Rank; Rank = time() ]"));

        assertThat(context.leftAccepts()).isFalse();
        context.at(EvaluationTime.at(NOON));

        assertThat(context.symmetricMatch()).isTrue();
        assertThat(context.leftRank()).isEqualTo(context.rightRank()).isEqualTo(NOON.getEpochSecond());
        assertThat(value("time()", context.leftScope())).isEqualTo(Value.of(NOON.getEpochSecond()));

        context.at(EvaluationTime.at(NOON.plusSeconds(1)));
        assertThat(context.symmetricMatch()).isFalse();
    }

    @Test
    void theClockIsReadWhenFirstAskedAndOnceUntilRenewed() {
        var questions = new AtomicInteger();
        var clock = new EvaluationClock(null, () -> NOON.plusSeconds(questions.getAndIncrement()));
        assertThat(questions).hasValue(0);

        assertThat(clock.seconds()).isEqualTo(NOON.getEpochSecond());
        assertThat(clock.seconds()).isEqualTo(NOON.getEpochSecond());
        clock.renew();

        assertThat(clock.seconds()).isEqualTo(NOON.getEpochSecond() + 1);
        assertThat(questions).hasValue(2);
    }

    @Test
    void labelsCanBeGivenATime() throws Exception {
        var labels = LabelBindings.of("cpu");
        labels.at(EvaluationTime.at(NOON));
        labels.bind(0, Scope.of(ClassAd.parse("[ t = time() ]")));

        assertThat(value("cpu.t", labels.scope(ClassAd.EMPTY))).isEqualTo(Value.of(NOON.getEpochSecond()));
    }

    @Test
    void withoutAMomentTheClockCounts() throws Exception {
        long before = System.currentTimeMillis() / 1000;
        var seen = (Value.Int) value("time()", Scope.NOWHERE);

        assertThat(seen.value()).isBetween(before, System.currentTimeMillis() / 1000);
    }

    private static Value value(String expression, Scope scope) throws Exception {
        return Expr.parse(expression).evaluate(scope);
    }
}
