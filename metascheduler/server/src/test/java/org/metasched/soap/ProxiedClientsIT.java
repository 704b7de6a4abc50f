package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.metasched.soap.ForeignProgram.PYTHON;
import static org.metasched.soap.ForeignProgram.SCRIPTS;
import static org.metasched.soap.ForeignProgram.answers;
import static org.metasched.soap.ForeignProgram.run;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.fakes.TestGrid;
import org.metasched.http.PublicAddress;
import org.metasched.trust.Authentication;
import org.metasched.trust.DemoAuthority;

/** Clients in other languages in front of a proxy that ends TLS, under a path of it: they know this address, and follow what they are told. */
@Tag("full")
class ProxiedClientsIT {

    private static final String END = "state Terminated\nfault AGREEMENT_FINAL";

    @TempDir
    private static Path folder;

    private static String authority;
    private static TlsTerminator proxy;
    private static URI address;
    private static WsagServer server;

    @BeforeAll
    static void serve() throws Exception {
        var demo = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        authority = demo.authorities().toString();
        proxy = new TlsTerminator(demo.member("server"));
        address = URI.create(proxy.address() + "/grid/of.all");
        server = new WsagServer(
                new TestGrid().site("fzj", 64).site("scai", 32),
                Authentication.NONE,
                new PublicAddress(Optional.of(address), List.of(), Set.of()));
        proxy.inFrontOf(server.server.base().getPort());
    }

    @AfterAll
    static void stop() throws Exception {
        proxy.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"soap12", "soap11"})
    void zeepGoesTheWholeWay(String version) throws Exception {
        assumeTrue(
                answers(PYTHON, "-c", "import zeep, xmlsec"),
                "python3-zeep or python3-xmlsec is not installed; the Python client was not run");
        var said = run(List.of(
                PYTHON, SCRIPTS.resolve("zeep_client.py").toString(), address.toString(), version, "--ca", authority));

        assertThat(said).contains("state Observed\nreserved fzj scai\n" + END);
    }

    @ParameterizedTest
    @CsvSource({"soap, soap12", "soap, soap11", "strong-soap, soap12", "strong-soap, soap11"})
    void librariesOfNodeGoTheWholeWay(String library, String version) throws Exception {
        assumeTrue(
                answers("node", "-e", "require('" + library + "')"),
                library + " is not installed (npm install " + library + ", NODE_PATH); the Node.js client was not run");
        var said = run(List.of(
                "env",
                "NODE_EXTRA_CA_CERTS=" + authority,
                "node",
                SCRIPTS.resolve("node_client.js").toString(),
                address.toString(),
                library,
                version));

        assertThat(said).contains("state Observed\n" + END);
    }

    @ParameterizedTest
    @CsvSource({"php, soap12", "php, soap11", "perl, soap11"})
    void phpAndPerlGoTheWholeWay(String language, String version) throws Exception {
        assertThat(ForeignProgram.script(language, address.toString(), version, authority))
                .contains("state Observed\n" + END);
    }

    @Test
    void aClientThatGsoapGeneratesGoesTheWholeWay() throws Exception {
        assumeTrue(
                answers(
                        "sh",
                        "-c",
                        "wsdl2h -V && g++ --version && ls /usr/include/stdsoap2.h /usr/include/openssl/ssl.h"),
                "gsoap, libgsoap-dev, libssl-dev or g++ is not installed; the C++ client was not run");
        Path built = folder.resolve("gsoap");
        run(List.of(
                SCRIPTS.resolve("gsoap_build.sh").toString(),
                server.server.base().toString(),
                built.toString()));

        for (var version : List.of("soap12", "soap11")) {
            assertThat(run(List.of(built.resolve("gsoap_client").toString(), address.toString(), version, authority)))
                    .contains("state Observed\n" + END);
        }
    }
}
