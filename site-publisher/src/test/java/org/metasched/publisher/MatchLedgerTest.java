package org.metasched.publisher;

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
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.publisher.Evidence.Sight;

class MatchLedgerTest {

    @TempDir
    private Path directory;

    @Test
    void takesNoMoreThanThereIsRoomFor() throws Exception {
        var ledger = ledger();

        var first = ledger.take("wisc", 2, "/dags/1");
        var second = ledger.take("wisc", 2, "/dags/2");
        var third = ledger.take("WISC", 2, "/dags/3");

        assertThat(first).isPresent();
        assertThat(second).isPresent();
        assertThat(third).isEmpty();
        assertThat(ledger.count("wisc")).isEqualTo(2);
    }

    @Test
    void aReleasedMatchMakesRoomOnce() throws Exception {
        var ledger = ledger();
        var match = ledger.take("wisc", 1, "/dags/with space & newline\n").orElseThrow();
        ledger.confirm(match.id());

        boolean first = ledger.release(match.id());
        boolean second = ledger.release(match.id());

        assertThat(first).isTrue();
        assertThat(second).isFalse();
        assertThat(ledger.take("wisc", 1, "/dags/2")).isPresent();
    }

    @Test
    void theCountSurvivesARestartAndALineThatACrashCutShort() throws Exception {
        var match = ledger().take("wisc", 3, "/dags/1").orElseThrow();
        ledger().confirm(match.id());
        Files.writeString(directory.resolve("matches.log"), "0000dead taken 12", StandardOpenOption.APPEND);

        var afterwards = ledger();

        assertThat(afterwards.count("wisc")).isEqualTo(1);
        assertThat(afterwards.take("wisc", 3, "/dags/2")).isPresent();
        assertThat(ledger().count("wisc")).isEqualTo(2);
    }

    @Test
    void aDamagedLineIsNamedAndNothingIsForgotten() throws Exception {
        ledger().take("wisc", 3, "/dags/1");
        Path log = directory.resolve("matches.log");
        Files.writeString(log, Files.readString(log).replace("wisc", "fnal"));

        assertThatThrownBy(() -> ledger().count("fnal"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("matches.log:1: the line fails its checksum");
    }

    @Test
    void whatADeadProcessTookIsSettledByTheEvidence() throws Exception {
        takeInAProcessThatIsKilled("lost");
        takeInAProcessThatIsKilled("kept");

        var settled = new MatchLedger(
                directory, Clock.systemUTC(), match -> match.holder().equals("kept") ? Sight.HOLDS : Sight.MISSING);

        assertThat(settled.held()).singleElement().satisfies(match -> {
            assertThat(match.holder()).isEqualTo("kept");
            assertThat(match.confirmed()).isTrue();
        });
    }

    @Test
    void manyThreadsNeverExceedTheRoomAndTheFileStaysSmall() throws Exception {
        var pool = Executors.newFixedThreadPool(8);
        var ledger = ledger();
        Callable<Integer> binder = () -> {
            int most = 0;
            for (int i = 0; i < 60; i++) {
                Optional<HeldMatch> match = ledger.take("wisc", 3, "/dags/x");
                most = Math.max(most, ledger.count("wisc"));
                match.ifPresent(taken -> ledger.release(taken.id()));
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

    private MatchLedger ledger() throws IOException {
        return new MatchLedger(directory, Clock.systemUTC(), match -> Sight.MISSING);
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
            new MatchLedger(Path.of(arguments[0]), Clock.systemUTC(), match -> Sight.MISSING)
                    .take("wisc", 9, arguments[1]);
            Runtime.getRuntime().halt(137);
        }
    }
}
