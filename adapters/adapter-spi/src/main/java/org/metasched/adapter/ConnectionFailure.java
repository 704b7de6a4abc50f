package org.metasched.adapter;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * The reason why a connection failed, in words for people. Libraries wrap the reason in many layers, and some name none.
 *
 * @param reason cause of the failure, without a full stop
 * @param maybe a sentence with the likely cause, that begins with "Maybe"
 */
public record ConnectionFailure(String reason, String maybe) {

    private static final String ENDED = "the connection ended without an answer";
    private static final String NO_SERVER = "Maybe it is not running there.";
    private static final String NO_TRUST = "Maybe its certificate is not trusted here, or it wants one of the caller.";
    private static final String SEE_LOG = "Maybe its log says more.";

    /** A failure that is known by an exception, which is the thrown one or one of its causes. */
    private record Known(Predicate<Throwable> fits, String reason, String maybe) {}

    private static final List<Known> KNOWN = List.of(
            byType(
                    "the host name is unknown",
                    "Maybe the name is misspelled, or the name service does not answer.",
                    UnresolvedAddressException.class,
                    UnknownHostException.class),
            byType(
                    "it took too long",
                    "Maybe a firewall drops what is sent there, or the server is overloaded.",
                    HttpTimeoutException.class,
                    SocketTimeoutException.class,
                    TimeoutException.class),
            byType(
                    "there is no way to that host",
                    "Maybe the network is down, or the address is wrong.",
                    NoRouteToHostException.class),
            byMessage(
                    "the port does not speak TLS",
                    "Maybe the URL must begin with http://, not with https://.",
                    "Unsupported or unrecognized SSL",
                    "Unrecognized SSL message"),
            // The JDK says of a reset connection also that it received no bytes.
            byMessage(
                    "the connection was reset",
                    "Maybe the server ended, or the port speaks TLS: then the URL must begin with https://.",
                    "Connection reset",
                    "Broken pipe"),
            byMessage(
                    "the answer is not HTTP",
                    "Maybe the port speaks TLS: then the URL must begin with https://.",
                    "parsing HTTP/1.1 status line",
                    "Invalid status line"),
            byMessage(
                    ENDED,
                    "Maybe the server ended, or the port speaks TLS: then the URL must begin with https://.",
                    "header parser received no bytes",
                    "EOF reached while reading"),
            byMessage("the answer is in another format", "Maybe another service listens there.", "ContentType"),
            byType("connection refused", NO_SERVER, ConnectException.class),
            byType(ENDED, "Maybe the server ended.", ClosedChannelException.class));

    /** The first known failure that an exception or one of its causes fits; without any, the message of the innermost cause. */
    public static ConnectionFailure of(Throwable problem) {
        var causes =
                Stream.iterate(problem, Objects::nonNull, Throwable::getCause).toList();
        String message = causes.get(causes.size() - 1).getMessage();
        String innermost = message == null ? "the reason is unknown" : message.replaceFirst("[.]$", "");
        return KNOWN.stream()
                .filter(known -> causes.stream().anyMatch(known.fits()))
                .findFirst()
                .map(known -> new ConnectionFailure(known.reason(), known.maybe()))
                .orElseGet(() -> new ConnectionFailure(
                        innermost, causes.stream().anyMatch(SSLException.class::isInstance) ? NO_TRUST : SEE_LOG));
    }

    /** The meaning of an HTTP status other than 200 and 500, in words for people. */
    public static String ofStatus(int status) {
        return switch (status) {
            case 401 -> "it wants a certificate or a token that it trusts (401)";
            case 404 -> "there is no such service at that address (404)";
            case 413 -> "the message is larger than the service takes (413)";
            case 421 -> "it is not known there by the name in the URL (421)";
            default -> "it answered with HTTP status " + status;
        };
    }

    @SafeVarargs
    private static Known byType(String reason, String maybe, Class<? extends Throwable>... types) {
        return new Known(problem -> Stream.of(types).anyMatch(type -> type.isInstance(problem)), reason, maybe);
    }

    private static Known byMessage(String reason, String maybe, String... words) {
        return new Known(problem -> Stream.of(words).anyMatch(problem.toString()::contains), reason, maybe);
    }
}
