package org.metasched.cli.dag;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Dialect;
import org.metasched.classad.Value;
import org.metasched.classad.collector.Query;
import org.metasched.cli.classad.AdFiles;
import org.metasched.cli.output.Failure;
import org.metasched.cli.server.CollectorCalls;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.Rebinding;
import org.metasched.dag.binding.SiteClaims;
import org.metasched.publisher.BindingEvidence;
import org.metasched.publisher.EndedHolders;
import org.metasched.publisher.HeldMatch;
import org.metasched.publisher.MatchLedger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Mixin of the commands that choose a site for a DAG: whose ads, and where the matches that are taken are counted. */
final class SiteChoice {

    private static final Logger LOG = LoggerFactory.getLogger(SiteChoice.class);

    /** Where site ads come from. */
    static final class Source {
        @Option(names = "--sites", paramLabel = "ADS", description = "A file of site ads, in any of the written forms.")
        private @Nullable Path file;

        @Option(names = "--server", paramLabel = "URL", description = "A server whose collector has the site ads.")
        private @Nullable URI server;
    }

    @ArgGroup(multiplicity = "1")
    private Source source = new Source();

    @Option(names = "--site", paramLabel = "NAME", description = "Only this site, if it matches.")
    private @Nullable String site;

    @Option(
            names = "--ledger",
            paramLabel = "DIR",
            description =
                    "With --sites: where this machine counts the matches taken. If not given: where the ads were published"
                            + " from, else a folder of its own for each file of ads, in ~/.metasched/matches.")
    private @Nullable Path ledger;

    @Option(
            names = "--agreement",
            paramLabel = "ID",
            description =
                    "With --server: the site of this agreement, so that the DAG runs inside its reserved nodes. The ad then has"
                            + " ReservationId, ReservationStart, ReservationEnd and ReservationNodes, and the environment"
                            + " METASCHED_RESERVATION.")
    private @Nullable String agreement;

    List<ClassAd> ads() {
        if (agreement != null && source.file != null) {
            throw Failure.badInput("--agreement needs --server: the server knows the agreement.");
        }
        return agreement == null ? named() : AgreementSites.of(serverBase(), agreement, named());
    }

    private List<ClassAd> named() {
        List<ClassAd> ads = source.file != null ? AdFiles.all(source.file, Dialect.REFERENCE) : collected();
        if (site == null) {
            return ads;
        }
        List<ClassAd> named = ads.stream()
                .filter(ad -> BoundDag.siteName(ad).equalsIgnoreCase(site))
                .toList();
        if (named.isEmpty()) {
            String known = ads.stream().map(BoundDag::siteName).limit(20).collect(Collectors.joining(", "));
            throw Failure.badInput("The site (" + site + ") has no ad; there are ads of [" + known + "].");
        }
        return named;
    }

    private List<ClassAd> collected() {
        return CollectorCalls.on(serverBase(), collector -> collector.query(Query.ofType("Machine")));
    }

    /** The count of this machine, or the server's. */
    SiteClaims claims() throws IOException {
        Path file = source.file;
        return file == null
                ? new ServerClaims(serverBase())
                : ledgerClaims(ledger == null ? usualLedger(file) : ledger);
    }

    /** Everybody who binds by the same file of ads counts in the same place, and nobody else does. */
    private static Path usualLedger(Path file) throws IOException {
        for (ClassAd ad : AdFiles.all(file, Dialect.REFERENCE)) {
            if (ad.evaluate(LedgerClaims.SOURCE) instanceof Value.Text source
                    && source.text().startsWith("file:")) {
                return Path.of(URI.create(source.text()));
            }
        }
        String real = file.toRealPath().toString();
        String name = file.getFileName().toString().replaceAll("[^A-Za-z0-9._-]", "_");
        return Path.of(System.getProperty("user.home"), ".metasched", "matches")
                .resolve(name + "-" + UUID.nameUUIDFromBytes(real.getBytes(StandardCharsets.UTF_8)));
    }

    static SiteClaims ledgerClaims(Path directory) throws IOException {
        var matches = ledger(directory);
        recoverHolders(matches);
        matches.releaseEnded(EndedHolders.ofThisMachine());
        return new LedgerClaims(directory, matches);
    }

    private static MatchLedger ledger(Path directory) throws IOException {
        return new MatchLedger(directory, Clock.systemUTC(), new BindingEvidence());
    }

    /** The count that a note of a match names. */
    static SiteClaims claimsAt(String where) throws IOException {
        try {
            URI at = URI.create(where);
            if (!"file".equals(at.getScheme())) {
                return new ServerClaims(at);
            }
            Path directory = Path.of(at);
            return new LedgerClaims(directory, ledger(directory));
        } catch (IllegalArgumentException e) {
            throw Failure.badInput("The count (" + where + ") that the DAG's match is in is no address.");
        }
    }

    /** Ends what a killed {@code dag rebind} has left half done. */
    static void recover(Path directory) throws IOException {
        try {
            Rebinding.recover(directory, SiteChoice::claimsAt);
        } catch (IllegalStateException e) {
            throw Failure.no(String.valueOf(e.getMessage()));
        }
    }

    /** Whoever counts must know where each DAG is; one that moves at this moment is left alone. */
    private static void recoverHolders(MatchLedger matches) {
        matches.held().stream().map(HeldMatch::holder).distinct().forEach(holder -> {
            try {
                Rebinding.recover(Path.of(holder), SiteChoice::claimsAt);
            } catch (IOException | InvalidPathException | IllegalStateException | Failure e) {
                LOG.debug("{} is on its way still", holder, e);
            }
        });
    }

    private URI serverBase() {
        URI server = source.server == null ? URI.create("http://127.0.0.1:8080") : source.server;
        if (!"http".equals(server.getScheme()) && !"https".equals(server.getScheme())) {
            throw Failure.badInput("The server's URL (" + server + ") must begin with http:// or https://.");
        }
        return server;
    }
}
