package org.metasched.cli.server;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;

/** Starts a server in a session of its own, and waits until it is ready. */
record BackgroundServer(Path data, OutputOptions output) {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    /** Starts a program in a session of its own, so that Ctrl-C in the terminal does not end it. */
    private static final Path OWN_SESSION = Path.of("/usr/bin/setsid");

    private static final long LOOK_MILLIS = 100;
    private static final long LONGEST_EXCERPT = 4_096;

    private record Started(URI url, long process, Path log) {}

    /** @param arguments words of the command line, from {@code server} on */
    int start(List<String> arguments) throws IOException, InterruptedException {
        Path log = Files.createDirectories(data).resolve("server.log");
        long logged = Files.exists(log) ? Files.size(log) : 0;
        Process process = new ProcessBuilder(command(arguments))
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .redirectErrorStream(true)
                .start();
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < until) {
            var running = ServerProcessFile.read(data);
            if (running.isPresent() && running.get().process().pid() == process.pid()) {
                ready(running.get().url(), process.pid(), log);
                return 0;
            }
            if (LocalServers.hasEnded(process.toHandle(), LOOK_MILLIS)) {
                throw ExitCodeException.outside("The server has ended:\n" + since(log, logged));
            }
        }
        process.destroy();
        throw ExitCodeException.outside(
                "The server was not ready within " + TIMEOUT.toSeconds() + " s; its log is " + log);
    }

    private void ready(URI url, long process, Path log) {
        output.print(new Started(url, process, log), url.toString());
        output.say("The server runs in the background (process " + process + ", log " + log
                + "). 'metasched server stop' ends it; give it the same --config.");
    }

    private static List<String> command(List<String> arguments) {
        var command = new ArrayList<String>();
        if (Files.isExecutable(OWN_SESSION)) {
            command.add(OWN_SESSION.toString());
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.metasched.cli.Main"));
        command.addAll(arguments);
        return command;
    }

    /** The log from an offset on, cut at its beginning if it is long. */
    private static String since(Path log, long offset) throws IOException {
        long size = Files.size(log);
        try (var in = Files.newInputStream(log)) {
            in.skipNBytes(Math.max(Math.min(offset, size), size - LONGEST_EXCERPT));
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("(?m)^metasched: ", "")
                    .strip();
        }
    }
}
