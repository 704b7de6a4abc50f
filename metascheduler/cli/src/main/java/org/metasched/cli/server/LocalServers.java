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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.server.ConfigurationFile;

/** Servers of this machine, found among its processes: a client waits for a server that is starting. */
final class LocalServers {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
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
                + "); waiting for at most " + TIMEOUT.toSeconds() + " s."));
        long until = System.nanoTime() + TIMEOUT.toNanos();
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
                .filter(process -> isServer(process) && mayListen(process, port))
                .findFirst();
    }

    /** Whether the process is a server of metasched: its command {@code server} follows the script or main class. */
    static boolean isServer(ProcessHandle process) {
        var words = words(process);
        int at = words.indexOf("server");
        return at > 0 && !words.contains("stop") && words.get(at - 1).contains("metasched");
    }

    /** Whether a server listens on this port by its options and its configuration, as far as they can be read. */
    private static boolean mayListen(ProcessHandle server, int port) {
        var words = words(server);
        var folder = Path.of("/proc", String.valueOf(server.pid()), "cwd");
        try {
            return port
                    == option(words, "--port")
                            .map(Integer::valueOf)
                            .or(() -> ConfigurationFile.settings(
                                            option(words, "--config").map(folder::resolve))
                                    .number("port"))
                            .orElseGet(() -> port(URI.create(ServerAddress.DEFAULT)));
        } catch (IllegalArgumentException | InvalidSettingException e) {
            return true;
        }
    }

    private static Optional<String> option(List<String> words, String name) {
        return IntStream.range(0, words.size())
                .filter(at -> words.get(at).equals(name) && at + 1 < words.size()
                        || words.get(at).startsWith(name + "="))
                .mapToObj(at -> words.get(at).equals(name)
                        ? words.get(at + 1)
                        : words.get(at).substring(name.length() + 1))
                .findFirst();
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
