package org.metasched.cli.publish;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.server.AskingCommand;
import org.metasched.cli.server.CollectorCalls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes ads back by hand. */
@Command(name = "invalidate", description = "Drops the ads of a name from a server's collector.")
public final class InvalidateCommand extends AskingCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "Name of the ads to drop.")
    private String name = "";

    @Option(names = "--type", paramLabel = "TYPE", description = "Only ads of this type.")
    private @Nullable String type;

    private record Dropped(int dropped) {}

    @Override
    public Integer call() {
        CollectorQuery named = (type == null ? CollectorQuery.all() : CollectorQuery.ofType(type)).named(name);
        int dropped = CollectorCalls.on(server, remote -> remote.invalidate(named));
        output.print(new Dropped(dropped), dropped + (dropped == 1 ? " ad dropped" : " ads dropped"));
        return dropped == 0 ? ExitCodeException.NO : 0;
    }
}
