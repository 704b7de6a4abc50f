package org.metasched.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ErrorMessagesTest {

    @Test
    void takesOutNamesOfClassesAndNothingElse() {
        assertThat(ErrorMessages.of(new IOException("the list () is empty, not ()")))
                .isEqualTo("the list () is empty, not ()");
        assertThat(ErrorMessages.of(new IOException("it broke (java.io.EOFException) here")))
                .isEqualTo("it broke here");
        assertThat(ErrorMessages.of(new IOException("java.io.EOFException: it broke")))
                .isEqualTo("it broke");
    }
}
