package org.metasched.cli.dag;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.metasched.adapter.DisplayText;
import org.metasched.cli.output.CommandGroup;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.TextTable;
import org.metasched.dag.binding.BindingEvidence;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched matches}: the matches that DAGs hold of sites. */
@Command(
        name = "matches",
        description = "Lists the matches that DAGs hold of sites, puts a ledger in order, and drains sites.",
        subcommands = SiteDrainCommand.class)
public final class MatchCommandGroup extends CommandGroup {

    private record Held(List<Lease> matches) {}

    @Command(
            mixinStandardHelpOptions = true,
            description = "Lists the matches of a ledger: of which site, what holds each, whose, since when.")
    int list(@Mixin OutputOptions output, @Mixin SiteChoice sites) {
        List<Lease> all = sites.held();
        output.print(new Held(all), text -> {
            var table = new TextTable("SITE", "HOLDER", "OWNER", "SINCE", "STATE", "ID");
            all.forEach(lease -> table.row(
                    lease.site(),
                    lease.holder(),
                    lease.owner(),
                    lease.taken(),
                    lease.committed() ? "held" : "open",
                    lease.id()));
            table.print(text);
        });
        return 0;
    }

    private record Repaired(int held, long ended, List<String> missing) {}

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Completes what killed commands left, and ends the matches of DAGs that are over, as each use of a ledger does.",
                "Exits with 1 if there are matches whose directories are gone, unless --missing ends them."
            })
    int repair(
            @Mixin OutputOptions output,
            @Mixin SiteChoice sites,
            @Option(
                            names = "--missing",
                            description =
                                    "Also end matches of this machine whose directories are gone from a folder that is there.")
                    boolean missing)
            throws IOException {
        List<Lease> before = sites.held();
        sites.settle();
        var evidence = new BindingEvidence();
        List<Lease> gone = sites.held().stream()
                .filter(lease -> lease.committed() && lease.holder().startsWith("/"))
                .filter(lease -> evidence.of(lease) == Sight.MISSING)
                .toList();
        int ended = missing
                ? (int) gone.stream()
                        .filter(lease -> sites.leases().release(lease.id()))
                        .count()
                : 0;
        Set<UUID> held = sites.held().stream().map(Lease::id).collect(Collectors.toSet());
        // Other commands may have taken matches meanwhile, so the number that ended is no difference of two counts.
        long over = before.stream().filter(lease -> !held.contains(lease.id())).count();
        output.print(
                new Repaired(held.size(), over, gone.stream().map(Lease::holder).toList()),
                DisplayText.count(over, "match") + " ended, " + held.size()
                        + (held.size() == 1 ? " is held." : " are held."));
        gone.forEach(lease ->
                output.say(lease.holder() + " is gone; its match " + (missing ? "has ended." : "is held still.")));
        return ended == gone.size() ? 0 : ExitCodeException.NO;
    }
}
