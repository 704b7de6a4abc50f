package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The tests of the client in Python, against the server that they bring. */
class PythonClientIT {

    private static final Path ROOT = Path.of(System.getProperty("metasched.root", ".."));

    @Test
    void itsOwnTestsHold() throws Exception {
        var python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python), "no python3 here");

        var tests = new ProcessBuilder(python.toString(), "-B", "-m", "unittest", "discover", "-s", "tests")
                .directory(ROOT.resolve("metascheduler/client-python").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(tests.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(tests.exitValue()).isZero();
        } finally {
            tests.destroyForcibly();
        }
    }
}
