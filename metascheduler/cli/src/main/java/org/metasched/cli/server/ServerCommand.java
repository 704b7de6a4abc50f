package org.metasched.cli.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.NumberArgument;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.cli.output.Readiness;
import org.metasched.server.Configuration;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the service until it is told to stop. */
@Command(
        name = "server",
        description =
                "Serves WS-Agreement, /sites, /metrics and /health; prints the base URL when ready. SIGTERM drains.",
        subcommands = ServerStopCommand.class)
public final class ServerCommand extends PrintingCommand implements Callable<Integer> {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML; without it three simulated sites and an embedded database.")
    private @Nullable Path config;

    @Option(names = "--port", paramLabel = "PORT", description = "Instead of the configured one; 0 for any free port.")
    private @Nullable Integer port;

    @Option(names = "--background", description = "Return when the server is ready; 'metasched server stop' ends it.")
    private boolean background;

    private record Ready(URI url) {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        var configured = ConfigurationFile.read(
                Optional.ofNullable(config), Optional.ofNullable(port).map(NumberArgument::port));
        return background ? new BackgroundServer(configured.data(), output).start(arguments()) : serve(configured);
    }

    private int serve(Configuration configured) throws InterruptedException {
        ServerAssembly server =
                ServerAssembly.start(configured, configured.database().clock(Clock.systemUTC()));
        var stopped = Readiness.atEnd(() -> {
            output.say("Draining ...");
            server.close();
            tryStep(() -> ServerProcessFile.delete(configured.data()));
        });
        output.print(new Ready(server.base()), String.valueOf(server.base()));
        tryStep(() -> new ServerProcessFile(ProcessHandle.current(), server.base()).write(configured.data()));
        Readiness.announce(output);
        stopped.await();
        return 0;
    }

    /** A write or removal of a file. */
    private interface FileStep {
        void run() throws IOException;
    }

    /** Takes a step with the file of the process id; its failure does not stop the server. */
    private void tryStep(FileStep step) {
        try {
            step.run();
        } catch (IOException e) {
            output.say("'metasched server stop' will not find this server: " + ErrorMessages.of(e));
        }
    }

    private List<String> arguments() {
        var words = new ArrayList<>(List.of("server"));
        if (config != null) {
            words.addAll(List.of("--config", config.toAbsolutePath().toString()));
        }
        if (port != null) {
            words.addAll(List.of("--port", port.toString()));
        }
        return words;
    }
}
