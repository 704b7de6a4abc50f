package org.metasched.cli.dag;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.command.ShellQuoting;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Dialect;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.cli.classad.AdFiles;
import org.metasched.cli.output.Completions;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.cli.server.CallerOptions;
import org.metasched.cli.server.CollectorCalls;
import org.metasched.cli.server.ServerAddress;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.LeaseLocator;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.RebindTransaction;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchLeases;
import org.metasched.selection.AgreementSites;
import org.metasched.soap.collector.RemoteLeases;
import org.metasched.trust.ClientCredentials;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin of the commands that choose a site for a DAG: the source of the ads, and the ledger that counts matches. */
final class SiteChoice {

    /** Opens the leases that notes of matches name. */
    static final LeaseLocator LEASES = locator(server -> CallerOptions.ofEnvironment());

    /** The source of site ads. */
    static final class Source {
        @Option(names = "--sites", paramLabel = "ADS", description = "A file of site ads: new, long, JSON or XML form.")
        private @Nullable Path file;

        @Option(names = "--server", paramLabel = "URL", description = "A server whose collector has the site ads.")
        private @Nullable URI server;
    }

    @ArgGroup(multiplicity = "0..1")
    private Source source = new Source();

    @Mixin
    private CallerOptions identity = new CallerOptions();

    @Option(
            names = "--site",
            paramLabel = "NAME",
            completionCandidates = Completions.Sites.class,
            description = "Bind to this site only, if it matches.")
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
                    "With --server: bind to the site of this agreement, so that the DAG runs inside its reserved nodes. The ad then has"
                            + " ReservationId, ReservationStart, ReservationEnd and ReservationNodes, and the environment"
                            + " METASCHED_RESERVATION.")
    private @Nullable String agreement;

    /** The ads of the file when it was last read. */
    private List<ClassAd> fileAds = List.of();

    /** Whether the user gives a source of site ads. */
    boolean isGiven() {
        return source.file != null || source.server != null;
    }

    /** The site ads: of {@code --site} only if it is given, and with the reservation of {@code --agreement}. */
    List<ClassAd> ads() {
        ExitCodeException.badInputIf(
                !isGiven(), "Where the site ads come from (--sites ADS or --server URL) is missing.");
        if (agreement != null && source.file != null) {
            throw ExitCodeException.badInput("--agreement needs --server: the server knows the agreement.");
        }
        return agreement == null ? named() : reserved(agreement);
    }

    private List<ClassAd> reserved(String id) {
        List<ClassAd> ads = named();
        return AgreementSites.of(AgreementCalls.on(serverBase(), identity.caller(), client -> client.show(id)), ads);
    }

    private List<ClassAd> named() {
        List<ClassAd> ads = source.file != null ? inFile(source.file) : collected();
        if (site == null) {
            return ads;
        }
        List<ClassAd> named = ads.stream()
                .filter(ad -> BoundDag.siteName(ad).equalsIgnoreCase(site))
                .toList();
        if (named.isEmpty()) {
            String known = ads.stream().map(BoundDag::siteName).limit(20).collect(Collectors.joining(", "));
            throw ExitCodeException.badInput("The site (" + site + ") has no ad; there are ads of [" + known + "].");
        }
        return named;
    }

    /** The ads that the file has now; those of standard input, which can be read once only, are kept. */
    private List<ClassAd> inFile(Path file) {
        if (fileAds.isEmpty() || !file.toString().equals("-")) {
            fileAds = AdFiles.all(file, Dialect.REFERENCE);
            ExitCodeException.badInputIf(
                    fileAds.stream().anyMatch(ad -> BoundDag.siteName(ad).isEmpty()),
                    "The file (%s) has an ad without a string as Name, under which its matches are counted.",
                    file);
        }
        return fileAds;
    }

    private List<ClassAd> collected() {
        return CollectorCalls.on(
                serverBase(), identity.caller(), collector -> collector.query(CollectorQuery.ofType("Machine")));
    }

    /** A binder that takes matches of this machine's ledger, which is put in order first, or of the server, as the user. */
    LeasingBinder leasing(DagBinder binder) throws IOException {
        settle();
        return planning(binder);
    }

    /** A binder that takes the ledger of this machine as it is: for a plan, or after {@link #settle}. */
    LeasingBinder planning(DagBinder binder) {
        return new LeasingBinder(binder, where(), locator());
    }

    /** The ledger of the matches that are acquired, listed or released. */
    MatchLeases leases() {
        return locator().at(where());
    }

    /** The leases that a ledger holds; a server, which does not list its own here, is refused. */
    List<Lease> held() {
        if (leases() instanceof LeaseStore store) {
            return Files.exists(Path.of(URI.create(where()))) ? store.held() : List.of();
        }
        throw ExitCodeException.badInput("The ledger (--ledger DIR or --sites ADS) is missing.\n"
                + "Maybe look at the server's page of matches: it lists its own there.");
    }

    /** A command of this program with the options that name the ledger and the user, to be pasted. */
    String command(String... words) {
        var all = new ArrayList<>(List.of(words));
        Optional.ofNullable(source.file).ifPresent(file -> all.addAll(List.of("--sites", file.toString())));
        Optional.ofNullable(ledger).ifPresent(folder -> all.addAll(List.of("--ledger", folder.toString())));
        Optional.ofNullable(source.server).ifPresent(server -> all.addAll(List.of("--server", server.toString())));
        all.addAll(identity.given());
        return ShellQuoting.line(all.stream().map(OutputOptions::plain).toList());
    }

    /** Puts a ledger in order, so that the matches of ended holders are free; a server does so itself. */
    void settle() throws IOException {
        if (leases() instanceof LeaseStore && Files.isDirectory(Path.of(URI.create(where())))) {
            LEASES.settle(Path.of(URI.create(where())));
        }
    }

    /** The ledger's address: that of a folder or of a server. */
    String where() {
        try {
            if (source.file != null) {
                return FileLeases.whereOf(ledger(source.file));
            }
            return source.server == null && ledger != null
                    ? FileLeases.whereOf(ledger)
                    : serverBase().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private LeaseLocator locator() {
        return locator(server -> server.equals(serverBase()) ? identity.caller() : CallerOptions.ofEnvironment());
    }

    private static LeaseLocator locator(Function<URI, ClientCredentials> callers) {
        return new LeaseLocator(Clock.systemUTC(), server -> new RemoteLeases(server, callers.apply(server)));
    }

    private Path ledger(Path file) throws IOException {
        if (ledger != null) {
            return ledger;
        }
        Path folders = Path.of(System.getProperty("user.home"), ".metasched", "matches");
        try {
            return FileLeases.placeFor(inFile(file), file, folders);
        } catch (NoSuchFileException e) {
            throw ExitCodeException.badInput("Ads of standard input (--sites -) need --ledger DIR,"
                    + " the place where this machine counts the matches taken, as they name none.");
        }
    }

    /** Completes or undoes what a killed {@code dag rebind} has left unfinished. */
    static void recover(Path directory) throws IOException {
        try {
            RebindTransaction.recover(directory, LEASES);
        } catch (UncheckedIOException e) {
            throw ExitCodeException.outside(ErrorMessages.of(e));
        } catch (IllegalStateException e) {
            throw ExitCodeException.no(String.valueOf(e.getMessage()));
        }
    }

    private URI serverBase() {
        return source.server == null ? ServerAddress.defaultAddress() : source.server;
    }
}
