package org.metasched.cli.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Servers of this machine, found among its processes: a client waits for a server that is starting. */
final class LocalServers {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** The greatest age of a server that may still be starting. */
    private static final Duration YOUNG = Duration.ofMinutes(5);

    private static final int CONNECT_MILLIS = 1000;
    private static final long LOOK_MILLIS = 100;

    private LocalServers() {}

    /**
     * Returns at once unless the address is a loopback one, nothing listens there, and a server that may be for that port is
     * starting.
     *
     * @param processes processes among which a server is looked for
     */
    static void await(URI server, Supplier<Stream<ProcessHandle>> processes, Consumer<String> say) {
        int port = port(server);
        if (!String.valueOf(server.getHost()).matches("localhost|127\\..*|\\[::1]")
                || listens(server.getHost(), port)) {
            return;
        }
        var starting = starting(port, processes.get());
        starting.ifPresent(process -> say.accept("The server at " + server + " is starting (process " + process.pid()
                + "); waiting for at most " + PATIENCE.toSeconds() + " s."));
        long until = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (starting.isPresent() && !listens(server.getHost(), port) && System.nanoTime() < until) {
                // A server that ended may have been for another port, as its command line need not name one.
                if (hasEnded(starting.get(), LOOK_MILLIS)) {
                    starting = starting(port, processes.get());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The port of an address, or the usual one of its scheme. */
    static int port(URI server) {
        int usual = "https".equals(server.getScheme()) ? 443 : 80;
        return server.getPort() < 0 ? usual : server.getPort();
    }

    /** Waits for the end of a process; returns whether it came in time. */
    static boolean hasEnded(ProcessHandle process, long millis) throws InterruptedException {
        try {
            process.onExit().get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        }
    }

    private static Optional<ProcessHandle> starting(int port, Stream<ProcessHandle> processes) {
        Instant since = Instant.now().minus(YOUNG);
        return processes
                .filter(process ->
                        process.info().startInstant().filter(since::isBefore).isPresent())
                .filter(process -> serves(words(process), port))
                .findFirst();
    }

    /** Whether the process is a server of metasched, on any port. */
    static boolean isServer(ProcessHandle process) {
        return serves(words(process), 0);
    }

    /**
     * Whether a command line is of a server that listens, or may listen, on this port; on any for port 0. The command {@code server}
     * follows the script or main class.
     */
    private static boolean serves(List<String> words, int port) {
        int at = words.indexOf("server");
        if (at < 1 || words.contains("stop") || !words.get(at - 1).contains("metasched")) {
            return false;
        }
        String options = String.join(" ", words.subList(at, words.size()));
        return port == 0 || !options.contains("--port") || options.matches(".*--port[ =]" + port + "\\b.*");
    }

    /** The command line; from {@code /proc}, as {@code ProcessHandle} leaves out one longer than a page of memory. */
    private static List<String> words(ProcessHandle process) {
        try {
            Path line = Path.of("/proc", String.valueOf(process.pid()), "cmdline");
            return List.of(Files.readString(line, StandardCharsets.ISO_8859_1).split("\0"));
        } catch (IOException e) {
            return process.info().arguments().map(List::of).orElse(List.of());
        }
    }

    private static boolean listens(String host, int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host.replaceAll("[\\[\\]]", ""), port), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
