package org.metasched.fakes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.TemplateKey;
import org.metasched.agreement.guarantee.ServiceLevels;
import org.metasched.agreement.making.AgreementMaking;
import org.metasched.agreement.making.AgreementMaking.Sites;
import org.metasched.agreement.making.AgreementMaking.Terms;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.agreement.monitoring.AgreementMonitor;
import org.metasched.agreement.monitoring.ProgramHandover;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.negotiation.NegotiationContext;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.negotiation.ParallelNegotiation;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.sites.FanOutExecutor;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteDirectory;

/** Fake sites and one metascheduler over them, on a clock that stands still. */
public final class TestGrid implements AutoCloseable {

    public static final TemplateKey TEMPLATE = new TemplateKey("CO-ALLOCATION", "1");
    /** How long a lost call may still arrive. */
    public static final Duration GRACE = Duration.ofMinutes(10);

    /** One for all: its threads are daemons, and making hundreds of them for each grid costs more than the tests. */
    private static final ExecutorService EXECUTOR = FanOutExecutor.create();

    /** Judges reservations only. */
    private static final ServiceLevels NO_EXPRESSIONS = new ServiceLevels() {
        @Override
        public void check(GuaranteeTerm term) {
            if (term.condition().isPresent()
                    || term.objective().isPresent()
                    || !term.compensations().isEmpty()) {
                throw new IllegalArgumentException(
                        "Guarantee term " + term.name() + ": this service evaluates no expressions.");
            }
        }

        @Override
        public Optional<Boolean> holds(String expression, Map<String, Long> facts) {
            return Optional.empty();
        }

        @Override
        public double value(String expression, Map<String, Long> facts) {
            return 0;
        }
    };

    public final SettableClock clock = SettableClock.at("2026-01-05T08:00:00Z");
    public final InMemoryBooks memory = new InMemoryBooks();
    private final Map<String, FakeSite> sites = new LinkedHashMap<>();
    private ServiceLevels levels = NO_EXPRESSIONS;
    private OnDegraded onDegraded = OnDegraded.TELL;
    private final List<LocalScheduler> others = new ArrayList<>();
    private AgreementBooks books = memory.books();
    private Duration timeout = Duration.ofSeconds(10);
    private SearchStrategy strategy = SearchStrategy.WINDOWS;
    private int mostAttempts = 5;

    public TestGrid site(String name, int nodes) {
        sites.put(name, new FakeSite(name, nodes, clock));
        return this;
    }

    /** A site of another kind, on the same clock. */
    public <S extends LocalScheduler> S open(Function<Clock, S> site) {
        S opened = site.apply(clock);
        others.add(opened);
        return opened;
    }

    public FakeSite at(String name) {
        return Objects.requireNonNull(sites.get(name), name);
    }

    public List<FakeSite> sites() {
        return List.copyOf(sites.values());
    }

    public TestGrid onDegraded(OnDegraded policy) {
        onDegraded = policy;
        return this;
    }

    /** Judges what guarantees say. */
    public TestGrid levels(ServiceLevels other) {
        levels = other;
        return this;
    }

    public TestGrid timeout(Duration perCall) {
        timeout = perCall;
        return this;
    }

    public TestGrid books(AgreementBooks other) {
        books = other;
        return this;
    }

    public Instant nowPlus(String duration) {
        return clock.instant().plus(Duration.parse(duration));
    }

    /** A metascheduler started on what the books and the sites hold now. */
    public Started start() {
        return start(SiteSelector.NONE);
    }

    /** The same with a matchmaker. */
    public Started start(SiteSelector selector) {
        return new Started(this, selector);
    }

    /** The same with another strategy. */
    public Started start(SearchStrategy other) {
        strategy = other;
        return start();
    }

    /** So many attempts instead of five. */
    public TestGrid attempts(int most) {
        mostAttempts = most;
        return this;
    }

    /** All that is held at any site. */
    public int heldEverywhere() {
        return sites.values().stream().mapToInt(s -> s.held().size()).sum();
    }

    /** One hour at each named site, inside the next day. */
    public CoAllocationRequest request(int nodes, String... names) {
        var parts = new ArrayList<SitePart>();
        for (var name : names) {
            parts.add(new SitePart(new SiteId(name), ResourceRequest.nodes(nodes, Duration.ofHours(1))));
        }
        return new CoAllocationRequest(parts, clock.instant(), nowPlus("PT24H"));
    }

    /** An offer for one hour at each named site, inside the next day. */
    public AgreementOffer offer(String id, int nodes, String... names) {
        var parts = new ArrayList<RequestedPart>();
        for (var name : names) {
            parts.add(RequestedPart.at(name, ResourceRequest.nodes(nodes, Duration.ofHours(1))));
        }
        return offer(id, parts);
    }

    /** An offer inside the next day. */
    public AgreementOffer offer(String id, List<RequestedPart> parts) {
        var request = new AgreementRequest(parts, Optional.of(clock.instant()), Optional.of(nowPlus("PT24H")));
        return new AgreementOffer(
                new OfferKey("CN=alice", id),
                "test",
                TEMPLATE,
                List.of(request),
                List.of(new GuaranteeTerm("WHOLE", List.of(), Optional.empty(), Optional.empty(), List.of())),
                Optional.empty(),
                new OfferDocument("<offer/>"),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public void close() {
        sites.values().forEach(FakeSite::letGo);
    }

    /** The object graph of one process. */
    public static final class Started {
        public final SiteCalls calls;
        public final OrphanSweeper sweeper;
        public final ParallelNegotiation engine;
        public final AgreementMaking making;
        public final OfferService service;
        public final ProgramHandover programs;
        public final AgreementMonitor monitor;

        private Started(TestGrid grid, SiteSelector selector) {
            List<LocalScheduler> all = new ArrayList<>(grid.sites.values());
            all.addAll(grid.others);
            var directory = SiteDirectory.of(all);
            calls = new SiteCalls(directory, EXECUTOR, grid.timeout, 64);
            sweeper = new OrphanSweeper(grid.books.journal(), calls, grid.clock, GRACE);
            var budget =
                    new NegotiationBudget(Duration.ZERO, 1000, grid.mostAttempts, Duration.ofMinutes(1), Duration.ZERO);
            var context = new NegotiationContext(calls, grid.books.journal(), sweeper, budget, grid.clock);
            engine = new ParallelNegotiation(context, grid.strategy, new Random());
            var template = new AgreementTemplate(TEMPLATE, OfferDocument.NONE);
            making = AgreementMaking.of(
                    grid.books,
                    new Sites(calls, engine, sweeper),
                    new Terms(selector, grid.levels, () -> List.of(template)),
                    EXECUTOR,
                    grid.clock);
            service = making.offers();
            programs = new ProgramHandover(calls, making.changes(), EXECUTOR, grid.clock);
            making.changes().onChange(programs);
            monitor = new AgreementMonitor(making, programs, grid.onDegraded, Duration.ofSeconds(15), grid.clock);
        }
    }
}
