package org.metasched.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedLogTest extends FullDiskContract {

    @TempDir
    private Path folder;

    @Override
    protected Keeper open(Path folder) {
        var log = new SharedLog(folder.resolve("made/later"), "queue", "queue of numbers");
        return new Keeper() {
            @Override
            public void change(int number) throws IOException {
                try {
                    add(log, String.valueOf(number));
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                }
            }

            @Override
            public List<Integer> changes() throws IOException {
                return log.peek().stream().map(Integer::valueOf).toList();
            }
        };
    }

    private static int add(SharedLog log, String line) {
        return log.exclusively((lines, before) -> {
            lines.append(line);
            return before.size();
        });
    }

    @Test
    void eachWriterSeesWhatAllBeforeItWrote() throws Exception {
        int writers = 4;
        int each = 25;
        var pool = Executors.newFixedThreadPool(writers);
        for (int i = 0; i < writers; i++) {
            var own = new SharedLog(folder, "queue", "queue of numbers");
            pool.execute(() -> {
                for (int line = 0; line < each; line++) {
                    own.exclusively((lines, before) -> {
                        lines.append(String.valueOf(before.size()));
                        return before;
                    });
                }
            });
        }
        pool.shutdown();

        assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        var lines = new SharedLog(folder, "queue", "queue of numbers").peek();
        assertThat(lines).hasSize(writers * each);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    void whatItDoesIsSeenInItsFile() throws IOException {
        var log = new SharedLog(folder, "queue", "queue of numbers");

        assertThat(add(log, "one")).isZero();

        assertThat(log.file()).isEqualTo(folder.resolve("queue.log"));
        assertThat(AppendLog.peek(log.file())).containsExactly("one");
        assertThat(folder.resolve("queue.lock")).exists();
    }

    @Test
    void aFolderThatIsAFileIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> add(new SharedLog(file, "queue", "queue of numbers"), "one"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("The queue of numbers (" + file + ") cannot be used");
    }

    @Test
    void anInterruptIsNamed() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> add(new SharedLog(folder, "queue", "queue of numbers"), "one"))
                    .hasMessageContaining("cannot be used: the thread was interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aLogThatCannotBeReadIsNamed() throws IOException {
        var log = new SharedLog(folder, "queue", "queue of numbers");
        Files.createDirectory(log.file());

        assertThatThrownBy(log::peek).hasMessageContaining("The queue of numbers (" + log.file() + ") cannot be used");
        assertThatThrownBy(() -> add(log, "one"))
                .hasMessageContaining("The queue of numbers (" + log.file() + ") cannot be used");
    }
}
