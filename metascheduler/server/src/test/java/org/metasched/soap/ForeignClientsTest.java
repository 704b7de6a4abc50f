package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients in other languages, which know nothing of the service but its WSDL. */
@Tag("full")
class ForeignClientsTest {

    @ParameterizedTest
    @CsvSource({
        "zeep, soap12",
        "zeep, soap11",
        "soap, soap12",
        "soap, soap11",
        "strong-soap, soap12",
        "strong-soap, soap11",
        "php, soap12",
        "php, soap11",
        "perl, soap11"
    })
    void goesTheWholeWayFromTheWsdlAlone(String stack, String version) throws Exception {
        try (var responder = new WsagServer();
                var way = new WholeWay(responder)) {
            String base = responder.server.base().toString();
            way.goes(ForeignProgram.client(stack, base, version, Optional.empty()));
        }
    }

    @Test
    void hasItsScripts() {
        assertThat(Stream.of("zeep_client.py", "node_client.js", "php_client.php", "perl_client.pl", "gsoap_client.cpp")
                        .map(ForeignProgram.SCRIPTS::resolve))
                .allSatisfy(script -> assertThat(script).exists());
    }
}
