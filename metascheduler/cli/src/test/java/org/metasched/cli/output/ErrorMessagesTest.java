package org.metasched.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
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

    @Test
    void explainsALoopOfLinks() {
        assertThat(ErrorMessages.of(new FileSystemLoopException("data/self")))
                .isEqualTo("The file (data/self) cannot be used: it is a link to a folder around it.");
    }
}
