package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Who moves a DAG: a user on a machine. It stands in the lock file, so that only its owner ends a rebinding that was cut off.
 * Machines are told apart by their machine id, as the shell's {@code HOSTNAME} is often not exported.
 */
record RebindOwner(String name) {

    private static final List<Path> IDS = List.of(Path.of("/etc/machine-id"), Path.of("/proc/sys/kernel/hostname"));
    private static final int LONGEST = 4096;

    static RebindOwner ofThisProcess() throws IOException {
        String user = System.getProperty("user.name", "?").replaceAll("\\s", "_");
        for (Path id : IDS) {
            if (Files.isReadable(id) && Files.size(id) <= LONGEST) {
                String machine = Files.readString(id, StandardCharsets.UTF_8).strip();
                if (!machine.isEmpty()) {
                    return new RebindOwner(user + "@" + machine);
                }
            }
        }
        return new RebindOwner(user + "@localhost");
    }

    /** Reads it over the descriptor that holds the lock: to close another one would give the lock up. */
    static RebindOwner read(FileChannel lock) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST);
        int read;
        do {
            read = lock.read(bytes, bytes.position());
        } while (read > 0);
        return new RebindOwner(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip());
    }

    void write(FileChannel lock) throws IOException {
        lock.truncate(0).write(ByteBuffer.wrap((name + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    }

    /** Whether the lock file names someone; an empty one, or one of an earlier version, does not. */
    boolean isKnown() {
        return name.indexOf('@') > 0;
    }
}
