package org.metasched.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DisplayTextTest {

    @Test
    void aCharacterOfTwoUnitsIsShownWholeOrNotAtAll() {
        assertThat(DisplayText.of("ab\uD83D\uDE00", 4)).isEqualTo("ab\uD83D\uDE00");
        assertThat(DisplayText.of("abc\uD83D\uDE00", 4)).isEqualTo("abc…");
    }

    @Test
    void halfACharacterIsEscaped() {
        assertThat(DisplayText.of("a\uD83D!\u0007")).isEqualTo("a\\ud83d!\\u0007");
    }
}
