package org.metasched.publisher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The surroundings in which a process number and a path mean something: the machine, by its machine id, and the process's
 * namespaces of process numbers and of mounts. The shell's {@code HOSTNAME} tells none of it, and is often not exported.
 */
public final class Host {

    /** Of a claim that was taken over the network: its process and paths are never looked for here. */
    static final String ELSEWHERE = "elsewhere";

    private static final List<Path> IDS = List.of(Path.of("/etc/machine-id"), Path.of("/proc/sys/kernel/hostname"));
    private static final int LONGEST = 4096;
    private static final String NAME = machine() + namespace("pid") + namespace("mnt");

    private Host() {}

    /** Equal for two processes if each sees the other's number and files under the same names. */
    public static String name() {
        return NAME;
    }

    private static String machine() {
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
