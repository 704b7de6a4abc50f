package org.metasched.http;

import java.time.Duration;

/**
 * Limits on what callers may cost a server.
 *
 * @param bodyBytes of one request; a longer one is answered with status 413
 * @param bytesWaiting of all bodies that have arrived in part; a body beyond it is answered with status 503
 * @param connections at the same time, of the main listener
 * @param connectionsPerAddress of one peer; proxies that are believed have no such bound
 * @param idle after which a connection on which nothing moves is closed
 * @param bytesPerSecond that a body must bring, judged from ten seconds after its begin; a slower one is answered with status 408
 * @param threads requests that are worked on at the same time, at least 8; a few more are kept for requests without a body
 */
public record HttpLimits(
        long bodyBytes,
        long bytesWaiting,
        int connections,
        int connectionsPerAddress,
        Duration idle,
        int bytesPerSecond,
        int threads) {

    public static final HttpLimits USUAL =
            new HttpLimits(4L << 20, 256L << 20, 8_192, 1_024, Duration.ofSeconds(30), 250, 200);

    public HttpLimits {
        threads = Math.max(8, threads);
    }

    public HttpLimits withBodyBytes(long bytes) {
        return new HttpLimits(bytes, bytesWaiting, connections, connectionsPerAddress, idle, bytesPerSecond, threads);
    }
}
