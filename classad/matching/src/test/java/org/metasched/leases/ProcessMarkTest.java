package org.metasched.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMarkTest {

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /** The system's time of day may be set while a process runs; a JVM that starts later computes another begin from it. */
    @Test
    void theBeginOfAProcessDoesNotDependOnTheTimeOfDay() throws Exception {
        assumeTrue(Files.isReadable(BOOT));
        long boot = UUID.fromString(Files.readString(BOOT).strip()).getMostSignificantBits();
        String status = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
        String[] afterName = status.substring(status.lastIndexOf(')') + 2).split(" ");

        assertThat(ProcessMark.current().began() ^ boot).isEqualTo(Long.parseLong(afterName[19]));
    }

    @Test
    void aProcessIsToldApartFromALaterOneWithItsNumber() throws Exception {
        ProcessMark here = ProcessMark.current();
        Process process = new ProcessBuilder("sh", "-c", "read x").start();
        try {
            assertThat(new ProcessMark(here.host(), process.pid(), here.began()).isGone())
                    .isTrue();
            assertThat(here.lives()).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** With hidepid, /proc has no entries of other users' processes, so that one that runs looks like one that has ended. */
    @Test
    void aProcessThatTheSystemMayHideIsNeitherGoneNorSeenToLive(@TempDir Path proc) throws Exception {
        ProcessMark hidden = new ProcessMark(ProcessMark.current().host(), Integer.MAX_VALUE, 1);

        assertThat(hidden.lives()).isFalse();
        assertThat(hidden.isGone(true)).isTrue();
        assertThat(hidden.isGone(false)).isFalse();
        assertThat(ProcessMark.showsAll(proc)).isTrue();
        Files.createDirectory(proc.resolve("self"));
        assertThat(ProcessMark.showsAll(proc)).isFalse();
        Files.writeString(Files.createDirectory(proc.resolve("1")).resolve("stat"), "1 (init) S");
        assertThat(ProcessMark.showsAll(proc)).isTrue();
    }
}
