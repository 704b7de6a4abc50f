package org.metasched.notice;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Takes mail on a port of this machine, one after the other. */
final class MailServer implements AutoCloseable {

    final BlockingQueue<List<String>> letters = new LinkedBlockingQueue<>();
    private final ServerSocket socket;
    /** What it answers to a receiver, the last one again and again. */
    private final List<String> verdicts;

    MailServer(String... verdicts) throws IOException {
        this.verdicts = new ArrayList<>(List.of(verdicts));
        socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        var thread = new Thread(this::serve, "mail");
        thread.setDaemon(true);
        thread.start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (var caller = socket.accept();
                    var in = new BufferedReader(
                            new InputStreamReader(caller.getInputStream(), StandardCharsets.US_ASCII))) {
                talk(in, caller.getOutputStream());
            } catch (IOException e) {
                // The next one.
            }
        }
    }

    private void talk(BufferedReader in, OutputStream out) throws IOException {
        say(out, "220 here");
        for (String line = in.readLine(); line != null && !line.equals("QUIT"); line = in.readLine()) {
            if (line.startsWith("RCPT")) {
                say(out, verdicts.size() > 1 ? verdicts.remove(0) : verdicts.get(0));
            } else if (line.equals("DATA")) {
                say(out, "354 go on");
                var letter = new ArrayList<String>();
                for (String text = in.readLine(); text != null && !text.equals("."); text = in.readLine()) {
                    letter.add(text);
                }
                letters.add(letter);
                say(out, "250 taken");
            } else {
                say(out, "250-first\r\n250 ok");
            }
        }
        say(out, "221 bye");
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
