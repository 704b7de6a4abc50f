package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.metasched.soap.ForeignProgram.SCRIPTS;
import static org.metasched.soap.ForeignProgram.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One client in Java, compiled with what two generators make of the WSDL as it is served. */
@Tag("full")
class GeneratedClientsTest {

    private static final List<String> SERVICES =
            List.of("AgreementFactory", "Agreement", "NegotiationFactory", "Negotiation");

    private static final String PASSWORD = "changeit";

    @TempDir
    private Path folder;

    @Test
    void wsdl2javaOfCxfMakesAClientThatGoesTheWholeWay() throws Exception {
        goes(System.getProperty("java.class.path"), "org.apache.cxf.tools.wsdlto.WSDLToJava");
    }

    /** {@code JAXWS_RI} names the folder that {@code com.sun.xml.ws:jaxws-ri} was unpacked to. */
    @Test
    void wsimportOfTheReferenceImplementationMakesAClientThatGoesTheWholeWay() throws Exception {
        var lib = Optional.ofNullable(System.getenv("JAXWS_RI")).map(place -> Path.of(place, "lib"));
        assumeTrue(
                lib.filter(Files::isDirectory).isPresent(),
                "com.sun.xml.ws:jaxws-ri is not unpacked (JAXWS_RI names the folder); wsimport was not run");
        goes(lib.orElseThrow() + "/*", "com.sun.tools.ws.WsImport", "-Xnocompile", "-extension");
    }

    private void goes(String classPath, String generator, String... options) throws Exception {
        try (var responder = new WsagServer();
                var way = new WholeWay(responder);
                var proxied = new ProxiedServer(folder.resolve("pki"));
                var beyond = new WholeWay(proxied.server)) {
            String base = responder.server.base().toString();
            String classes = compiled(classPath, generator, base, options) + ":" + classPath;
            for (var version : List.of("soap12", "soap11")) {
                way.goes(List.of("java", "-cp", classes, "GeneratedClient", base, version));
                beyond.goes(List.of(
                        "java",
                        "-Djavax.net.ssl.trustStore=" + trustStore(proxied.authority),
                        "-Djavax.net.ssl.trustStorePassword=" + PASSWORD,
                        "-cp",
                        classes,
                        "GeneratedClient",
                        proxied.address.toString(),
                        version));
            }
        }
    }

    private Path compiled(String classPath, String generator, String base, String... options) throws Exception {
        var sources = Files.createDirectory(folder.resolve("sources"));
        var classes = Files.createDirectory(folder.resolve("classes"));
        for (var service : SERVICES) {
            var command = new ArrayList<>(List.of("java", "-XX:TieredStopAtLevel=1", "-cp", classPath, generator));
            command.addAll(List.of(options));
            command.addAll(List.of("-d", sources.toString(), base + "/services/" + service + "?wsdl"));
            assertThat(run(command)).doesNotContain("WSDLToJava Error");
        }
        var compile =
                new ArrayList<>(List.of("javac", "-nowarn", "-proc:none", "-d", classes.toString(), "-cp", classPath));
        compile.add(SCRIPTS.resolve("GeneratedClient.java").toString());
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(compile::add);
        }
        assertThat(compile).hasSizeGreaterThan(150);
        run(compile);
        return classes;
    }

    private Path trustStore(Path authority) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var pem = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        Path file = folder.resolve("trust.p12");
        try (var out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return file;
    }
}
