package org.metasched.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Settings;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.CycleReport;
import org.metasched.classad.cycle.FileAccountantStore;
import org.metasched.classad.cycle.Introduction;
import org.metasched.classad.cycle.MatchmakingCycle;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.dag.binding.BindingEvidence;
import org.metasched.dag.binding.EndedHolders;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.UnboundReferenceException;
import org.metasched.leases.LeaseStore;
import org.metasched.matches.OwnMatches;
import org.metasched.outbox.OutboxDispatcher;
import org.metasched.overview.MatchService;
import org.metasched.publisher.AdSink;
import org.metasched.publisher.CollectorSink;
import org.metasched.publisher.MatchmakerMonitor;
import org.metasched.publisher.PublishLoop;
import org.metasched.publisher.SequenceNumbers;
import org.metasched.publisher.SiteAdTemplate;
import org.metasched.publisher.UnleasedDags;
import org.metasched.selection.ClassAdSiteSelector;
import org.metasched.sites.FanOutExecutor;
import org.metasched.soap.claiming.ClaimedJobs;
import org.metasched.soap.claiming.ClaimingEndpoint;
import org.metasched.soap.collector.AdOwners;
import org.metasched.soap.collector.CollectorEndpoint;
import org.metasched.soap.introduction.IntroductionCalls;
import org.metasched.store.Database;
import org.metasched.store.SharedAds;
import org.metasched.trust.Authorizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The matchmaking half of a server: collector, leases, fair share, cycles, and ads for the configured sites that do not advertise
 * themselves.
 */
