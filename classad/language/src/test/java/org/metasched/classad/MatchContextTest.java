package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MatchContextTest {

    private static String asked(String expr) throws Exception {
        Lookup.Memo[] names = Lookup.askedOfOther(Expr.parse(expr), ClassAd.parse("[ Size = 3; Other2 = 1 ]"));
        return Arrays.toString(
                Arrays.stream(names).map(memo -> memo.name.spelling()).toArray());
    }

    @Test
    void whatIsReadAheadIsWhatTheOtherAdIsAsked() throws Exception {
        assertThat(asked("TARGET.Memory >= MY.Size + size && (other.Arch == \"x\" || Disk > 1)"))
                .isEqualTo("[Memory, Arch, Disk]");
        assertThat(asked("MY.Disk > 3 && CurrentTime > 0")).isEqualTo("[]");
    }

    @Test
    void ofManyNamesAFewAreReadAhead() throws Exception {
        var text = new StringBuilder("true");
        for (int i = 0; i < 1_000; i++) {
            text.append(" && TARGET.A").append(i).append(" > 0");
        }
        assertThat(asked(text.toString())).isEqualTo("[A0, A1, A2, A3]");
    }

    /** The same compiled Requirements meet ads with and without such an attribute. */
    @Test
    void anAttributeOfTheNameOfASideHidesTheSide() throws Exception {
        ClassAd left = ClassAd.parse("[ x = 1; MY = [ x = 7 ]; Requirements = MY.x == 7 && TARGET.y == 3 ]");
        ClassAd plain = left.without("my");
        ClassAd right = ClassAd.parse("[ y = 3; target = [ x = 9 ]; Requirements = TARGET.x == 9 && Other.x == 1 ]");
        var pair = new MatchContext(LookupMode.OLD);
        var met = new StringBuilder();
        for (ClassAd job : new ClassAd[] {left, plain, left}) {
            pair.left(job);
            for (ClassAd machine : new ClassAd[] {right, right.without("TARGET"), right.with("Other", 1L)}) {
                pair.right(machine);
                met.append(pair.leftAccepts() ? 'l' : '-').append(pair.rightAccepts() ? 'r' : '-');
            }
        }
        assertThat(met).hasToString("lrl-l-" + "-r----" + "lrl-l-");
    }

    @Test
    void aRankThatIsNoNumberIs0() throws Exception {
        ClassAd left = ClassAd.parse("[ Rank = TARGET.Speed / TARGET.Cost ]");

        assertThat(MatchContext.of(left, ClassAd.parse("[ Speed = 0.0; Cost = 0.0 ]"))
                        .leftRank())
                .isZero();
        assertThat(MatchContext.of(left, ClassAd.EMPTY).leftRank()).isZero();
    }

    @Test
    void readingAheadChangesNoAnswer() throws Exception {
        ClassAd[] ads = {
            ClassAd.parse("[ Memory = 1; Requirements = true ]"),
            ClassAd.EMPTY,
            ClassAd.parse("[ Disk = 1; Memory = MY.Disk + 8; Requirements = true ]"),
        };
        var pair = new MatchContext(LookupMode.OLD);
        pair.left(ClassAd.parse("[ Requirements = TARGET.Memory > 5 ]"));
        pair.expect(ads, 3);
        var met = new StringBuilder();
        for (ClassAd ad : ads) {
            pair.right(ad);
            met.append(pair.symmetricMatch() ? '1' : '0');
        }
        pair.left(ClassAd.parse("[ Requirements = TARGET.Disk > 0 ]"));
        pair.expect(ads, 3);
        assertThat(met.append(pair.symmetricMatch() ? '1' : '0')).hasToString("0011");
    }
}
