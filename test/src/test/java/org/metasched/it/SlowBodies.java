package org.metasched.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Callers that begin a body and go on at a byte a second, spread over the second, from several addresses of this machine, because one address may
 * not have so many connections. One that is turned away comes again within a second. In a process of its own with one thread, so that its processor time is not
 * counted with that of others.
 */
final class SlowBodies implements AutoCloseable {

    private static final int OF_AN_ADDRESS = 900;
    /** Parts of a second, each with its share of the callers. */
    private static final int TURNS = 100;

    private static final long TURN_NANOS = 1_000_000_000L / TURNS;
    private static final byte[] BEGIN = ("POST /services/AgreementFactory HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: text/xml\r\nContent-Length: 100000\r\n\r\n<")
            .getBytes(StandardCharsets.US_ASCII);

    private final Process process;

    /** Returns when so many bodies have begun. */
    SlowBodies(int port, int count) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Storm.class.getName(),
                        Integer.toString(port),
                        Integer.toString(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.inputReader().readLine() == null) {
            throw new AssertionError("The slow bodies broke off");
        }
    }

    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Connections that the server has closed so far, with an answer or without. */
    long turnedAway() throws IOException {
        process.outputWriter().write('\n');
        process.outputWriter().flush();
        return Long.parseLong(process.inputReader().readLine());
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** What runs in the process: says that all have begun, and for each byte of its input how many were turned away. */
    static final class Storm {

        private final InetSocketAddress server;
        private final SocketChannel[] channels;
        private final Selector selector = Selector.open();
        private final ByteBuffer answer = ByteBuffer.allocateDirect(4_096);
        private final ByteBuffer begin = ByteBuffer.allocateDirect(BEGIN.length).put(BEGIN);
        private final ByteBuffer space = ByteBuffer.allocateDirect(1).put((byte) ' ');
        private int began;
        private long turnedAway;

        private Storm(int port, int count) throws IOException {
            server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            channels = new SocketChannel[count];
        }

        public static void main(String[] words) throws IOException {
            new Storm(Integer.parseInt(words[0]), Integer.parseInt(words[1])).run();
        }

        private void run() throws IOException {
            boolean said = false;
            long next = System.nanoTime();
            for (int turn = 0; ; turn = (turn + 1) % TURNS) {
                for (int i = turn; i < channels.length; i += TURNS) {
                    goOn(i);
                }
                next += TURN_NANOS;
                for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                    selector.select(this::ready, Math.max(1, left / 1_000_000));
                }
                if (!said && began >= channels.length) {
                    said = true;
                    System.out.println("began");
                }
                if (System.in.available() > 0) {
                    System.in.read();
                    System.out.println(turnedAway);
                }
            }
        }

        private void goOn(int number) throws IOException {
            var channel = channels[number];
            if (channel == null || !channel.isOpen()) {
                channels[number] = open(number);
            } else if (channel.isConnected()) {
                write(channel, space);
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

        private void ready(SelectionKey key) {
            var channel = (SocketChannel) key.channel();
            try {
                if (key.isConnectable()) {
                    channel.finishConnect();
                    key.interestOps(SelectionKey.OP_READ);
                    write(channel, begin);
                    began++;
                } else if (channel.read(answer.clear()) < 0) {
                    away(channel);
                }
            } catch (IOException e) {
                away(channel);
            }
        }

        private void write(SocketChannel channel, ByteBuffer bytes) {
            try {
                channel.write(bytes.rewind());
            } catch (IOException e) {
                away(channel);
            }
        }

        private void away(SocketChannel channel) {
            turnedAway++;
            try {
                channel.close();
            } catch (IOException e) {
                // It is gone.
            }
        }
    }
}
