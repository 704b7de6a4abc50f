package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import org.metasched.leases.HostIdentity;

/**
 * The user and machine that move a DAG, as the lock file names them: only they complete a rebinding that was cut off.
 * Machines are told apart by their machine id, as the shell's {@code HOSTNAME} is often not exported.
 */
record RebindOwner(String name) {

    private static final int LONGEST = 4096;

    static RebindOwner ofThisProcess() {
        String user = System.getProperty("user.name", "?").replaceAll("\\s", "_");
        return new RebindOwner(user + "@" + HostIdentity.machine());
    }

    /** Reads the owner from the lock file. */
    static RebindOwner read(FileChannel lock) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST);
        while (lock.read(bytes, bytes.position()) > 0) {
            // Reads on.
        }
        return new RebindOwner(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip());
    }

    void write(FileChannel lock) throws IOException {
        lock.truncate(0).write(ByteBuffer.wrap((name + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    }

    /** Whether the lock file names an owner; an empty file, or one of an earlier version, does not. */
    boolean isKnown() {
        return name.indexOf('@') > 0;
    }
}
