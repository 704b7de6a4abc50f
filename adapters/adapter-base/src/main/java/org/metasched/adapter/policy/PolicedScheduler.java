package org.metasched.adapter.policy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;
import org.metasched.classad.ClassAd;

/**
 * A local scheduler behind the site's own rules: what they forbid is neither offered nor reserved, for any caller. A refusal names the rule
 * and the nearest request that passes. What was granted is written to the ledger before the scheduler is asked, so that two requests at
 * once cannot have the same share. A grant whose answer is lost counts until its slot ends, or its reservation is found and given up.
 * Changes in place are not offered. Thread-safe when the scheduler is; no lock is held while it is asked.
 */
public final class PolicedScheduler implements LocalScheduler {

    /** Time from the answer that a start is allowed to the request for it. */
    private static final Duration MARGIN_FOR_REQUEST = Duration.ofSeconds(30);

    /** Age up to which the number of nodes is not read again. */
    private static final Duration OLDEST_NODE_COUNT = Duration.ofMinutes(10);

    private final LocalScheduler inner;
    private final Clock clock;
    private final PolicyLedger ledger;
    private volatile PolicySettings settings;
    /** Number of the site's nodes, or -1 before it is read. */
    private volatile int nodeCount = -1;

    private volatile Instant nodeCountReadAt = Instant.MIN;

    private PolicedScheduler(LocalScheduler inner, PolicySettings settings, Clock clock) {
        this.inner = inner;
        this.settings = settings;
        this.clock = clock;
        this.ledger = PolicyLedger.open(settings.ledger(), clock.instant());
    }

    /** @param settings the mapping under {@code policy:} */
    public static LocalScheduler around(LocalScheduler scheduler, Settings settings, Clock clock) {
        return around(scheduler, PolicySettings.from(settings), clock);
    }

    /** A scheduler behind rules that are read already. */
    public static LocalScheduler around(LocalScheduler scheduler, PolicySettings settings, Clock clock) {
        return new PolicedScheduler(scheduler, settings, clock);
    }

    /**
     * Reads other rules for the same ledger.
     *
     * @return an action that puts them in force for later requests
     * @throws org.metasched.adapter.InvalidSettingException when they cannot be used
     */
    public Runnable prepare(Settings changed) {
        var next = PolicySettings.from(changed);
        changed.refuseIf(!next.ledger().equals(settings.ledger()), "ledger", "another ledger needs a restart");
        return () -> settings = next;
    }

    @Override
    public SiteId site() {
        return inner.site();
    }

    @Override
    public PreviewWindow previewWindow() {
        return inner.previewWindow();
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        PolicyRequest query = PolicyRequest.of(request);
        PolicyRule.Facts facts = factsForQuery();
        refuseIfNeverAllowed(query, facts, notBefore);
        Instant until = inner.previewWindow().endFrom(facts.now()).plusSeconds(1);
        Optional<Instant> start = settings.policy().firstAllowed(query, facts, notBefore, until);
        Optional<Instant> free = inner.earliestStart(request, start.orElse(notBefore));
        // Moves on until rules and scheduler agree on a start; each step is later than the one before.
        while (start.isPresent()) {
            Optional<Instant> allowed =
                    free.flatMap(found -> settings.policy().firstAllowed(query, facts, found, until));
            if (free.isEmpty() || free.equals(allowed)) {
                return free;
            }
            start = allowed;
            if (allowed.isPresent()) {
                free = inner.earliestStart(request, allowed.get());
            }
        }
        refuseClosed(free.filter(found -> found.isBefore(until)), query, facts);
        return Optional.empty();
    }

    /** Refuses if the rules close every free start of the scheduler; names the rule that closes the first one. */
    private void refuseClosed(Optional<Instant> free, PolicyRequest request, PolicyRule.Facts facts) throws Refused {
        Optional<String> why = free.flatMap(start -> settings.policy().refusal(request, facts, start));
        if (why.isPresent()) {
            throw refused(why.get(), request, facts, free.get());
        }
    }

    @Override
    public Optional<WindowListing> windowListing() {
        return inner.windowListing().map(listing -> (request, within) -> freeWindows(listing, request, within));
    }

    private FreeWindows freeWindows(WindowListing listing, ResourceRequest request, TimeSlot within)
            throws LocalSchedulerException {
        PolicyRequest query = PolicyRequest.of(request);
        PolicyRule.Facts facts = factsForQuery();
        refuseIfNeverAllowed(query, facts, within.start());
        FreeWindows free = listing.freeWindows(request, within);
        var closed = settings.policy()
                .closed(query, facts, new TimeSlot(within.start(), within.end().plusSeconds(1)));
        var open = SitePolicy.without(free.starts(), closed);
        if (open.isEmpty()) {
            refuseClosed(free.starts().stream().findFirst().map(FreeWindows.StartInterval::earliest), query, facts);
        }
        return new FreeWindows(free.version() + "." + ledger.version(), open);
    }

    private void refuseIfNeverAllowed(PolicyRequest request, PolicyRule.Facts facts, Instant from) throws Refused {
        Optional<String> never = settings.policy().refusal(request, facts);
        if (never.isPresent()) {
            throw refused(never.get(), request, facts, from);
        }
    }

