package org.metasched.http;

import java.time.Duration;

/**
 * Limits on what callers may cost a server.
 *
 * @param bodyBytes most bytes in the body of a request; a longer one gets status 413
 * @param bytesWaiting most bytes of all bodies that are being read or served; a body beyond it gets status 503
 * @param connections most connections of the main listener at the same time
 * @param connectionsPerAddress most connections of one peer; trusted proxies have no such bound
 * @param idle time after which a connection without traffic is closed
 * @param bytesPerSecond least speed of a body, judged from ten seconds after its start; a slower one gets status 408
 * @param threads most requests with a body in work at the same time, at least 8; more threads are kept for requests without a body
 */
public record HttpLimits(
        long bodyBytes,
        long bytesWaiting,
        int connections,
        int connectionsPerAddress,
        Duration idle,
        int bytesPerSecond,
        int threads) {

    /** The limits unless others are configured. */
    public static final HttpLimits DEFAULT =
            new HttpLimits(4L << 20, 256L << 20, 8_192, 1_024, Duration.ofSeconds(30), 250, 200);

    public HttpLimits {
        threads = Math.max(8, threads);
    }

    public HttpLimits withBodyBytes(long bytes) {
        return new HttpLimits(bytes, bytesWaiting, connections, connectionsPerAddress, idle, bytesPerSecond, threads);
    }
}
