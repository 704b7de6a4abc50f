package org.metasched.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLockTest {

    private static final int REFUSED = 3;

    @TempDir
    private Path folder;

    @Test
    void aSecondAttemptOfTheSameProcessLeavesTheLockInPlace() throws Exception {
        Path file = folder.resolve("lock");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
        try (ProcessLock ours = ProcessLock.tryAcquire(file).orElseThrow()) {
            assertThat(ProcessLock.tryAcquire(file)).isEmpty();
            assertThat(ProcessLock.tryAcquire(link.resolve("lock"))).isEmpty();
            assertThat(other(file)).isEqualTo(REFUSED);
        }
        assertThat(other(file)).isZero();
        ProcessLock.tryAcquire(file).orElseThrow().close();
    }

    @Test
    void aLockThatIsClosedTwiceLeavesTheNextHolderItsLock() throws Exception {
        Path file = folder.resolve("lock");
        ProcessLock first = ProcessLock.tryAcquire(file).orElseThrow();
        first.close();
        try (ProcessLock second = ProcessLock.tryAcquire(file).orElseThrow()) {
            first.close();
            assertThat(ProcessLock.tryAcquire(file)).isEmpty();
            assertThat(other(file)).isEqualTo(REFUSED);
            assertThat(second.channel().isOpen()).isTrue();
        }
    }

    private static int other(Path file) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Locker.class.getName(),
                        file.toString())
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Another process that tries to lock. */
    static final class Locker {

        private Locker() {}

        public static void main(String[] arguments) throws Exception {
            System.exit(ProcessLock.tryAcquire(Path.of(arguments[0])).isPresent() ? 0 : REFUSED);
        }
    }
}
