package org.metasched.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** As dumb as a balancer can be: each TCP connection goes to any server that takes it, without a look at what is said. Thread-safe. */
final class Balancer implements AutoCloseable {

    private final List<Integer> ports;
    private final ServerSocket socket;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "balancer");
        thread.setDaemon(true);
        return thread;
    });

    Balancer(List<Integer> ports) throws IOException {
        this.ports = ports;
        this.socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                var client = socket.accept();
                open.add(client);
                threads.execute(() -> connect(client));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void connect(Socket client) {
        int first = ThreadLocalRandom.current().nextInt(ports.size());
        for (int i = 0; i < ports.size(); i++) {
            var server = new Socket();
            try {
                server.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get((first + i) % ports.size())),
                        1000);
                open.add(server);
                threads.execute(() -> pump(client, server));
                threads.execute(() -> pump(server, client));
                return;
            } catch (IOException e) {
                end(server);
            }
        }
        end(client);
    }

    private void pump(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            var buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // One of them is gone, and so is the other.
        } finally {
            end(from);
            end(to);
        }
    }

    private void end(Socket one) {
        open.remove(one);
        try {
            one.close();
        } catch (IOException e) {
            // It is closed.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        open.forEach(this::end);
        threads.shutdownNow();
    }
}
