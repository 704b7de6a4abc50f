package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyslogTest {

    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final int ATTEMPTS = 20;

    @Test
    void aReceiverThatIsAwayCostsNoSocket(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isDirectory(OPEN_FILES), "This machine does not list the open files of a process.");
        long before = sockets();

        for (int i = 0; i < ATTEMPTS; i++) {
            var syslog = new Syslog(URI.create("unix:" + folder.resolve("none")));
            syslog.send("2026-01-05T08:00:00Z", false, "{}");
            syslog.close();
        }

        assertThat(sockets()).isLessThan(before + ATTEMPTS);
    }

    private static long sockets() throws IOException {
        try (var files = Files.list(OPEN_FILES)) {
            return files.filter(SyslogTest::isSocket).count();
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
