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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One client in Java, compiled with what two generators make of the WSDL as it is served, by the server and through a proxy alike. */
@Tag("full")
class GeneratedClientsTest {

    private static final List<String> SERVICES =
            List.of("AgreementFactory", "Agreement", "NegotiationFactory", "Negotiation");

    private static final String PASSWORD = "changeit";

    private static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

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
            String address = proxied.address.toString();
            var trust = List.of(
                    "-Djavax.net.ssl.trustStore=" + trustStore(proxied.authority),
                    "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
            var generate = new ArrayList<>(trust);
            generate.addAll(SHORT_LIVED);
            generate.addAll(List.of("-cp", classPath, generator));
            generate.addAll(List.of(options));
            Path sources = generated("direct", generate, base, SERVICES);
            // The last one alone: what services share is as the last one has it.
            var proxy = texts(generated("proxied", generate, address, SERVICES.subList(3, 4)), address);
            assertThat(proxy).isNotEmpty();
            assertThat(texts(sources, base)).containsAllEntriesOf(proxy);
            String classes = compiled(sources, classPath) + ":" + classPath;
            for (var version : List.of("soap12", "soap11")) {
                way.goes(client(List.of(), classes, base, version));
                beyond.goes(client(trust, classes, address, version));
            }
        }
    }

    private static List<String> client(List<String> options, String classPath, String address, String version) {
        var command = new ArrayList<>(List.of("java"));
        command.addAll(SHORT_LIVED);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, "GeneratedClient", address, version));
        return command;
    }

    private Path generated(String name, List<String> generate, String base, List<String> services) throws Exception {
        var sources = Files.createDirectory(folder.resolve(name));
        for (var service : services) {
            var command = new ArrayList<>(List.of("java"));
            command.addAll(generate);
            command.addAll(List.of("-d", sources.toString(), base + "/services/" + service + "?wsdl"));
            assertThat(run(command)).doesNotContain("WSDLToJava Error");
        }
        return sources;
    }

    /** Of each file, without the address and the time of generation. */
    private static Map<String, String> texts(Path sources, String address) throws Exception {
        var texts = new TreeMap<String, String>();
        for (Path file : javaFiles(sources)) {
            String text =
                    Files.readString(file).replace(address, "ADDRESS").replaceAll("\\d{4}-\\d\\d-\\d\\dT\\S+", "TIME");
            texts.put(sources.relativize(file).toString(), text);
        }
        return texts;
    }

    private static List<Path> javaFiles(Path sources) throws Exception {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private Path compiled(Path sources, String classPath) throws Exception {
        var classes = Files.createDirectory(folder.resolve("classes"));
        var compile =
                new ArrayList<>(List.of("javac", "-nowarn", "-proc:none", "-d", classes.toString(), "-cp", classPath));
        compile.add(SCRIPTS.resolve("GeneratedClient.java").toString());
        javaFiles(sources).forEach(file -> compile.add(file.toString()));
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
