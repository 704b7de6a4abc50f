package org.metasched.cli.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.server.ConfigurationFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code metasched server stop}: ends the server of a data folder. */
@Command(
        name = "stop",
        description = "Ends the server of this machine that has this configuration, and waits until it has drained.")
final class ServerStopCommand extends PrintingCommand implements Callable<Integer> {

    /** Time to wait beyond the configured drain. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Option(names = "--config", paramLabel = "FILE", description = "The server's YAML; the built-in one if not given.")
    private @Nullable Path config;

    private record Stopped(URI url, long process) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        var configured = ConfigurationFile.read(Optional.ofNullable(config), Optional.empty());
        var running = ServerProcessFile.read(configured.data())
                .orElseThrow(() -> ExitCodeException.no("No server runs on the data folder " + configured.data()
                        + ".\nMaybe it was started with another --config."));
        long process = running.process().pid();
        if (!running.process().destroy()) {
            throw ExitCodeException.outside("The process " + process + " cannot be ended.\nMaybe it belongs to another"
                    + " user, or to a service: systemctl stop metasched.");
        }
        if (!LocalServers.hasEnded(
                running.process(), configured.drain().plus(TIMEOUT).toMillis())) {
            throw ExitCodeException.outside("The server (process " + process + ") has not ended yet.");
        }
        output.print(new Stopped(running.url(), process), "stopped: " + running.url());
        return 0;
    }
}
