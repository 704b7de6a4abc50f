package org.metasched.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The server as a process of its own, to be killed. Its log can be waited for line by line. */
public final class ServerProcess implements AutoCloseable {

    private static final int MOST_LINES = 1000;
    private static final Pattern HEAP = Pattern.compile("jvm_memory_used_bytes\\{area=\"heap\"[^}]*} (\\S+)");

    private final Process process;
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final CountDownLatch logged;
    private final Thread listener;

    private ServerProcess(Process process, int lines) {
        this.process = process;
        this.logged = new CountDownLatch(lines);
        this.listener = new Thread(this::listen, "server-log");
        listener.setDaemon(true);
        listener.start();
    }

    public static ServerProcess start(Path config) throws IOException {
        return start(config, 0);
    }

    /** @param environment beside the test's own */
    static ServerProcess start(Path config, Map<String, String> environment) throws IOException {
        return start(config, 0, environment);
    }

    /** @param lines of its log that {@link #awaitLines} is going to wait for */
    static ServerProcess start(Path config, int lines) throws IOException {
        return start(config, lines, Map.of());
    }

    /** With the JVM options that a server is shipped with, which are none. */
    static ServerProcess asShipped(Path config) throws IOException {
        return start(CliProcess.of(List.of(), "server", "--config", config.toString()), 0, Map.of());
    }

    private static ServerProcess start(Path config, int lines, Map<String, String> environment) throws IOException {
        return start(CliProcess.of("server", "--config", config.toString()), lines, environment);
    }

    private static ServerProcess start(ProcessBuilder builder, int lines, Map<String, String> environment)
            throws IOException {
        builder.environment().put("METASCHED_LOG", lines > 0 ? "INFO" : "WARN");
        builder.environment().putAll(environment);
        return new ServerProcess(builder.start(), lines);
    }

    /** Of another version. */
    static ServerProcess ofClassPath(String classPath, Path config) throws IOException {
        var builder = CliProcess.of("server", "--config", config.toString());
        builder.command().set(builder.command().indexOf("-cp") + 1, classPath);
        return start(builder, 0, Map.of());
    }

    /** With the JVM's usual options and those of the property {@code metasched.server.options}, and a heap of so many MiB. */
    static ServerProcess fast(Path config, int heap) throws IOException {
        var builder = CliProcess.of("server", "--config", config.toString());
        builder.command().removeIf(word -> word.startsWith("-XX:"));
        builder.command().add(1, "-Xmx" + heap + "m");
        var more = System.getProperty("metasched.server.options", "").split(" ");
        builder.command()
                .addAll(2, Stream.of(more).filter(option -> !option.isEmpty()).toList());
        builder.environment().put("METASCHED_LOG", "WARN");
        return new ServerProcess(builder.start(), 0);
    }

    /** An adapter, served at a port; returns when it is ready. */
    public static ServerProcess adapter(Path config, int port) throws IOException {
        return adapter(config, port, Map.of());
    }

    /** @param environment beside the test's own */
    static ServerProcess adapter(Path config, int port, Map<String, String> environment) throws IOException {
        var builder = CliProcess.of("adapter", "serve", "--config", config.toString(), "--port", String.valueOf(port));
        var adapter = start(builder, 0, environment);
        adapter.firstLine();
        return adapter;
    }

    public URI awaitReady() throws IOException {
        return URI.create(firstLine());
    }

    private String firstLine() throws IOException {
        String line = process.inputReader().readLine();
        if (line == null) {
            throw new AssertionError("It ended before it was ready; it said " + log);
        }
        return line;
    }

    /** Waits until it has logged so many lines, or has ended. */
    void awaitLines() throws InterruptedException {
        if (!logged.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("The server logs too little to be killed in time; it said " + log);
        }
    }

    /** SIGKILL; may be called by any thread, more than once. Returns when nothing of it runs any more. */
    public void kill() {
        process.destroyForcibly();
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it said beside its address. */
    List<String> log() {
        return log;
    }

    /** Bytes of its heap after a full collection. */
    long usedHeap(URI base) throws Exception {
        var collected =
                jcmd("GC.run").redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (collected.waitFor() != 0) {
            throw new AssertionError("jcmd did not reach the server " + pid());
        }
        try (var in = base.resolve("/metrics").toURL().openStream()) {
            return (long) HEAP.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .results()
                    .mapToDouble(found -> Double.parseDouble(found.group(1)))
                    .sum();
        }
    }

    private ProcessBuilder jcmd(String command) {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid()), command);
    }

    /** What its threads do, or why that is not known. */
    String threads() {
        try {
            var asked = jcmd("Thread.print").redirectErrorStream(true).start();
            return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** SIGTERM; returns when it has ended. */
    void terminate() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new AssertionError("The server does not stop; it said " + log);
        }
    }

    /** Of user and system. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** STOP or CONT. */
    void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("kill -" + name + " " + pid() + " ended with " + exit);
        }
    }

    private void listen() {
        try (BufferedReader lines = process.errorReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (log.size() < MOST_LINES) {
                    log.add(line);
                }
                logged.countDown();
            }
        } catch (IOException e) {
            log.add("The log broke off: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        kill();
    }
}
