package org.metasched.cli.server;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.PortNumber;
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
                "Serves WS-Agreement, /sites, /metrics and /health; prints the base URL when ready. SIGTERM drains.")
public final class ServerCommand extends PrintingCommand implements Callable<Integer> {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML; without it three simulated sites and an embedded database.")
    private @Nullable Path config;

    @Option(names = "--port", paramLabel = "PORT", description = "Instead of the configured one; 0 for any free port.")
    private @Nullable Integer port;

    private record Ready(URI url) {}

    @Override
    public Integer call() throws InterruptedException {
        ServerAssembly server = start();
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            output.say("Draining ...");
            server.close();
            stopped.countDown();
        }));
        output.print(new Ready(server.base()), String.valueOf(server.base()));
        Readiness.announce(output);
        stopped.await();
        return 0;
    }

    private ServerAssembly start() {
        Configuration read = config == null ? ConfigurationFile.usual() : ConfigurationFile.read(config);
        return ServerAssembly.start(port == null ? read : read.onPort(PortNumber.checked(port)), Clock.systemUTC());
    }
}
