package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

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

    List<List<String>> entries() throws IOException {
        List<List<String>> entries = new ArrayList<>();
        if (Files.exists(file)) {
            String all = Files.readString(file, StandardCharsets.UTF_8);
            int whole = all.lastIndexOf('\n') + 1;
            if (whole < all.length()) {
                try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(all.substring(0, whole).getBytes(StandardCharsets.UTF_8).length);
                }
            }
            all.substring(0, whole).lines().forEach(line -> entries.add(List.of(line.split("\t", -1))));
        }
        return entries;
    }

    /** The run has ended: the next one begins anew. */
    void end() throws IOException {
        if (Files.exists(file)) {
            Files.move(file, file.resolveSibling(NAME + ".ended"), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
