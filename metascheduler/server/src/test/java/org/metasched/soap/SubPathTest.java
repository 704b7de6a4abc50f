package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.fakes.TestGrid;
import org.metasched.http.PublicAddress;
import org.metasched.trust.Authentication;

/** A server that is known under a path of a host: proxies hand it on or take it off, and programs of its machine do without it. */
class SubPathTest {

    private static final String PUBLIC = "https://grid.example.org/of/all";

    @ParameterizedTest
    @ValueSource(strings = {"", "/of/all"})
    void everyAddressHasThePath(String prefix) throws Exception {
        try (var responder = new WsagServer(
                new TestGrid().site("fzj", 64).site("scai", 32), Authentication.NONE, known(PUBLIC + "/"))) {
            assertThat(responder.get(prefix + "/services/AgreementFactory?wsdl"))
                    .contains("location=\"" + PUBLIC + "/services/AgreementFactory\"")
                    .contains("schemaLocation=\"" + PUBLIC + "/services/AgreementFactory?xsd=")
                    .doesNotContain("127.0.0.1");
            assertThat(responder.get(prefix + "/services/AgreementFactory?xsd=ws-agreement.xsd"))
                    .contains("targetNamespace");

            var direct = responder.server.service(AgreementFactoryEndpoint.NAME).toString();
            for (var to : List.of(direct, PUBLIC + "/services/AgreementFactory")) {
                var offer = WsagServer.golden("create-agreement.soap12.xml")
                        .replace("<wsa:MessageID>", "<wsa:To>" + to + "</wsa:To><wsa:MessageID>");
                var made = responder.post(
                        URI.create(responder.server.base() + prefix + "/services/AgreementFactory"), offer);
                assertThat(made.body()).contains(">" + PUBLIC + "/services/Agreement/ag-");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/of/allother", "/of", "/of/all/of/all"})
    void anotherPathLeadsNowhere(String prefix) throws Exception {
        try (var responder = new WsagServer(new TestGrid().site("fzj", 64), Authentication.NONE, known(PUBLIC))) {
            assertThat(responder.get(prefix + "/services/AgreementFactory?wsdl"))
                    .doesNotContain("definitions");
        }
    }

    @Test
    void aPathThatNoServerCanHaveIsRefused() {
        assertThatThrownBy(() -> known("https://h/%2e%2e/x")).hasMessageContaining("The path of the public URL");
        assertThatThrownBy(() -> known("https://h/grid?x=1")).hasMessageContaining("The path of the public URL");
    }

    private static PublicAddress known(String url) {
        return new PublicAddress(Optional.of(URI.create(url)), List.of(), Set.of());
    }
}
