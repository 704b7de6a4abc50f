package org.metasched.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppendLogTest extends FullDiskContract {

    @TempDir
    private Path folder;

    private Path file;
    private AppendLog log;

    @BeforeEach
    void opens() {
        file = folder.resolve("log");
        log = new AppendLog(file);
    }

    @Override
    protected Keeper open(Path folder) throws Exception {
        var log = new AppendLog(folder.resolve("log"));
        log.read();
        return new Keeper() {
            @Override
            public void change(int number) throws IOException {
                log.append("change " + number + " Zürich");
            }

            @Override
            public List<Integer> changes() throws IOException {
                return log.read().stream()
                        .map(record -> Integer.valueOf(record.split(" ")[1]))
                        .toList();
            }
        };
    }

    @Test
    void givesBackWhatWasAppended() throws IOException {
        log.append("one");
        log.append("");
        log.append("drei Wörter\twith a tab");

        assertThat(new AppendLog(file).read()).containsExactly("one", "", "drei Wörter\twith a tab");
        assertThat(AppendLog.peek(file)).hasSize(3);
        assertThat(AppendLog.peek(folder.resolve("other"))).isEmpty();
    }

    @Test
    void cutsATornTailOff() throws IOException {
        log.append("one");
        Files.writeString(file, "0badc0de tw", StandardOpenOption.APPEND);

        assertThat(AppendLog.peek(file)).containsExactly("one");
        assertThat(file).content().endsWith("tw");
        var next = new AppendLog(file);
        assertThat(next.read()).containsExactly("one");
        next.append("two");
        assertThat(AppendLog.peek(file)).containsExactly("one", "two");
    }

    /** A machine that lost power may have written the last sector of a line and not those before. */
    @Test
    void takesALastLineWithSectorsOfZerosForATornTail() throws IOException {
        log.append("one");
        Files.write(file, new byte[512], StandardOpenOption.APPEND);
        Files.writeString(file, "the end of two\n", StandardOpenOption.APPEND);

        assertThat(log.read()).containsExactly("one");
    }

    @Test
    void reportsALineThatWasEdited() throws IOException {
        log.append("one");
        log.append("two");
        Files.writeString(file, Files.readString(file).replace("one", "eins"));

        assertThatThrownBy(() -> new AppendLog(file).read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("log:1:1: the line fails its checksum");
        Files.write(file, new byte[] {'a', (byte) 0xFF, '\n'});
        assertThatThrownBy(() -> new AppendLog(file).append("three")).hasMessageContaining("log:1:1");
    }

    @Test
    void refusesARecordThatWouldBeTwo() {
        assertThatIllegalArgumentException().isThrownBy(() -> log.append("one\ntwo"));
        assertThatIllegalArgumentException().isThrownBy(() -> log.append("one\0"));
    }

    @Test
    void noticesThatTheFileWasCut() throws IOException {
        log.append("one");
        Files.writeString(file, "");

        assertThatThrownBy(() -> log.append("two")).hasMessageContaining("has 0 bytes, expected 13");
        assertThat(log.read()).isEmpty();
        log.append("two");
        assertThat(AppendLog.peek(file)).containsExactly("two");
    }

    @Test
    void anInterruptedThreadLeavesTheLogUsable() throws IOException {
        log.append("one");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> log.append("two")).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();

        log.append("three");

        assertThat(AppendLog.peek(file)).containsExactly("one", "three");
    }

    @Test
    void rewritesWithLess() throws IOException {
        log.append("one");
        log.append("two");

        log.rewrite(List.of("two"));
        log.append("three");

        assertThat(AppendLog.peek(file)).containsExactly("two", "three");
    }

    /** Compaction on a disk that fills up, between two records. */
    @Test
    void aFullDiskWhileRewritingLeavesTheOldRecords() throws IOException {
        for (int room = 0; room < 200; room++) {
            var disk = FaultyDisk.over(Files.createDirectory(folder.resolve("disk-" + room)));
            var other = new AppendLog(disk.folder().resolve("log"));
            for (String record : List.of("one", "two", "three")) {
                other.append(record);
            }
            disk.fillsAt(room);
            boolean isRewritten = true;
            try {
                other.rewrite(List.of("three", "and a longer record"));
            } catch (IOException e) {
                isRewritten = false;
            }
            disk.restart();
            other.append("four");

            assertThat(AppendLog.peek(disk.folder().resolve("log")))
                    .isEqualTo(
                            isRewritten
                                    ? List.of("three", "and a longer record", "four")
                                    : List.of("one", "two", "three", "four"));
        }
    }
}