    private Refused refused(String why, PolicyRequest query, PolicyRule.Facts facts, Instant start) {
        Instant until = inner.previewWindow().endFrom(facts.now()).plusSeconds(1);
        Optional<NearestRequest.Suggestion> nearest =
                new NearestRequest(settings.policy(), facts, until).to(query, start);
        String message = "Site " + site() + " does not allow this: " + why + "."
                + nearest.map(found -> "\nMaybe " + found.words() + ": the rules allow that.")
                        .orElse("\nThe rules allow nothing near it.");
        return new Forbidden(
                message, nearest.filter(found -> found.request().equals(query)).map(NearestRequest.Suggestion::start));
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        if (!ledger.has(key.value())) {
            Optional<Reservation> first = grant(key, PolicyRequest.of(request), start);
            if (first.isPresent()) {
                return first.get();
            }
        }
        try {
            Reservation made = inner.reserve(key, request, start);
            int nodes = made.granted().asNodes().map(Need.Nodes::count).orElse(0);
            ledger.put(PolicyRequest.of(request).granted(key, made.id().value(), nodes, made.slot()));
            return made;
        } catch (LocalSchedulerException e) {
            if (!e.mayHaveHappened()) {
                ledger.drop(key.value());
            }
            throw e;
        }
    }

    /**
     * Enters the grant in the ledger. If the rules refuse it, returns the reservation that the key holds already: it is older than the
     * rules.
     */
    private Optional<Reservation> grant(RequestKey key, PolicyRequest request, Instant start)
            throws LocalSchedulerException {
        int nodes = siteNodes();
        PolicyRule.Facts facts = facts(clock.instant(), nodes);
        Optional<String> refusal = ledger.putUnless(
                usage -> settings.policy().refusal(request, facts.with(usage), start),
                request.granted(key, "", request.nodes(), request.slotFrom(start)));
        if (refusal.isEmpty()) {
            return Optional.empty();
        }
        Optional<Reservation> first =
                inner.find(key).filter(status -> status.state().isHeld()).map(ReservationStatus::reservation);
        if (first.isPresent()) {
            return first;
        }
        throw refused(refusal.get(), request, facts, start);
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        return inner.find(key).map(this::note);
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        try {
            return note(inner.state(id));
        } catch (UnknownReservation gone) {
            ledger.endById(id.value(), clock.instant());
            throw gone;
        }
    }

    @Override
    public Map<ReservationId, ReservationStatus> states(Collection<ReservationId> ids) throws LocalSchedulerException {
        Map<ReservationId, ReservationStatus> states = inner.states(ids);
        states.values().forEach(this::note);
        return states;
    }

    /** Completes the grant of a reservation whose answer was lost, and ends the grant of a cancelled one. */
    private ReservationStatus note(ReservationStatus status) {
        ledger.complete(
                status.reservation().key().value(), status.reservation().id().value());
        if (status.state() == ReservationState.CANCELLED) {
            ledger.endById(status.reservation().id().value(), clock.instant());
        }
        return status;
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        try {
            inner.cancel(id);
        } catch (UnknownReservation gone) {
            ledger.endById(id.value(), clock.instant());
            throw gone;
        }
        ledger.endById(id.value(), clock.instant());
    }

    /**
     * Facts for a query, at the next whole minute after a margin: an offered start can still be requested, and is the same for a minute
     * (A2).
     */
    private PolicyRule.Facts factsForQuery() throws LocalSchedulerException {
        Instant soonest = clock.instant().plus(MARGIN_FOR_REQUEST);
        return facts(soonest.plusSeconds(59).truncatedTo(ChronoUnit.MINUTES), siteNodes());
    }

    private PolicyRule.Facts facts(Instant now, int nodes) {
        ClassAd site = ClassAd.EMPTY.with("Name", site().value());
        ClassAd known = nodes > 0 ? site.with("TotalNodes", (long) nodes) : site;
        return new PolicyRule.Facts(now, settings.zone(), nodes, known, settings.vos(), ledger.usage());
    }

    private int siteNodes() throws LocalSchedulerException {
        if (!settings.policy().needsMachine()) {
            return 0;
        }
        Instant now = clock.instant();
        if (nodeCount < 0 || now.isAfter(nodeCountReadAt.plus(OLDEST_NODE_COUNT))) {
            LoadReporting load = inner.loadReporting()
                    .orElseThrow(() -> new Misconfigured("Site " + site()
                            + " does not tell how many nodes it has.\nMaybe give 'share: most:' as a number of nodes, and leave TotalNodes out of"
                            + " 'require:'."));
            nodeCount = load.load().totalNodes();
            nodeCountReadAt = now;
        }
        return nodeCount;
    }

    @Override
    public Optional<RuntimeSupport> runtimeSupport() {
        return inner.runtimeSupport();
    }

    @Override
    public Optional<JobStarter> jobStarter() {
        return inner.jobStarter();
    }

    @Override
    public Optional<LoadReporting> loadReporting() {
        return inner.loadReporting();
    }

    @Override
    public void close() {
        inner.close();
        ledger.close();
    }
}
