package org.metasched.cli.server;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.Settings;
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

    /** The options that are given, with their values, to be repeated in another command. */
    public List<String> given() {
        return Stream.of(
                        words("--cert", certificate),
                        words("--key", key),
                        words("--ca", authorities),
                        words("--token-file", token))
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> words(String option, @Nullable Path value) {
        return value == null ? List.of() : List.of(option, value.toString());
    }

    /** The user's credentials by the environment variables. */
    public static ClientCredentials ofEnvironment() {
        return new CallerOptions().caller();
    }

    public ClientCredentials caller() {
        return caller(System.getenv());
    }

    /** The credentials of the options; those that are not given are of {@code client:} in a file, not of the environment. */
    public ClientCredentials caller(Settings client) {
        Map<String, String> paths = new HashMap<>();
        client.path("certificate").ifPresent(path -> paths.put("METASCHED_CERT", path.toString()));
        client.path("key").ifPresent(path -> paths.put("METASCHED_KEY", path.toString()));
        client.path("authorities").ifPresent(path -> paths.put("METASCHED_CA", path.toString()));
        client.path("token-file").ifPresent(path -> paths.put("METASCHED_TOKEN_FILE", path.toString()));
        return caller(paths);
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
