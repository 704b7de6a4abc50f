package org.metasched.soap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.KeyMaterial;

/** Ends TLS in front of a listener that speaks plain HTTP, and hands every byte on, as stunnel does. */
final class TlsTerminator implements AutoCloseable {

    private final SSLServerSocket listener;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "tls-terminator");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile int port;

    TlsTerminator(Tls certificate) throws IOException, GeneralSecurityException {
        var material = KeyMaterial.of(certificate).get();
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(material.store(), material.password().toCharArray());
        var tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        listener = (SSLServerSocket)
                tls.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    URI address() {
        return URI.create("https://127.0.0.1:" + listener.getLocalPort());
    }

    /** Begins, once the listener behind is known. */
    void inFrontOf(int plainPort) {
        port = plainPort;
        threads.execute(this::accept);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var outside = listener.accept();
                var inside = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(outside);
                open.add(inside);
                threads.execute(() -> hand(outside, inside));
                threads.execute(() -> hand(inside, outside));
            } catch (IOException e) {
                // Closed, or one that speaks no TLS: its reader will find out.
            }
        }
    }

    private void hand(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // The other direction has closed both.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (var socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
