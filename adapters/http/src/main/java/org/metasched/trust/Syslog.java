package org.metasched.trust;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the record of decisions, as RFC 5424 says. It goes over UDP (RFC 5426), over TCP or a stream socket of this machine with the
 * length before each line (RFC 6587). Never holds up a decision: lines that find no room while the receiver is away are lost and counted
 * in the log; the files have them. Thread-safe.
 */
final class Syslog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Syslog.class);
    private static final int MOST_WAITING = 10_000;
    private static final int USUAL_PORT = 514;
    private static final long RETRY_SECONDS = 5;
    /** Facility log audit (13); severity informational, and notice for a denial. */
    private static final int INFORMATIONAL = 13 * 8 + 6;

    private static final int NOTICE = 13 * 8 + 5;

    private record Line(String time, boolean denied, String text) {}

    private final URI receiver;
    private final BlockingQueue<Line> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Thread thread = new Thread(this::run, "syslog");
    private Optional<ByteChannel> open = Optional.empty();
    private volatile boolean ended;
    private final AtomicLong lost = new AtomicLong();

    /** @param receiver {@code udp://host:port}, {@code tcp://host:port} or {@code unix:/path} */
    Syslog(URI receiver) {
        this.receiver = receiver;
        thread.setDaemon(true);
        thread.start();
    }

    void send(String time, boolean denied, String line) {
        if (!waiting.offer(new Line(time, denied, line))) {
            lost.incrementAndGet();
        }
    }

    private void run() {
        try {
            while (!ended || !waiting.isEmpty()) {
                var line = waiting.poll(1, TimeUnit.SECONDS);
                while (line != null && !trySend(line)) {
                    if (ended) {
                        return;
                    }
                    TimeUnit.SECONDS.sleep(RETRY_SECONDS);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("Stopped with {} lines unsent", waiting.size());
        }
    }

    private boolean trySend(Line line) {
        try {
            if (open.isEmpty()) {
                connect();
                LOG.info("The record of decisions goes to {} as well", receiver);
            }
            var bytes = ByteBuffer.wrap(framed(line).getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                open.get().write(bytes);
            }
            long missing = lost.getAndSet(0);
            if (missing > 0) {
                LOG.error("{} lines of the record were not sent to {}", missing, receiver);
            }
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.warn("The record of decisions does not reach {}: {}", receiver, e.toString());
            disconnect();
            return false;
        }
    }

    /** Opens a channel, which {@link #disconnect} closes also if it cannot be connected. */
    private void connect() throws IOException {
        switch (receiver.getScheme()) {
            case "udp" -> {
                var channel = DatagramChannel.open();
                open = Optional.of(channel);
                channel.connect(address());
            }
            case "tcp" -> open = Optional.of(SocketChannel.open(address()));
            default -> {
                var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                open = Optional.of(channel);
                channel.connect(UnixDomainSocketAddress.of(receiver.getPath()));
            }
        }
    }

    private SocketAddress address() {
        return new InetSocketAddress(receiver.getHost(), receiver.getPort() < 0 ? USUAL_PORT : receiver.getPort());
    }

    /** The line is printable ASCII, so characters are bytes. */
    private String framed(Line line) {
        String message = "<" + (line.denied() ? NOTICE : INFORMATIONAL) + ">1 " + line.time() + " - metasched "
                + ProcessHandle.current().pid() + " audit - " + line.text();
        return receiver.getScheme().equals("udp") ? message : message.length() + " " + message;
    }

    private void disconnect() {
        try {
            if (open.isPresent()) {
                open.get().close();
            }
        } catch (IOException e) {
            LOG.debug("A connection to {} did not close in order", receiver, e);
        }
        open = Optional.empty();
    }

    /** Sends the lines that wait, unless the receiver is away, and closes. */
    @Override
    public void close() {
        ended = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
            thread.interrupt();
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        disconnect();
    }
}
