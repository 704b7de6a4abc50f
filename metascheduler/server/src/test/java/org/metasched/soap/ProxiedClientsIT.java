package org.metasched.soap;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients in other languages in front of a proxy that ends TLS, under a path of it: they know this address, and follow what they are told. */
@Tag("full")
class ProxiedClientsIT {

    @TempDir
    private static Path folder;

    private static ProxiedServer proxied;
    private static WholeWay way;

    @BeforeAll
    static void serve() throws Exception {
        proxied = new ProxiedServer(folder.resolve("pki"));
        way = new WholeWay(proxied.server);
    }

    @AfterAll
    static void stop() throws Exception {
        way.close();
        proxied.close();
    }

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
    void goesTheWholeWay(String stack, String version) throws Exception {
        way.goes(ForeignProgram.client(stack, proxied.address.toString(), version, Optional.of(proxied.authority)));
    }

    @Test
    void aClientThatGsoapGeneratesGoesTheWholeWay() throws Exception {
        var client = ForeignProgram.gsoap(proxied.address.toString(), folder.resolve("gsoap"));
        for (var version : List.of("soap12", "soap11")) {
            way.goes(List.of(client, proxied.address.toString(), version, proxied.authority.toString()));
        }
    }
}
