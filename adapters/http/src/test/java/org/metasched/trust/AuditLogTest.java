package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.trust.AccessPolicy.Decision;
import org.metasched.trust.Guard.Call;

class AuditLogTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-22T03:00:00Z"), ZoneOffset.UTC);

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("audit-000001.jsonl");
    }

    @Test
    void linesAreChainedAcrossStartsAndReadableByTheirOwnerAlone() throws Exception {
        write(2);
        write(1);

        var report = AuditLog.verify(folder);
        assertThat(report.problem()).isEmpty();
        assertThat(report.lines()).isEqualTo(3);
        assertThat(Files.readAllLines(file).get(2)).startsWith("{\"n\":3,\"time\":\"2026-11-22T03:00:00Z\"");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aLineThatWasTouchedIsFound() throws Exception {
        List<UnaryOperator<List<String>>> harm = List.of(
                lines -> with(lines, l -> l.set(1, l.get(1).replace("denied", "allowed"))),
                lines -> with(lines, l -> l.remove(1)),
                lines -> with(lines, l -> l.add(2, l.get(1))),
                lines -> with(lines, l -> l.add(1, l.remove(2))),
                lines -> with(lines, l -> l.set(1, "not a line")));
        write(4);
        var sound = Files.readAllLines(file);
        for (var change : harm) {
            Files.write(file, change.apply(sound));

            assertThat(AuditLog.verify(folder).problem())
                    .as("%s", harm.indexOf(change))
                    .isPresent();
        }
    }

    @Test
    void aTornLineIsCutOffAndWrittenDown() throws Exception {
        write(2);
        Files.writeString(file, Files.readString(file) + "{\"n\":3,\"ti");
        assertThat(AuditLog.verify(folder).problem()).isPresent();

        write(1);

        assertThat(AuditLog.verify(folder).problem()).isEmpty();
        assertThat(Files.readAllLines(file).get(2)).contains("\"event\":\"torn\",\"bytes\":10");
    }

    @Test
    void noCallerForgesALine() throws Exception {
        try (var log = AuditLog.in(folder, CLOCK)) {
            log.write(
                    new Call(Subject.ofCertificate("/CN=\"}\n{\"n\":2,\u202Eevil\\"), "x", "y"),
                    "",
                    "",
                    new Decision(false, "no"));
        }

        assertThat(Files.readAllLines(file))
                .singleElement()
                .asString()
                .contains("/CN=\\u0022}\\u000a{\\u0022n\\u0022:2,\\u202eevil\\u005c\"");
    }

    private void write(int lines) throws Exception {
        try (var log = AuditLog.in(folder, CLOCK)) {
            for (int i = 0; i < lines; i++) {
                log.write(
                        new Call(Subject.ofCertificate("/CN=Alice"), "Agreement/Terminate", "127.0.0.1:1"),
                        "Agreement " + i,
                        "",
                        new Decision(false, "no rule allows it to user"));
            }
        }
    }

    private static List<String> with(List<String> lines, java.util.function.Consumer<List<String>> change) {
        var copy = new ArrayList<>(lines);
        change.accept(copy);
        return copy;
    }
}
