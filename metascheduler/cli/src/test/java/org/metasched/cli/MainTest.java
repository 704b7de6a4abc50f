package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void withoutACommandTheUsageIsPrintedAndTheExitCodeSaysBadInput() {
        int exit = run();

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("A command is missing.").contains("Usage: metasched");
    }

    @Test
    void anUnknownCommandIsNamed() {
        int exit = run("reserv");

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("reserv");
    }

    private int run(String... arguments) {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments);
    }
}
