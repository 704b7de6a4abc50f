package org.metasched.cli.claim;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Dialect;
import org.metasched.classad.claim.ClaimId;
import org.metasched.classad.claim.ClaimOutcome.Claimed;
import org.metasched.classad.claim.GangClaimer;
import org.metasched.classad.claim.GangClaimer.Contact;
import org.metasched.classad.claim.ResourceAgent;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.classad.gang.Gang;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.Gangmatcher;
import org.metasched.classad.gang.PortedAd;
import org.metasched.cli.classad.AdFiles;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.AskingCommand;
import org.metasched.cli.server.CollectorCalls;
import org.metasched.leases.MatchLeases;
import org.metasched.soap.claiming.ClaimFolder;
import org.metasched.soap.claiming.ClaimingClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched claim request}: claims the resources that an ad needs, all or none. */
@Command(
        name = "request",
        description = {
            "Claims what an ad needs, one resource or a gang, all of it or nothing. Both sides check the match again.",
            "A resource that declines is left out, and matching goes on. Exits with 1 if nothing is left.",
            "Claims that an earlier, killed request has left are given back first."
        })
final class ClaimRequestCommand extends AskingCommand implements Callable<Integer> {

    @Option(names = "--activate", description = "Activate the claims too.")
    private boolean activates;

    @Option(names = "--match", paramLabel = "ID", description = "The match by which the parties were introduced.")
    private @Nullable UUID match;

    @Option(names = "--with", paramLabel = "NAME", description = "Only with the resource of this name.")
    private @Nullable String with;

    @Option(names = "--ticket", paramLabel = "TEXT", description = "The ticket that the resource gave with the match.")
    private String ticket = "";

    @Option(names = "--journal", paramLabel = "DIR", description = "Notes of what is under way; ~/.metasched/claims.")
    private Path journal = Path.of(System.getProperty("user.home"), ".metasched", "claims");

    @Parameters(paramLabel = "FILE", description = "The claimant's ad, in any written form.")
    private Path file = Path.of("");

    private final Gangmatcher matcher = GangAlgorithm.DYNAMIC.matcher();

    @Override
    public Integer call() throws IOException {
        ClassAd root = AdFiles.one(file, Dialect.REFERENCE);
        String name = PortedAd.nameOf(root);
        List<ClassAd> offers = CollectorCalls.on(server, collector -> collector.query(CollectorQuery.all())).stream()
                .filter(ad -> with == null
                        ? !PortedAd.nameOf(ad).equals(name)
                        : PortedAd.nameOf(ad).equalsIgnoreCase(with))
                .toList();
        Optional<Claimed> claimed = ClaimCommand.on(server, remote -> claimed(remote, root, offers));
        if (claimed.isEmpty()) {
            throw ExitCodeException.no("Nothing of " + offers.size() + " ads can be claimed for " + name + ".");
        }
        print(claimed.get());
        return 0;
    }

    /** Claims what the root needs of the offers; empty if nothing is left that can be claimed. */
    private Optional<Claimed> claimed(ClaimingClient remote, ClassAd root, List<ClassAd> offers) {
        try {
            // The claimant checks the match by its ad as the file has it then; standard input is read once. An ad
            // without a type, which no collector keeps, is that of an earlier request.
            var own = new ResourceAgent(
                    () -> file.toString().equals("-") ? root : AdFiles.one(file, Dialect.REFERENCE),
                    "",
                    matcher,
                    Clock.systemUTC());
            var claimer = new GangClaimer(
                    matcher,
                    ad -> ad.equals(root) || !ad.has("Type") && !ad.has("MyType")
                            ? new Contact(own, "")
                            : contact(remote, ad),
                    new ClaimFolder(journal),
                    MatchLeases.LEASE_TIME,
                    Clock.systemUTC());
            if (claimer.recover() > 0) {
                output.say("Claims of an earlier request are not given back yet; they end with their leases.");
            }
            return claimer.marshalAndClaim(
                    PortedAd.of(root), new GangPool(offers), ClaimId::random, failed -> output.say(failed.reason()));
        } catch (IOException e) {
            throw ExitCodeException.badInput("The notes (" + journal + ") cannot be kept: " + e.getMessage());
        }
    }

    private Contact contact(ClaimingClient remote, ClassAd ad) {
        return new Contact(remote.party(AdKey.of(ad), Optional.ofNullable(match), activates, matcher), ticket);
    }

    /** One of the claimed resources. */
    private record Part(UUID claim, String type, String resource, boolean active) {}

    private void print(Claimed claimed) {
        List<Part> parts = new ArrayList<>();
        for (Gang.Member member : claimed.gang().members()) {
            // The root itself is no offer.
            if (member.offer() >= 0) {
                AdKey key = AdKey.of(member.ad().ad());
                // Resources of a gang have claims of their own; the claim of a known match has its id.
                UUID claim = match == null ? ClaimingClient.memberOf(claimed.claim(), key) : match;
                parts.add(new Part(claim, key.type(), key.name(), activates));
            }
        }
        output.print(
                parts,
                out -> parts.forEach(part -> out.println(OutputOptions.plain(part.claim() + "  " + part.resource()))));
    }
}
