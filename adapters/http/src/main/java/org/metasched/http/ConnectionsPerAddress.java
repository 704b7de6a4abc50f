package org.metasched.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SocketChannelEndPoint;

/** Closes a new connection of a peer that has as many as it may. {@code O(1)} for each connection. Thread-safe. */
final class ConnectionsPerAddress implements Connection.Listener {

    private final int most;
    private final Predicate<InetAddress> unbounded;
    /** Peers of open connections, as a closed socket does not know its peer any more. */
    private final Map<Connection, InetAddress> peers = new HashMap<>();

    /** The number of open connections by peer. */
    private final Map<InetAddress, Integer> open = new HashMap<>();

    /** @param unbounded test of peers that may have any number */
    ConnectionsPerAddress(int most, Predicate<InetAddress> unbounded) {
        this.most = most;
        this.unbounded = unbounded;
    }

    @Override
    public void onOpened(Connection connection) {
        // With TLS a second connection lies in the first: only the one on the socket is counted.
        if (connection.getEndPoint() instanceof SocketChannelEndPoint end
                && end.getRemoteSocketAddress() instanceof InetSocketAddress address) {
            var peer = address.getAddress();
            if (count(connection, peer) > most && !unbounded.test(peer)) {
                end.close();
            }
        }
    }

    private synchronized int count(Connection connection, InetAddress peer) {
        peers.put(connection, peer);
        return open.merge(peer, 1, Integer::sum);
    }

    @Override
    public synchronized void onClosed(Connection connection) {
        var peer = peers.remove(connection);
        if (peer != null) {
            open.computeIfPresent(peer, (p, count) -> count <= 1 ? null : count - 1);
        }
    }
}
