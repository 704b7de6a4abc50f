package org.metasched.cli.server;

import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.function.Function;
import org.metasched.adapter.ConnectionFailure;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.soap.collector.RemoteCollector;
import org.metasched.trust.ClientCredentials;

/** Calls of a server's collector, whose failures become exit codes. */
public final class CollectorCalls {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private CollectorCalls() {}

    public static <T> T on(ServerOption server, Function<RemoteCollector, T> call) {
        return on(server.ready(), server.caller(), call);
    }

    /**
     * Makes a call.
     *
     * @param caller credentials of the user at the server
     * @throws ExitCodeException if it fails
     */
    public static <T> T on(URI server, ClientCredentials caller, Function<RemoteCollector, T> call) {
        try (var remote = RemoteCollector.at(server, TIMEOUT, caller)) {
            return call.apply(remote);
        } catch (UncheckedIOException e) {
            String message = ErrorMessages.of(e);
            // A server that answers with a status, such as (403), can be reached.
            throw ExitCodeException.outside(
                    message.contains("(4")
                            ? message
                            : message + "\n" + ConnectionFailure.of(e).maybe());
        }
    }
}
