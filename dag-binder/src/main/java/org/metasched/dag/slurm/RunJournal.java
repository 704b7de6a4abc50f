package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.dag.run.RunOptions;

/**
 * What a followed run was told, in order, durable before it acts on it: replayed, it brings a run back to where a killed process
 * was. A line that was cut short is as if it had not been written.
 */
final class RunJournal {

    private static final String NAME = "journal";

    private final Path file;

    RunJournal(Path folder) {
        this.file = folder.resolve(NAME);
    }

    /** Words of one entry; none has a tab or a line break in it. */
    void add(String... words) throws IOException {
        try (var channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            var bytes = ByteBuffer.wrap((String.join("\t", words) + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        }
    }

    /** The entries of the run that is under way; a new run begins here if there is none. */
    List<List<String>> begun(Path dag, Clock clock, RunOptions options) throws IOException {
        mend();
        if (entries().isEmpty()) {
            Files.createDirectories(file.getParent());
            Optional<Path> newest = RescueFile.newest(dag);
            add(
                    "begin",
                    UUID.randomUUID().toString().substring(0, 8),
                    newest.map(Path::getFileName).map(Path::toString).orElse("-"),
                    Long.toString(clock.instant().getEpochSecond()),
                    Integer.toString(options.maxJobs()));
        }
        return entries();
    }

    /** Another process goes on; how far the run is by now. */
    void continues(long done, Clock clock) throws IOException {
        add("continued", Long.toString(done), "-", Long.toString(clock.instant().getEpochSecond()));
    }

    /** The whole lines; none if no run is under way. */
    List<List<String>> entries() throws IOException {
        return entries(file);
    }

    /** Those of the run under way, else of the last one that ended here. */
    List<List<String>> latest() throws IOException {
        return entries(Files.exists(file) ? file : ended());
    }

    private static List<List<String>> entries(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        String all = Files.readString(file, StandardCharsets.UTF_8);
        return all.substring(0, all.lastIndexOf('\n') + 1)
                .lines()
                .map(line -> List.of(line.split("\t", -1)))
                .toList();
    }

    /** Cuts off the line that a killed process has not finished. */
    private void mend() throws IOException {
        if (Files.exists(file)) {
            String all = Files.readString(file, StandardCharsets.UTF_8);
            String whole = all.substring(0, all.lastIndexOf('\n') + 1);
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(whole.getBytes(StandardCharsets.UTF_8).length);
            }
        }
    }

    private Path ended() {
        return file.resolveSibling(NAME + ".ended");
    }

    /** The run has ended: the next one begins anew. */
    void end() throws IOException {
        if (Files.exists(file)) {
            Files.move(file, ended(), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
