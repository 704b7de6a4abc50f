package org.metasched.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Collections;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.leases.HolderEvidence.Sight;

class FileLeasesTest extends MatchLeasesContract {

    @TempDir
    private Path directory;

    @Test
    void theCountSurvivesARestartAndALineThatACrashCutShort() throws Exception {
        var match = ledger().acquire(LeaseSamples.request("wisc", 3, "/dags/1")).orElseThrow();
        ledger().commit(match);
        Files.writeString(directory.resolve("matches.log"), "0000dead taken 12", StandardOpenOption.APPEND);

        var afterwards = ledger();

        assertThat(afterwards.count("wisc")).isEqualTo(1);
        assertThat(afterwards.acquire(LeaseSamples.request("wisc", 3, "/dags/2")))
                .isPresent();
        assertThat(ledger().count("wisc")).isEqualTo(2);
    }

    @Test
    void aDamagedLineIsNamedAndNothingIsForgotten() throws Exception {
        ledger().acquire(LeaseSamples.request("wisc", 3, "/dags/1"));
        Path log = directory.resolve("matches.log");
        Files.writeString(log, Files.readString(log).replace("wisc", "fnal"));

        assertThatThrownBy(() -> ledger().count("fnal"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("matches.log:1:1: the line fails its checksum");
    }

    @Test
    void whatADeadProcessTookIsSettledByTheEvidence() throws Exception {
        takeInAProcessThatIsKilled("lost");
        takeInAProcessThatIsKilled("kept");

        var settled = new FileLeases(
                directory, Clock.systemUTC(), match -> match.holder().equals("kept") ? Sight.HOLDS : Sight.MISSING);

        assertThat(settled.held()).singleElement().satisfies(match -> {
            assertThat(match.holder()).isEqualTo("kept");
            assertThat(match.committed()).isTrue();
        });
    }

    @Test
    void manyThreadsNeverExceedTheRoomAndTheFileStaysSmall() throws Exception {
        var pool = Executors.newFixedThreadPool(8);
        var ledger = ledger();
        Callable<Integer> binder = () -> {
            int most = 0;
            for (int i = 0; i < 60; i++) {
                Optional<UUID> match = ledger.acquire(LeaseSamples.request("wisc", 3, "/dags/x"));
                most = Math.max(most, ledger.count("wisc"));
                match.ifPresent(taken -> ledger.release(taken));
            }
            return most;
        };

        int most = 0;
        for (var result : pool.invokeAll(Collections.nCopies(8, binder))) {
            most = Math.max(most, result.get());
        }
        pool.shutdown();

        assertThat(most).isBetween(1, 3);
        assertThat(ledger.held()).isEmpty();
        assertThat(Files.readAllLines(directory.resolve("matches.log"), StandardCharsets.UTF_8))
                .hasSizeLessThan(600);
    }

    @Override
    protected LeaseStore store(Clock clock, HolderEvidence evidence) {
        return new FileLeases(directory, clock, evidence);
    }

    @Test
    void aFileOfAnEarlierReleaseIsRefusedWithWhatToDo() throws Exception {
        String line = "taken " + UUID.randomUUID() + " wisc /dags/1 0 host 1 1";
        var crc = new CRC32();
        crc.update(line.getBytes(StandardCharsets.UTF_8));
        Files.writeString(directory.resolve("matches.log"), "%08x %s%n".formatted(crc.getValue(), line));

        assertThatThrownBy(() -> ledger().held())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("begins with taken and has 8 words")
                .hasMessageContaining("move the file away");
    }

    private FileLeases ledger() {
        return new FileLeases(directory, Clock.systemUTC(), match -> Sight.MISSING);
    }

    private void takeInAProcessThatIsKilled(String holder) throws Exception {
        var child = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Taker.class.getName(),
                        directory.toString(),
                        holder)
                .inheritIO()
                .start();
        assertThat(child.waitFor()).isEqualTo(137);
    }

    /** Takes a match and is gone before it can confirm it. */
    static final class Taker {
        private Taker() {}

        public static void main(String[] arguments) throws IOException {
            new FileLeases(Path.of(arguments[0]), Clock.systemUTC(), match -> Sight.MISSING)
                    .acquire(LeaseSamples.request("wisc", 9, arguments[1]));
            Runtime.getRuntime().halt(137);
        }
    }
}
