package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.metasched.soap.ForeignProgram.PYTHON;
import static org.metasched.soap.ForeignProgram.SCRIPTS;
import static org.metasched.soap.ForeignProgram.answers;
import static org.metasched.soap.ForeignProgram.run;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients in other languages, which know nothing of the service but its WSDL. */
class ForeignClientsTest {

    private static final Path SCRIPT = SCRIPTS.resolve("zeep_client.py");

    @ParameterizedTest
    @ValueSource(strings = {"soap12", "soap11"})
    void makesAnAgreementFromTheWsdlAlone(String version) throws Exception {
        assumeTrue(
                answers(PYTHON, "-c", "import zeep"),
                "zeep is not installed (Debian: apt-get install python3-zeep); the Python client was not run");
        try (var responder = new WsagServer()) {
            var said = run(
                    List.of(PYTHON, SCRIPT.toString(), responder.server.base().toString(), version));

            assertThat(said)
                    .contains("template CO-ALLOCATION 1")
                    .contains("state Observed\nreserved fzj scai\nstate Terminated\nfault AGREEMENT_FINAL");
            assertThat(responder.grid.heldEverywhere()).isZero();
        }
    }

    /** {@code NODE_PATH} names the folder where {@code npm install soap strong-soap} put them, as everywhere with Node.js. */
    @ParameterizedTest
    @CsvSource({"soap, soap12", "soap, soap11", "strong-soap, soap12", "strong-soap, soap11"})
    void makesAnAgreementFromNode(String library, String version) throws Exception {
        assumeTrue(
                answers("node", "-e", "require('" + library + "')"),
                library + " is not installed (npm install " + library + ", NODE_PATH); the Node.js client was not run");
        try (var responder = new WsagServer()) {
            var script = SCRIPTS.resolve("node_client.js").toString();
            var said = run(List.of("node", script, responder.server.base().toString(), library, version));

            assertThat(said)
                    .contains("template CO-ALLOCATION 1")
                    .contains("state Observed\nstate Terminated\nfault AGREEMENT_FINAL");
            assertThat(responder.grid.heldEverywhere()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"php, soap12", "php, soap11", "perl, soap11"})
    void makesAnAgreementFromPhpAndPerl(String language, String version) throws Exception {
        try (var responder = new WsagServer()) {
            var said = ForeignProgram.script(language, responder.server.base().toString(), version);

            assertThat(said)
                    .contains("template CO-ALLOCATION 1")
                    .contains("state Observed\nstate Terminated\nfault AGREEMENT_FINAL");
            assertThat(responder.grid.heldEverywhere()).isZero();
        }
    }

    @Test
    void hasItsScripts() {
        assertThat(SCRIPT).exists();
        assertThat(SCRIPTS.resolve("node_client.js")).exists();
    }
}
