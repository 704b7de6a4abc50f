package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that are not ours, where they are installed. */
final class ForeignProgram {

    static final String PYTHON = "/usr/bin/python3";
    static final Path SCRIPTS = Path.of(System.getProperty("metasched.root", "../.."), "examples/soap-client");

    private ForeignProgram() {}

    /** Whether it is there and ends well. */
    static boolean answers(String... command) throws Exception {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    /**
     * The command of a client in a scripting language; the test is skipped where its library is not installed. {@code NODE_PATH} names the folder where
     * {@code npm install soap strong-soap} put them.
     *
     * @param authority of the server's certificate, where it has one
     */
    static List<String> client(String stack, String base, String version, Optional<Path> authority) throws Exception {
        var trusted = authority.map(Path::toString);
        return switch (stack) {
            case "zeep" -> {
                assumeTrue(
                        answers(PYTHON, "-c", "import zeep, xmlsec"),
                        "python3-zeep or python3-xmlsec is not installed; the Python client was not run");
                yield command(
                        List.of(PYTHON, script("zeep_client.py"), base, version), trusted.map(a -> List.of("--ca", a)));
            }
            case "php" -> {
                assumeTrue(
                        answers("php", "-r", "new ReflectionClass('SoapClient');"),
                        "PHP has no SOAP (Debian: php-cli php-soap); its client was not run");
                yield command(List.of("php", script("php_client.php"), base, version), trusted.map(List::of));
            }
            case "perl" -> {
                assumeTrue(
                        answers("perl", "-MSOAP::Lite", "-MLWP::Protocol::https", "-e", "1"),
                        "Perl has no SOAP (Debian: libsoap-lite-perl liblwp-protocol-https-perl); its client was not run");
                yield command(List.of("perl", script("perl_client.pl"), base, version), trusted.map(List::of));
            }
            default -> {
                assumeTrue(
                        answers("node", "-e", "require('" + stack + "')"),
                        stack + " is not installed (npm install " + stack + ", NODE_PATH); its client was not run");
                yield command(
                        List.of("env", "NODE_EXTRA_CA_CERTS=" + trusted.orElse("")),
                        Optional.of(List.of("node", script("node_client.js"), base, stack, version)));
            }
        };
    }

    /** The client that gSOAP makes from the WSDL of a server; the test is skipped where gSOAP is not installed. */
    static String gsoap(String base, Path folder) throws Exception {
        assumeTrue(
                answers(
                        "sh",
                        "-c",
                        "wsdl2h -V && g++ --version && ls /usr/include/stdsoap2.h /usr/include/openssl/ssl.h"),
                "gsoap, libgsoap-dev, libssl-dev or g++ is not installed; the C++ client was not run");
        run(List.of(script("gsoap_build.sh"), base, folder.toString()));
        return folder.resolve("gsoap_client").toString();
    }

    /** What it said; it ended well. */
    static String run(List<String> command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    private static String script(String name) {
        return SCRIPTS.resolve(name).toString();
    }

    private static List<String> command(List<String> begin, Optional<List<String>> end) {
        return Stream.concat(begin.stream(), end.stream().flatMap(List::stream)).toList();
    }
}
