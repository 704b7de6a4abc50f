package org.metasched.cli.server;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ClientCredentials;
import picocli.CommandLine.Option;

/**
 * Mixin of the commands that call a server: the user's credentials, and the authorities that the program trusts for the server.
 */
public final class CallerOptions {

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            description = "Your certificate in PEM, or a PKCS#12 store (.p12); METASCHED_CERT if not given.")
    private @Nullable Path certificate;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "Key of --cert in PEM; for a store its password's file; METASCHED_KEY if not given.")
    private @Nullable Path key;

    @Option(
            names = "--ca",
            paramLabel = "FILE|DIR",
            description =
                    "Authorities of the server's certificate: PEM, or an IGTF directory; METASCHED_CA if not given,"
                            + " else those of the Java installation.")
    private @Nullable Path authorities;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file with a bearer token; METASCHED_TOKEN_FILE, then BEARER_TOKEN_FILE if not given.")
    private @Nullable Path token;

    /** Whether an option is given: then the environment and files that name credentials do not count. */
    public boolean isGiven() {
        return Stream.of(certificate, key, authorities, token).anyMatch(Objects::nonNull);
    }

    /** The user's credentials by the environment variables. */
    public static ClientCredentials ofEnvironment() {
        return new CallerOptions().caller();
    }

    public ClientCredentials caller() {
        return caller(System.getenv());
    }

    /** A certificate or token given as an option counts more than one of the environment, and a certificate more than a token. */
    ClientCredentials caller(Map<String, String> environment) {
        var own = path(certificate, environment, "METASCHED_CERT");
        var tokenFile = token == null && own.isPresent() ? Optional.<Path>empty() : tokenFile(environment);
        if (certificate == null && token != null) {
            own = Optional.empty();
        }
        return new ClientCredentials(
                own.map(file -> new Tls(file, keyOf(environment))),
                path(authorities, environment, "METASCHED_CA"),
                tokenFile);
    }

    private Optional<Path> tokenFile(Map<String, String> environment) {
        return path(token, environment, "METASCHED_TOKEN_FILE").or(() -> path(null, environment, "BEARER_TOKEN_FILE"));
    }

    private Path keyOf(Map<String, String> environment) {
        return path(key, environment, "METASCHED_KEY")
                .orElseThrow(
                        () -> ExitCodeException.badInput("The certificate needs its key: --key or METASCHED_KEY."));
    }

    private static Optional<Path> path(@Nullable Path given, Map<String, String> environment, String name) {
        return Optional.ofNullable(given)
                .or(() -> Optional.ofNullable(environment.get(name))
                        .filter(text -> !text.isBlank())
                        .map(Path::of));
    }
}
