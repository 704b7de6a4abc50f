package org.metasched.cli.dag;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchLeases;
import org.metasched.leases.MatchRoom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched site drain}: no more DAGs for a site. */
@Command(
        name = "drain",
        description = {
            "Drains a site: no DAG gets a match of it any more. DAGs that are bound there stay, or move.",
            "Exits with 1 if it is drained already, or a DAG that should move stays where it is."
        })
final class SiteDrainCommand extends RebindingCommand implements Callable<Integer> {

    @Option(names = "--move", description = "Bind the DAGs there to other sites. Those that run stay.")
    private boolean move;

    @Option(names = "--end", paramLabel = "ID", description = "End the drain of this ID: the site takes DAGs again.")
    private @Nullable UUID end;

    @Parameters(index = "0", paramLabel = "NAME", description = "The site, as its ad names it.")
    private String name = "";

    @Parameters(
            index = "1..*",
            paramLabel = "DIR",
            description = "Bound DAGs that --move looks at. A ledger knows its own; name those of a server.")
    private List<Path> directories = List.of();

    private record Drained(
            String site, @JsonInclude(Include.NON_ABSENT) Optional<UUID> drain) {}

    @Override
    public Integer call() throws IOException {
        MatchLeases leases = sites.leases();
        if (end != null) {
            boolean isItsDrain = !(leases instanceof LeaseStore store)
                    || store.find(end)
                            .filter(lease -> lease.site().equalsIgnoreCase(name)
                                    && lease.holder().equals(Lease.DRAINED))
                            .isPresent();
            boolean ended = isItsDrain && leases.release(end);
            output.print(new Drained(name, Optional.empty()), name + (ended ? " is open again." : " was not drained."));
            return ended ? 0 : ExitCodeException.NO;
        }
        // Where the other sites' ads come from is checked before anything changes.
        List<ClassAd> ads = move ? sites.ads() : List.of();
        // A drain is a lease of all matches. It needs no room, so that the room and the number of nodes given here do
        // not count.
        Optional<UUID> drain =
                leases.acquire(new LeaseRequest(name, MatchRoom.exactly(0), Lease.DRAINED, Claimant.here(), 1));
        boolean isNew = drain.filter(leases::commit).isPresent();
        output.print(
                new Drained(name, drain),
                name
                        + drain.map(id -> " is drained until "
                                        + sites.command("metasched", "site", "drain", name, "--end", id.toString()))
                                .orElse(" is drained already."));
        return move ? rebindAll(dagsOfSite(), ads) : isNew ? 0 : ExitCodeException.NO;
    }

    @Override
    boolean isDue(Path directory, BindingRecord record, List<ClassAd> ads) {
        return record.site().equalsIgnoreCase(name);
    }

    private List<Path> dagsOfSite() throws IOException {
        sites.settle();
        return directories.isEmpty()
                ? sites.held().stream()
                        .filter(lease -> lease.site().equalsIgnoreCase(name)
                                && lease.holder().startsWith("/"))
                        .map(lease -> Path.of(lease.holder()))
                        .toList()
                : directories;
    }
}
