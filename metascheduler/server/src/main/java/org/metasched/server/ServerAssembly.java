package org.metasched.server;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.metasched.adapter.soap.AdapterEndpoint;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.agreement.AgreementLifetime;
import org.metasched.agreement.making.AgreementMaking;
import org.metasched.agreement.making.AgreementMaking.Sites;
import org.metasched.agreement.making.AgreementMaking.Terms;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.monitoring.AgreementMonitor;
import org.metasched.agreement.monitoring.ProgramHandover;
import org.metasched.api.AgreementRoutes;
import org.metasched.api.ApiResources;
import org.metasched.api.ApiServlet;
import org.metasched.api.EventRoutes;
import org.metasched.api.EventWatchers;
import org.metasched.api.JsonOffers;
import org.metasched.api.MatchRoutes;
import org.metasched.api.NoticeRoutes;
import org.metasched.api.PlanServlet;
import org.metasched.console.ConsoleOffers;
import org.metasched.console.ConsoleServlet;
import org.metasched.console.ConsoleSources;
import org.metasched.console.ContractPage;
import org.metasched.console.LogIn;
import org.metasched.console.OpenIdLogIn;
import org.metasched.console.OperationsModel;
import org.metasched.http.HttpServer;
import org.metasched.leases.MatchLeases;
import org.metasched.matches.OwnMatches;
import org.metasched.negotiation.NegotiationContext;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.ParallelNegotiation;
import org.metasched.notice.AgreementNotices;
import org.metasched.notice.CalendarServlet;
import org.metasched.notice.MailSender;
import org.metasched.notice.NoticeCall;
import org.metasched.overview.SiteQuery;
import org.metasched.selection.ClassAdServiceLevels;
import org.metasched.server.ServerHealth.Phase;
import org.metasched.sites.FanOutExecutor;
import org.metasched.sites.SiteCalls;
import org.metasched.soap.AcceptanceCalls;
import org.metasched.soap.AgreementEndpoint;
import org.metasched.soap.AgreementFactoryEndpoint;
import org.metasched.soap.NegotiationEndpoint;
import org.metasched.soap.NegotiationFactoryEndpoint;
import org.metasched.soap.OfferDocuments;
import org.metasched.store.Database;
import org.metasched.store.Database.Figures;
import org.metasched.trust.Authorizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server: its whole object graph. Its start opens the database before it asks any site. */
public final class ServerAssembly implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerAssembly.class);

    /** Pending offers that are negotiated at the same time; the others wait. */
    private static final int PENDING_AT_ONCE = 32;
    /** Interval of checks for servers that are gone, for programs that wait for each other and for new events. */
    private static final Duration NEWS_EVERY = Duration.ofMillis(500);

    /** Interval of the recovery of work that a failing database did not allow. */
    private static final Duration RECOVERY_EVERY = Duration.ofSeconds(10);

    private static final Duration ADS_EVERY = Duration.ofMinutes(1);
    private static final Duration HOLDS_EVERY = Duration.ofSeconds(10);
    private static final Duration CALLS_EVERY = Duration.ofSeconds(10);
    private static final Duration NOTICES_AHEAD_EVERY = Duration.ofSeconds(20);
    private static final Duration CONSOLE_CALL_TIMEOUT = Duration.ofSeconds(3);
    private static final int CONSOLE_CALLS_PER_SITE = 4;

    private final Configuration configuration;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);
    private final ServerMetrics metrics;
    private final Threads threads = new Threads();
    private final Database database;
    private final ConfiguredSites sites;
    private final MatchmakingServices matchmaking;
    private final AgreementMaking making;
    private final CallBacks callBacks;
    private final ScheduledTasks chores;
    private final SoapServer http;
    private final ListenerIdentity identity;

    /** The pools of threads. Pending offers have their own: a negotiation waits for calls to sites, and must not take their threads. */
    private static final class Threads implements AutoCloseable {
        final ExecutorService fanOut = FanOutExecutor.create();
        final ExecutorService background =
                Executors.newFixedThreadPool(PENDING_AT_ONCE, FanOutExecutor.daemons("pending-offer"));

        @Override
        public void close() {
            background.shutdownNow();
            fanOut.shutdownNow();
        }
    }

    private record CallBacks(AcceptanceCalls acceptance, AgreementNotices notices, EventWatchers watchers)
            implements AutoCloseable {

        void collect() {
            acceptance.collect();
            notices.collect();
        }

        @Override
        public void close() {
            acceptance.close();
            notices.close();
            watchers.close();
        }
    }

    private ServerAssembly(Configuration configuration, Database database, ConfiguredSites sites, Clock localClock) {
        var clock = database.node().clock(localClock);
        this.configuration = configuration;
        this.database = database;
        this.sites = sites;
        metrics = new ServerMetrics(clock);
        var negotiation = configuration.negotiation();
        var books = database.books();
        var calls = new SiteCalls(
                sites, threads.fanOut, negotiation.callTimeout(), negotiation.callsPerSite(), metrics::recordCall);
        var sweeper = new OrphanSweeper(
                books.journal(), calls, clock, configuration.intervals().grace());
        var context = new NegotiationContext(calls, books.journal(), sweeper, negotiation.budget(), clock);
        var engine = new ParallelNegotiation(context, negotiation.strategy(), new SecureRandom());
        matchmaking = MatchmakingServices.open(configuration, sites, database, clock);
        making = AgreementMaking.of(
                books,
                new Sites(calls, metrics.metered(engine), sweeper),
                new Terms(
                        matchmaking.selector,
                        new ClassAdServiceLevels(),
                        new LiveTemplates(
                                sites.sites(), ads(), configuration.additions().written(), clock)),
                threads.background,
                clock);
        var programs = new ProgramHandover(calls, making.changes(), threads.background, clock);
        making.changes().onChange(programs);
        var monitor = new AgreementMonitor(
                making,
                programs,
                configuration.intervals().onDegraded(),
                configuration.intervals().monitorEvery(),
                clock);
        metrics.watch(making);
        metrics.watch(matchmaking);
        metrics.watch(calls);
        metrics.watch(database);
        callBacks = callBacks(clock);
        chores = chores(monitor, clock);
        making.start();
        collectCallBacks();
        identity = ListenerIdentity.open(
                configuration.listener().security(),
                configuration.listener().address(),
                Optional.of(configuration.data().resolve("audit")),
                database.replayCache(),
                clock);
        configuration.additions().file().ifPresent(file -> FollowedConfiguration.ofServer(file, identity, sites));
        http = http(calls, clock);
        chores.start();
        advertise();
        phase.compareAndSet(Phase.STARTING, Phase.UP);
    }

    /**
     * Starts a server.
     *
     * @throws org.metasched.adapter.InvalidSettingException when the configuration cannot be used
     * @throws org.metasched.negotiation.StoreUnavailableException when the database cannot
     * @throws IllegalStateException when the address is taken
     */
    public static ServerAssembly start(Configuration configuration, Clock clock) {
        var sites = new ConfiguredSites(configuration, clock);
        try {
            var database = Database.open(configuration.database());
            try {
                return new ServerAssembly(configuration, database, sites, clock);
            } catch (RuntimeException e) {
                database.close();
                throw e;
            }
        } catch (RuntimeException e) {
            sites.close();
            throw e;
        }
    }

    private CallBacks callBacks(Clock clock) {
        var outbound = configuration.listener().outbound();
        var caller = configuration.client();
        var acceptance = new AcceptanceCalls(database.outbox(), outbound, caller);
        making.changes().onChange(acceptance);
        metrics.watch(acceptance);
        var call = new NoticeCall(outbound, caller, configuration.mail().map(MailSender::new), clock);
        var notices = new AgreementNotices(database.subscriptions(), database.outbox(), call, clock);
        making.changes().onChange(notices);
        metrics.watch(notices);
        return new CallBacks(acceptance, notices, new EventWatchers());
    }

    private ScheduledTasks chores(AgreementMonitor monitor, Clock clock) {
        var settings = configuration.intervals();
        var books = making.books();
        return new ScheduledTasks(database, clock, metrics::recordChore)
                .shared(settings.monitorEvery(), "monitor", known -> known.living() + known.unsettled(), monitor::poll)
                .every(NEWS_EVERY, "gates", monitor::pollGates)
                .every(NEWS_EVERY, "takeover", this::takeOver)
                .every(NEWS_EVERY, "events", () -> callBacks.watchers().poll(books.history()::newest))
                .every(RECOVERY_EVERY, "recovery", Figures::unsettled, making::recover)
                .every(configuration.matchmaking().advertiseEvery(), "advertising", this::advertise)
                .every(ADS_EVERY, "ads", matchmaking::dropExpired)
                .shared(configuration.matchmaking().cycleEvery(), "matchmaking", matchmaking::cycle)
                .every(ScheduledTasks.COUNTED_EVERY, "counting", () -> metrics.count(database, ads(), sites.sites()))
                .shared(ScheduledTasks.COUNTED_EVERY, Database.CENSUS, Figures::living, database::countLiving)
                .shared(HOLDS_EVERY, "holds", Figures::unsettled, making.negotiations()::expire)
                .shared(
                        NOTICES_AHEAD_EVERY,
                        "notices ahead",
                        Figures::living,
                        () -> callBacks.notices().lookAhead(books.agreements(), books.transactions()))
                .every(CALLS_EVERY, "call-backs", Figures::owed, this::collectCallBacks)
                .shared(
                        settings.sweepEvery(),
                        "sweeper",
                        Figures::unsettled,
                        () -> metrics.recordSweep(making.sweeper().sweep()));
    }

    private CollectorView ads() {
        return new CollectorView(matchmaking.monitor);
    }

    private void advertise() {
        matchmaking.advertise(database.node()::isOurs);
    }

    /** Takes over the work that servers which are gone have left. */
    private void takeOver() {
        if (database.node().hasSeenLeave()) {
            making.recover();
            collectCallBacks();
        }
    }

    private void collectCallBacks() {
        callBacks.collect();
        matchmaking.collect();
    }

    private SoapServer http(SiteCalls calls, Clock clock) {
        var listener = configuration.listener();
        var guard = identity.authentication().guard();
        var http = HttpServer.at(listener.address()).knownAs(listener.names()).origins(listener.origins());
        listener.operators().ifPresent(http::operators);
        var server = SoapServer.on(http).authentication(identity.authentication());
        var offers = making.offers();
        var documents = new OfferDocuments(offers, guard);
        var negotiations = making.negotiations();
        var jobs = new AgreedJobs(offers, documents, sites, matchmaking.leases, clock);
        var kept = configuration.intervals().keepEnded();
        var lifetime = new AgreementLifetime(making.books().retention(), clock, kept);
        chores.shared(Duration.ofHours(1), "forgetting", lifetime::forget)
                .every(CALLS_EVERY, "claimed jobs", jobs::endUnclaimed)
                .shared(MatchLeases.LEASE_TIME, "claimed jobs of others", jobs::search);
        configuration
                .matchmaking()
                .rebinds()
                .ifPresent(rebinds ->
                        chores.shared(rebinds.every(), "rebinding", matchmaking.rebinds.orElseThrow()::rebindDue));
        var own = matchmaking.own(guard);
        var api = api(offers, documents, calls, own, clock);
        matchmaking.endpoints(own, guard, jobs).forEach(server::service);
        configuration
                .grid()
                .ifPresent(grid -> server.service(
                        "Site",
                        new AdapterEndpoint(new GridAsSite(grid, offers, calls, matchmaking, guard, clock), guard)));
        var health = new ServerHealth(database, making.underWay(), chores, identity, phase::get);
        Supplier<OperationsModel> operations = () -> new OperationsModel(health.words(), metrics.figures());
        var console = console(new ConsoleOffers(offers, documents, guard), operations, guard, clock);
        return server.observer(metrics::recordOperation)
                .service(
                        AgreementFactoryEndpoint.NAME,
                        new AgreementFactoryEndpoint(
                                offers, documents, negotiations, guard, listener.outbound(), clock))
                .service(
                        NegotiationFactoryEndpoint.NAME,
                        new NegotiationFactoryEndpoint(offers, negotiations, guard, clock))
                .service(
                        NegotiationEndpoint.NAME,
                        new NegotiationEndpoint(offers, documents, negotiations, guard, clock))
                .service(AgreementEndpoint.NAME, new AgreementEndpoint(offers, lifetime, guard, clock))
                .servlet("/health", new JsonServlet(health::answer))
                .servlet("/health/live", JsonServlet.liveness())
                .servlet("/calendars/*", new CalendarServlet(offers, database.subscriptions(), clock))
                .servlet("/metrics", metrics.servlet())
                .servlet("/sites", api)
                .servlet("/api/v1/*", api)
                .servlet("/api", new ContractPage(ApiServlet.contract(), clock))
                .servlet("/services/Plans", new PlanServlet(documents))
                .servlet("/services/Priorities", new PriorityServlet(matchmaking.books))
                .servlet("/console/*", console)
                .servlet("/console/login", logIn(clock))
                .servlet("", ConsoleServlet.entrance())
                .start();
    }

    private ApiServlet api(
            OfferService offers, OfferDocuments documents, SiteCalls calls, OwnMatches own, Clock clock) {
        var guard = identity.authentication().guard();
        var resources = new ApiResources(offers, new SiteQuery(calls, ads()), ads(), guard, clock).routes();
        var matches = new MatchRoutes(matchmaking, own, guard).routes();
        var agreements = new AgreementRoutes(offers, new JsonOffers(offers, documents), guard, clock).routes();
        var events = new EventRoutes(offers, guard, callBacks.watchers()).routes();
        var notices = new NoticeRoutes(offers, callBacks.notices(), sites, guard).routes();
        return new ApiServlet(guard, List.of(resources, agreements, matches, events, notices));
    }

    private LogIn logIn(Clock clock) {
        var authentication = identity.authentication();
        var provider = configuration.listener().security().openId();
        return new LogIn(
                authentication,
                provider.map(p -> new OpenIdLogIn(p, authentication.tokens().orElseThrow())),
                clock);
    }

    /** The console. It asks sites by calls of its own, few and short, so that it does not delay negotiations. */
    private ConsoleServlet console(
            ConsoleOffers offers, Supplier<OperationsModel> operations, Authorizer guard, Clock clock) {
        var calls = new SiteCalls(sites, threads.fanOut, CONSOLE_CALL_TIMEOUT, CONSOLE_CALLS_PER_SITE);
        var sources = new ConsoleSources(
                making.offers(), new SiteQuery(calls, ads()), ads(), matchmaking, operations, offers);
        var console = new ConsoleServlet(sources, guard, clock);
        making.changes().onChange(console);
        return console;
    }

    /** The base URL of the server, without a slash at the end. */
    public URI base() {
        return http.base();
    }

    /** The operations of all services, as policies name them. */
    public Set<String> operations() {
        return http.operations();
    }

    public OfferService agreements() {
        return making.offers();
    }

    /** Sweeps for orphans now, beside the periodic sweeps. */
    public OrphanSweeper.Report sweepNow() throws InterruptedException {
        return making.sweeper().sweep();
    }

    /** Drains: takes no new offers, lets those under way finish or rolls them back, then stops. */
    @Override
    public void close() {
        if (phase.getAndSet(Phase.DRAINING) == Phase.DRAINING) {
            return;
        }
        try {
            if (!making.underWay().drain(configuration.drain())) {
                LOG.warn(
                        "{} offers are still under way; the next start will give back what they hold",
                        making.underWay().count());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        chores.close();
        callBacks.close();
        matchmaking.close();
        http.close();
        identity.close();
        threads.close();
        sites.close();
        database.close();
        metrics.close();
    }
}
