package org.metasched.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TextTableTest {

    private final TextTable table = new TextTable("SITE", "FREE", "DETAIL")
            .row("fzj", 7, "a long sentence about the site")
            .row("a-site-of-a-long-name", 128, "ok\u001b[2J");

    @Test
    void isAsWideAsItMustWhereNobodyLooks() {
        assertThat(printed(0).lines())
                .containsExactly(
                        "SITE                   FREE  DETAIL",
                        "fzj                       7  a long sentence about the site",
                        "a-site-of-a-long-name   128  ok?[2J");
    }

    @Test
    void cutsTheWidestColumnsOnATerminal() {
        assertThat(printed(40).lines()).allMatch(line -> line.length() <= 40);
        assertThat(printed(40))
                .contains("a-site-of-a-lon… ")
                .contains("a long sentence…")
                .contains(" 128 ");
    }

    /** The bytes above 127 have control characters too: 0x9b begins commands to a terminal. */
    @Test
    void controlCharactersOfBothRangesAreNotPrinted() {
        assertThat(OutputOptions.plain("a\u001b[2J\u009b2J\u007f")).isEqualTo("a?[2J?2J?");
    }

    @Test
    void theTimeGrowsWithTheNumberOfRows() {
        var many = new TextTable("SITE", "FREE", "NODES");
        for (int i = 0; i < 20_000; i++) {
            many.row("site", i, i);
        }

        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> many.print(new PrintWriter(Writer.nullWriter()), 80));
    }

    @Test
    void theNamesOfJavaClassesAreNotSaid() {
        assertThat(ErrorMessages.of(new UncheckedIOException(new IOException("disk full"))))
                .isEqualTo("disk full");
        var locked = new AccessDeniedException("/l/m.log");
        assertThat(ErrorMessages.of(new UncheckedIOException("The ledger (/l) cannot be used: /l/m.log", locked)))
                .isEqualTo("The ledger (/l) cannot be used: the permission is missing.");
        assertThat(ErrorMessages.of(new NoSuchFileException("x.dag")))
                .isEqualTo("The file (x.dag) cannot be used: there is no such file.");
        assertThat(ErrorMessages.of(new ConnectException().initCause(new ClosedChannelException())))
                .isEqualTo("connection refused");
        assertThat(ErrorMessages.of(new IllegalStateException("java.io.IOException: no (java.lang.Error)")))
                .isEqualTo("no");
        assertThat(ErrorMessages.of(new NullPointerException())).contains("an unexpected fault");
    }

    private String printed(int columns) {
        var out = new StringWriter();
        table.print(new PrintWriter(out), columns);
        return out.toString();
    }
}
