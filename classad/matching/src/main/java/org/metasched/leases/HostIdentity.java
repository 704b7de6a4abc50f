package org.metasched.leases;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Identity of the scope in which a process id and a path are valid: the machine, by its machine id, and this process's
 * PID and mount namespaces.
 */
public final class HostIdentity {

    /** The files that may identify the machine, the best first. */
    private static final List<Path> FILES = List.of(Path.of("/etc/machine-id"), Path.of("/proc/sys/kernel/hostname"));
    /** The most bytes of such a file. */
    private static final int LONGEST = 4096;

    private static final String MACHINE = readMachine();
    private static final String NAME = MACHINE + namespace("pid") + namespace("mnt");

    private HostIdentity() {}

    /** The identity: equal for two processes if each sees the other's process id, and files under the same paths. */
    static String name() {
        return NAME;
    }

    /** The machine id; without one the host name of the kernel, or {@code unknown}. */
    public static String machine() {
        return MACHINE;
    }

    private static String readMachine() {
        for (Path id : FILES) {
            try {
                if (Files.isReadable(id) && Files.size(id) <= LONGEST) {
                    String name = Files.readString(id, StandardCharsets.UTF_8).strip();
                    if (!name.isEmpty()) {
                        return name;
                    }
                }
            } catch (IOException e) {
                // The next file may be readable.
            }
        }
        return "unknown";
    }

    private static String namespace(String kind) {
        try {
            return ":"
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/" + kind))
                            .toString()
                            .replaceAll("\\D", "");
        } catch (IOException | UnsupportedOperationException e) {
            return ":";
        }
    }
}
