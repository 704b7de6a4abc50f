package org.metasched.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/** The wall clock of a process, which a test makes wrong while the process runs; its steady clock stays right. By libfaketime. */
final class ShiftedClock {

    /** The library, where it is installed. */
    static final Path LIBRARY = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");

    private final Path file;

    /** @param file that the process reads once a second */
    ShiftedClock(Path file) throws IOException {
        this.file = file;
        set(Duration.ZERO);
    }

    static boolean isPossible() {
        return Files.exists(LIBRARY);
    }

    /** For the process; nothing where the library is missing. */
    Map<String, String> environment() {
        return isPossible()
                ? Map.of(
                        "LD_PRELOAD",
                        LIBRARY.toString(),
                        "FAKETIME_TIMESTAMP_FILE",
                        file.toString(),
                        "FAKETIME_CACHE_DURATION",
                        "1",
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1",
                        // Else every wait for a time returns at once.
                        "FAKETIME_FORCE_MONOTONIC_FIX",
                        "0")
                : Map.of();
    }

    /** By how much it is wrong from the next second on. */
    void set(Duration offset) throws IOException {
        Path next = Files.writeString(
                file.resolveSibling(file.getFileName() + ".next"), String.format("%+d%n", offset.toSeconds()));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
