package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client in another language, which knows nothing of the service but its WSDL. */
class ZeepClientTest {

    private static final String PYTHON = "/usr/bin/python3";
    private static final Path SCRIPT =
            Path.of(System.getProperty("metasched.root", "../.."), "examples/soap-client/zeep_client.py");

    @ParameterizedTest
    @ValueSource(strings = {"soap12", "soap11"})
    void makesAnAgreementFromTheWsdlAlone(String version) throws Exception {
        assumeTrue(
                hasZeep(),
                "zeep is not installed (Debian: apt-get install python3-zeep); the Python client was not run");
        try (var responder = new WsagServer()) {
            var said = run(PYTHON, SCRIPT.toString(), responder.server.base().toString(), version);

            assertThat(said)
                    .contains("template CO-ALLOCATION 1")
                    .contains("state Observed\nreserved fzj scai\nstate Terminated\nfault AGREEMENT_FINAL");
            assertThat(responder.grid.heldEverywhere()).isZero();
        }
    }

    @Test
    void hasItsScript() {
        assertThat(SCRIPT).exists();
    }

    private static boolean hasZeep() throws Exception {
        if (!Path.of(PYTHON).toFile().canExecute()) {
            return false;
        }
        var process = new ProcessBuilder(PYTHON, "-c", "import zeep")
                .redirectErrorStream(true)
                .start();
        process.getInputStream().readAllBytes();
        return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    private static String run(String... command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