final class MatchmakingServices implements MatchService, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MatchmakingServices.class);
    /** Attribute of the ads that a server makes for a site; an ad without it is the site's own, and goes first. */
    private static final String BY_SERVER = "AdvertisedByServer";

    private static final int ADVERTISING_AT_ONCE = 256;

    private final SharedAds collector;
    final FairShareBooks books;
    private final Clock clock;
    final LeaseStore leases;
    final MatchmakerMonitor monitor;
    private final AdOwners owners;
    private final Optional<IntroductionCalls> introductions;
    /** The binder of DAGs to other sites, if it is configured. */
    final Optional<AutomaticRebind> rebinds;

    private final MatchmakingCycle cycle;
    final SiteSelector selector;
    private final Rounds rounds = new Rounds();

    /** Rounds of advertising, with threads of their own: silent sites must not delay the calls of negotiations. */
    private static final class Rounds {
        final ExecutorService threads = FanOutExecutor.create(ADVERTISING_AT_ONCE);
        final List<PublishLoop> loops = new ArrayList<>();
        /** The matches of each site by its name in lower case, as the last round counted them. */
        volatile Map<String, Integer> counts = Map.of();
    }

    private MatchmakingServices(Configuration configuration, ConfiguredSites sites, Database database, Clock clock)
            throws IOException {
        Path data = configuration.data();
        Files.createDirectories(data);
        this.clock = clock;
        collector = database.ads(clock);
        leases = database.leases(clock, new BindingEvidence());
        monitor = new MatchmakerMonitor(collector, leases);
        owners = new AdOwners(configuration.siteOwners(), monitor);
        var accountant = new Accountant(
                configuration.matchmaking().usageHalfLife(),
                clock,
                database.accountant(new FileAccountantStore(data.resolve("accountant"))));
        books = new FairShareBooks(accountant);
        introductions = configuration
                .matchmaking()
                .contacts()
                .map(contacts -> new IntroductionCalls(
                        database.outbox(), contacts, configuration.client(), IntroductionCalls.Patience.DEFAULT));
        rebinds = configuration
                .matchmaking()
                .rebinds()
                .map(settings -> new AutomaticRebind(settings, leases, monitor, clock));
        cycle = new MatchmakingCycle(
                configuration.matchmaking().shares(),
                configuration.matchmaking().rules(),
                accountant,
                leases,
                this::introduce,
                clock);
        selector = new ClassAdSiteSelector(
                () -> monitor.query(CollectorQuery.all()), sites, GangAlgorithm.DYNAMIC.matcher());
        for (int i = 0; i < sites.sites().size(); i++) {
            var scheduler = sites.get(sites.sites().get(i));
            rounds.loops.add(loop(configuration, configuration.sites().get(i), scheduler, database, clock));
        }
    }

    static MatchmakingServices open(
            Configuration configuration, ConfiguredSites sites, Database database, Clock clock) {
        try {
            return new MatchmakingServices(configuration, sites, database, clock);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The folder (" + configuration.data() + ") cannot be used: " + e.getMessage(), e);
        }
    }

    /** The name by which servers share the work of advertising a site. */
    private static String workName(String site) {
        return "site " + site;
    }

    private PublishLoop loop(
            Configuration configuration, Settings entry, LocalScheduler scheduler, Database database, Clock clock)
            throws IOException {
        String site = scheduler.site().value();
        SiteAdTemplate template = entry.section("publish")
                .map(section -> SiteAdTemplate.from(section, site, SiteAdTemplate.ROOM))
                .orElseGet(() ->
                        SiteAdTemplate.usual(site, configuration.matchmaking().advertiseEvery()));
        var runner = new CommandRunner(
                scheduler.site(),
                RunSettings.from(entry.section("scheduler").flatMap(section -> section.section("run"))));
        return new PublishLoop(
                template.with("Site", Literal.of(site)).with(BY_SERVER, Literal.of(true)),
                scheduler,
                () -> rounds.counts.getOrDefault(template.name().toLowerCase(Locale.ROOT), 0),
                entry.section("publish").flatMap(section -> UnleasedDags.from(section, runner, template, leases)),
                new SequenceNumbers(configuration.data().resolve("sequence-" + site), clock),
                new OwnAdsFirst(collector, database, new CollectorSink(collector)),
                clock);
    }

    @Override
    public List<Match> held() {
        return leases.held().stream()
                .map(match -> new Match(
                        match.id().toString(),
                        match.site(),
                        match.committed(),
                        match.taken(),
                        match.holder(),
                        owners.of(match),
                        match.leaseEnd(),
                        match.matches()))
                .toList();
    }

    @Override
    public Optional<Dag> dag(Match match) {
        try {
            Path directory = Path.of(match.holder());
            // A claimant may name the directory of any DAG; the note there names the match that the DAG holds.
            return rebinds.isPresent()
                            && rebinds.get().mayManage(directory)
                            && MatchNote.find(directory)
                                    .filter(note -> note.match().equals(match.id()))
                                    .isPresent()
                    ? Optional.of(BoundDagView.of(directory, clock.instant()))
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            LOG.debug("The progress of the DAG of {} cannot be read", match.holder(), e);
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> rebind(Match match) {
        try {
            var held = leases.find(UUID.fromString(match.id()));
            if (held.isEmpty() || rebinds.isEmpty()) {
                throw new IllegalStateException(
                        held.isEmpty()
                                ? "its match has ended."
                                : "this server moves no DAGs, as matchmaking.rebind is not set.");
            }
            return rebinds.get().move(held.get()).map(dag -> dag.record().site());
        } catch (IOException | UncheckedIOException | UnboundReferenceException | IllegalStateException e) {
            throw new IllegalArgumentException("The DAG stays where it is: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean release(UUID id) {
        return monitor.release(id);
    }

    /** Operations of callers on their own matches. */
    OwnMatches own(Authorizer guard) {
        return new OwnMatches(monitor, owners::of, guard);
    }

    /** The SOAP services for ads and claims, by name. */
    Map<String, Object> endpoints(OwnMatches own, Authorizer guard, ClaimedJobs jobs) {
        return Map.of(
                "Collector",
                new CollectorEndpoint(monitor, own, owners, guard),
                ClaimingEndpoint.NAME,
                // An offer without MaxMatches, such as a licence, can be claimed too: the request says its room.
                new ClaimingEndpoint(
                        monitor,
                        leases,
                        new OwnMatches(leases, owners::of, guard),
                        GangAlgorithm.DYNAMIC.matcher(),
                        owners,
                        guard,
                        jobs));
    }

    /**
     * Advertises the sites that fall to this server. Each has a thread of its own: a site that is slow to tell its load delays its own ad
     * only.
     *
     * @param isOurs whether shared work of this name falls to this server
     */
    void advertise(Predicate<String> isOurs) {
        var ours = rounds.loops.stream()
                .filter(loop -> isOurs.test(workName(loop.template().name())))
                .toList();
        if (!ours.isEmpty()) {
            rounds.counts = leases.counts();
            ours.forEach(loop -> loop.execute(rounds.threads));
        }
    }

    /** Gives back the matches of holders that have ended, and matches the jobs that are advertised, if any are. */
    void cycle() {
        int ended = leases.releaseEnded(new EndedHolders(clock)) + monitor.renewIntroduced(clock.instant());
        if (ended > 0) {
            LOG.info("{} DAGs and jobs have come to their end and gave their matches back", ended);
        }
        if (!monitor.query(CollectorQuery.ofType("Job")).isEmpty()) {
            CycleReport report = books.during(() -> cycle.run(monitor));
            introductions.ifPresent(IntroductionCalls::flush);
            LOG.info(
                    "Matchmaking: {} matches for {} autoclusters over {} offers in {}",
                    report.matches(),
                    report.autoclusters(),
                    report.offers(),
                    report.took());
        }
    }

    /** Forgets ads that are too old, and writes introductions that the store has not taken so far. */
    void dropExpired() {
        introductions.ifPresent(IntroductionCalls::flush);
        int dropped = collector.dropExpired();
        if (dropped > 0) {
            LOG.info("{} ads have outlived their lifetime", dropped);
        }
    }

    /** Begins the stored calls to parties of matches that are not under way. */
    void collect() {
        introductions.ifPresent(IntroductionCalls::collect);
    }

    /** Calls no party any more; the next server makes the calls that remain. */
    @Override
    public void close() {
        rounds.threads.shutdownNow();
        introductions.ifPresent(IntroductionCalls::close);
        collector.close();
    }

    /** Turns of advertising that were skipped because a site had not answered the turn before. */
    long skippedTurns() {
        return rounds.loops.stream().mapToLong(PublishLoop::skipped).sum();
    }

    /** The number of calls to parties of matches since the start that came to this end. */
    long introductions(OutboxDispatcher.End end) {
        return introductions.map(calls -> calls.count(end)).orElse(0L);
    }

    private void introduce(Introduction introduction) {
        introductions.ifPresent(calls -> calls.introduced(introduction));
        LOG.info(
                "Introduced {} of {} to {}",
                introduction.customer().evaluate("Name").print(),
                introduction.submitter(),
                introduction.offer().evaluate("Name").print());
    }

    /** A sink that does not overwrite the ad of a site that advertises itself. */
    private record OwnAdsFirst(Collector collector, Database database, AdSink sink) implements AdSink {

        @Override
        public Optional<String> advertise(ClassAd ad) throws IOException {
            AdKey key = AdKey.of(ad);
            // A server that was frozen meanwhile must not overwrite the newer ad of the one that has taken over.
            boolean sends = database.node().isOurs(workName(key.name())) && !isTheSitesOwn(key);
            return sends ? sink.advertise(ahead(ad)) : Optional.empty();
        }

        /** The ad with a number above that of the last one, which another server may have sent. */
        private ClassAd ahead(ClassAd ad) throws IOException {
            long known = sink.lastNumber(AdKey.of(ad));
            return ad.evaluate(CollectorSink.SEQUENCE) instanceof Value.Int ours && ours.value() <= known
                    ? ad.with(CollectorSink.SEQUENCE, known + 1)
                    : ad;
        }

        @Override
        public void invalidate(AdKey key) throws IOException {
            if (!isTheSitesOwn(key)) {
                sink.invalidate(key);
            }
        }

        private boolean isTheSitesOwn(AdKey key) {
            Optional<ClassAd> known = collector.find(key).map(advertisement -> advertisement.ad());
            return known.isPresent()
                    && !(known.get().evaluate(BY_SERVER) instanceof Value.Bool byServer && byServer.value());
        }
    }
}
