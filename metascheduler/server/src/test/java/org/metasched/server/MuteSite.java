package org.metasched.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A site that takes every question and never answers. */
final class MuteSite implements AutoCloseable {

    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> callers = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    MuteSite() throws IOException {
        start("door", this::open);
    }

    int port() {
        return door.getLocalPort();
    }

    /** Waits until so many questions have come in. */
    void awaitQuestions(int count) throws InterruptedException {
        var all = new StringBuilder();
        while (all.toString().split("</soap:Envelope>", -1).length <= count) {
            String next = heard.poll(30, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("Heard fewer than " + count + " questions: " + all);
            }
            all.append(next);
        }
    }

    private void open() {
        try {
            while (!door.isClosed()) {
                var caller = door.accept();
                callers.add(caller);
                start("ear", () -> listen(caller));
            }
        } catch (IOException e) {
            // The end of it.
        }
    }

    private void listen(Socket caller) {
        byte[] buffer = new byte[8192];
        try {
            for (int n = caller.getInputStream().read(buffer);
                    n > 0;
                    n = caller.getInputStream().read(buffer)) {
                heard.add(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            // The caller, or the end.
        }
    }

    private static void start(String name, Runnable work) {
        var thread = new Thread(work, "mute-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (var caller : callers) {
            caller.close();
        }
    }
}
