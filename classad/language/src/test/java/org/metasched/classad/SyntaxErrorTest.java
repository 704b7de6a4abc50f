package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a text that cannot be read: where, what was expected, and what was meant. */
class SyntaxErrorTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            28M            | 3 | as in 28M, which only the papers' dialect reads
            a = b          | 3 | '==' was meant
            a and b        | 3 | '&&' was meant
            a or b         | 3 | '||' was meant
            f(1,)          | 5 | there is a comma too many
            {1,}           | 4 | there is a comma too many
            absTime("zz")  | 8 | a time such as
            relTime("zz")  | 8 | a span such as
            09             | 1 | the zeros in front
            5. + 1         | 1 | a space before the '.'
            "abc           | 1 | a closing quote
            1 /* abc       | 3 | a '*/' is missing
            """)
    void guessesWhatWasMeant(String text, int column, String guess) {
        assertThatThrownBy(() -> Expr.parse(text)).isInstanceOfSatisfying(ClassAdSyntaxException.class, e -> {
            assertThat(e.column()).isEqualTo(column);
            assertThat(e.getMessage().lines().skip(3).findFirst().orElse(""))
                    .startsWith("Maybe ")
                    .contains(guess);
        });
    }

    @Test
    void guessesNothingWithoutReason() {
        for (String text : new String[] {"a b", "5x", "1 +", "f(", ") + 1"}) {
            assertThatThrownBy(() -> Expr.parse(text))
                    .as(text)
                    .isInstanceOf(ClassAdSyntaxException.class)
                    .hasMessageNotContaining("Maybe");
        }
    }

    @Test
    void quotesNoMoreOfALongTextThanAPersonReads() {
        String text = "absTime(\"" + "z".repeat(1_000_000) + "\")";

        assertThatThrownBy(() -> Expr.parse(text))
                .isInstanceOfSatisfying(
                        ClassAdSyntaxException.class,
                        e -> assertThat(e.getMessage()).hasSizeLessThan(2_000).contains("zzz…"));
    }
}
