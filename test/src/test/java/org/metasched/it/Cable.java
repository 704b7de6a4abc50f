package org.metasched.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/**
 * TCP connections on their way to ports of this machine, without a look at what is said. It can be cut: then no byte passes in either
 * direction and nobody is told, as when a network is parted; what was under way passes when it is mended. With several ports it is as dumb as a
 * balancer can be: each connection goes to any of them that takes it. Thread-safe.
 */
final class Cable implements AutoCloseable {

    private final List<ServerSocket> ends = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "cable");
        thread.setDaemon(true);
        return thread;
    });
    private boolean cut;
    private volatile String word = "";
    private volatile Runnable action = () -> {};

    /** @return the port at which connections to one of these begin */
    int to(Integer... ports) throws IOException {
        var end = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        ends.add(end);
        threads.execute(() -> accept(end, List.of(ports)));
        return end.getLocalPort();
    }

    /** Before a piece with this word passes for the first time, this happens, and the piece passes no more. */
    void beforeFirst(String text, Runnable happens) {
        action = happens;
        word = text;
    }

    synchronized void cut() {
        cut = true;
    }

    synchronized void mend() {
        cut = false;
        notifyAll();
    }

    private synchronized void awaitWhole() throws IOException {
        try {
            while (cut) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("The cable is closed", e);
        }
    }

    private void accept(ServerSocket end, List<Integer> ports) {
        try {
            while (true) {
                var client = end.accept();
                open.add(client);
                threads.execute(() -> connect(client, ports));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void connect(Socket client, List<Integer> ports) {
        int first = ThreadLocalRandom.current().nextInt(ports.size());
        for (int i = 0; i < ports.size(); i++) {
            var server = new Socket();
            try {
                awaitWhole();
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
            var in = from.getInputStream();
            var out = to.getOutputStream();
            var buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                awaitWhole();
                String awaited = word;
                if (!awaited.isEmpty() && new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains(awaited)) {
                    word = "";
                    action.run();
                    return;
                }
                out.write(buffer, 0, n);
            }
            awaitWhole();
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
        for (var end : new ArrayList<>(ends)) {
            end.close();
        }
        open.forEach(this::end);
        threads.shutdownNow();
    }
}
