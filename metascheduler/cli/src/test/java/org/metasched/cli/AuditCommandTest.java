package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Quotas;

/** The record as {@code metasched audit verify} judges it. */
class AuditCommandTest {

    private static final int LINES = 250;

    @TempDir
    private Path folder;

    private record Ran(int exit, String out, String err) {}

    @Test
    void aBeginAnEndAndALineThatAreNotAsTheyWereAreFound() throws Exception {
        try (var log = AuditLog.in(folder, Optional.empty(), Clock.systemUTC())) {
            var guard = new Authorizer(AccessPolicy.OPEN, Quotas.NONE, log);
            for (int i = 0; i < LINES; i++) {
                guard.refused("password", "POST /services", "192.0.2." + i + ":1", "wrong");
            }
        }
        var sound = verify();
        assertThat(sound.exit()).as(sound.err()).isZero();
        String anchor = sound.out().lines().findFirst().orElseThrow().replaceFirst(".*the newest is ", "");
        assertThat(anchor).startsWith(LINES + ":");
        assertThat(sound.out()).contains("--since");
        assertThat(verify("--since", anchor).out()).doesNotContain("--since");
        Path file = folder.resolve("audit-000001.jsonl");
        var lines = Files.readAllLines(file);

        Files.write(file, lines.subList(LINES / 2, LINES));
        assertThat(verify().exit()).as("the first half is gone").isEqualTo(1);
        Files.write(file, lines.subList(0, LINES - 1));
        assertThat(verify("--since", anchor).exit()).as("the last line is gone").isEqualTo(1);
        String last = lines.set(LINES - 1, lines.get(LINES - 1).replace("denied", "allowed"));
        Files.write(file, lines);
        assertThat(verify().exit()).as("the last line is another").isEqualTo(1);
        lines.set(LINES - 1, last);
        Files.write(file, lines);
        assertThat(verify("--since", anchor).exit()).isZero();
        assertThat(verify("--since", "7:" + "0".repeat(64)).exit())
                .as("another record")
                .isEqualTo(1);
    }

    private Ran verify(String... more) {
        var out = new StringWriter();
        var err = new StringWriter();
        var words = new ArrayList<>(List.of("audit", "verify", folder.toString()));
        words.addAll(List.of(more));
        int exit = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
        return new Ran(exit, out.toString(), err.toString());
    }
}
