package org.metasched.leases;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Identity of the surroundings in which a process number and a path mean something: the machine, by its machine id, and the process's
 * namespaces of process numbers and of mounts. The shell's {@code HOSTNAME} tells none of it, and is often not exported.
 */
public final class HostIdentity {

    private static final List<Path> IDS = List.of(Path.of("/etc/machine-id"), Path.of("/proc/sys/kernel/hostname"));
    private static final int LONGEST = 4096;
    private static final String MACHINE = readMachine();
    private static final String NAME = MACHINE + namespace("pid") + namespace("mnt");

    private HostIdentity() {}

    /** Equal for two processes if each sees the other's number and files under the same names. */
    static String name() {
        return NAME;
    }

    /** The machine id. */
    public static String machine() {
        return MACHINE;
    }

    private static String readMachine() {
        for (Path id : IDS) {
            try {
                if (Files.isReadable(id) && Files.size(id) <= LONGEST) {
                    String name = Files.readString(id, StandardCharsets.UTF_8).strip();
                    if (!name.isEmpty()) {
                        return name;
                    }
                }
            } catch (IOException e) {
                // the next one
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
