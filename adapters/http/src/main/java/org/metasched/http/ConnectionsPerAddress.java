package org.metasched.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.jspecify.annotations.Nullable;

/** Closes connections of one peer beyond a bound at once. {@code O(1)} each. Thread-safe. */
final class ConnectionsPerAddress implements Connection.Listener {

    private final int most;
    private final Predicate<InetAddress> unbounded;
    private final Map<InetAddress, Integer> open = new ConcurrentHashMap<>();

    ConnectionsPerAddress(int most, Predicate<InetAddress> unbounded) {
        this.most = most;
        this.unbounded = unbounded;
    }

    @Override
    public void onOpened(Connection connection) {
        var peer = peer(connection);
        if (peer != null && open.merge(peer, 1, Integer::sum) > most && !unbounded.test(peer)) {
            connection.getEndPoint().close();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        var peer = peer(connection);
        if (peer != null) {
            open.computeIfPresent(peer, (p, count) -> count <= 1 ? null : count - 1);
        }
    }

    private static @Nullable InetAddress peer(Connection connection) {
        // With TLS a second connection lies in the first: only the one on the socket counts.
        return connection.getEndPoint() instanceof SocketChannelEndPoint end
                        && end.getRemoteSocketAddress() instanceof InetSocketAddress address
                ? address.getAddress()
                : null;
    }
}
