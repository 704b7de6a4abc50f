package org.metasched.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Callers that begin a body and go on at a byte a second, from several addresses of this machine, because one address may not have so many
 * connections. One that is turned away comes again with the next second. One thread of its own.
 */
final class SlowBodies implements AutoCloseable {

    private static final int OF_AN_ADDRESS = 900;
    private static final long TURN_NANOS = 1_000_000_000L;
    private static final byte[] BEGIN = ("POST /services/AgreementFactory HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: text/xml\r\nContent-Length: 100000\r\n\r\n<")
            .getBytes(StandardCharsets.US_ASCII);

    private final InetSocketAddress server;
    private final int count;
    private final Selector selector = Selector.open();
    private final List<SocketChannel> channels = new ArrayList<>();
    private final CountDownLatch allBegan;
    private final AtomicLong turnedAway = new AtomicLong();
    private final Thread thread = new Thread(this::run, "slow-bodies");
    private volatile boolean ended;

    SlowBodies(URI base, int count) throws IOException {
        this.server = new InetSocketAddress(base.getHost(), base.getPort());
        this.count = count;
        this.allBegan = new CountDownLatch(count);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until so many bodies have begun in all. */
    void awaitAll() throws InterruptedException {
        allBegan.await();
    }

    /** Connections that the server closed, with an answer or without. */
    long turnedAway() {
        return turnedAway.get();
    }

    private void run() {
        try {
            long next = System.nanoTime();
            for (int i = 0; i < count; i++) {
                channels.add(open(i));
            }
            while (!ended) {
                long left = (next - System.nanoTime()) / 1_000_000;
                if (left > 0) {
                    selector.select(this::ready, left);
                } else {
                    next += TURN_NANOS;
                    turn();
                    selector.selectNow(this::ready);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("The slow bodies broke off: " + e, e);
        }
    }

    private SocketChannel open(int number) throws IOException {
        var channel = SocketChannel.open();
        channel.bind(new InetSocketAddress(
                InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (2 + number / OF_AN_ADDRESS)}), 0));
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_CONNECT);
        channel.connect(server);
        return channel;
    }

    private void turn() throws IOException {
        for (int i = 0; i < count; i++) {
            var channel = channels.get(i);
            if (!channel.isOpen()) {
                channels.set(i, open(i));
            } else if (channel.isConnected()) {
                write(channel, new byte[] {' '});
            }
        }
    }

    private void ready(SelectionKey key) {
        var channel = (SocketChannel) key.channel();
        try {
            if (key.isConnectable()) {
                channel.finishConnect();
                key.interestOps(SelectionKey.OP_READ);
                write(channel, BEGIN);
                allBegan.countDown();
            } else if (channel.read(ByteBuffer.allocate(4_096)) < 0) {
                away(channel);
            }
        } catch (IOException e) {
            away(channel);
        }
    }

    private void write(SocketChannel channel, byte[] bytes) {
        try {
            channel.write(ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            away(channel);
        }
    }

    private void away(SocketChannel channel) {
        turnedAway.incrementAndGet();
        closeQuietly(channel);
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is gone.
        }
    }

    @Override
    public void close() throws Exception {
        ended = true;
        selector.wakeup();
        thread.join();
        channels.forEach(SlowBodies::closeQuietly);
        selector.close();
    }
}
