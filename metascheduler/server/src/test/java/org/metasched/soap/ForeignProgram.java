package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
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

    /** The client in PHP or Perl, where SOAP is installed with the language. */
    static String script(String language, String... arguments) throws Exception {
        boolean php = language.equals("php");
        assumeTrue(
                php
                        ? answers("php", "-r", "new ReflectionClass('SoapClient');")
                        : answers("perl", "-MSOAP::Lite", "-MLWP::Protocol::https", "-e", "1"),
                language + " has no SOAP (Debian: php-cli php-soap, libsoap-lite-perl liblwp-protocol-https-perl);"
                        + " its client was not run");
        var script = SCRIPTS.resolve(language + "_client." + (php ? "php" : "pl"));
        return run(Stream.concat(Stream.of(language, script.toString()), Stream.of(arguments))
                .toList());
    }

    /** What it said; it ended well. */
    static String run(List<String> command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
