package org.metasched.adapter.policy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
 * A local scheduler behind the site's own rules: what they forbid is neither offered nor made, for any caller. A refusal names
 * the rule and the nearest request that passes. What was granted is written to the ledger before the scheduler is asked, so
 * that two requests at once cannot have the same share; one whose answer is lost counts until it is known not to exist.
 * Thread-safe when the scheduler is; no lock is held while it is asked.
 */
public final class PolicedScheduler implements LocalScheduler {

    /** Between the answer that a start is allowed and the request for it. */
    private static final Duration TO_ASK = Duration.ofSeconds(30);

    private static final Duration MACHINE_LASTS = Duration.ofMinutes(10);
    private static final long MINUTE = 60;

    private final LocalScheduler inner;
    private final Clock clock;
    private final PolicyLedger ledger;
    private volatile PolicySettings settings;
    private volatile int machine = -1;
    private volatile Instant machineReadAt = Instant.MIN;

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

    public static LocalScheduler around(LocalScheduler scheduler, PolicySettings settings, Clock clock) {
        return new PolicedScheduler(scheduler, settings, clock);
    }

    /**
     * Reads other rules for the same ledger.
     *
     * @return puts them in force, for requests from then on
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
        PolicyRequest asked = PolicyRequest.of(request);
        PolicyRule.World world = worldOfQuestions();
        refuseAlways(asked, world, notBefore);
        Instant until = inner.previewWindow().endFrom(world.now()).plusSeconds(1);
        Optional<Instant> start = settings.policy().firstAllowed(asked, world, notBefore, until);
        Optional<Instant> free = inner.earliestStart(request, start.orElse(notBefore));
        while (start.isPresent()) {
            Optional<Instant> allowed =
                    free.flatMap(found -> settings.policy().firstAllowed(asked, world, found, until));
            if (free.isEmpty() || free.equals(allowed)) {
                return free;
            }
            start = allowed;
            if (allowed.isPresent()) {
                free = inner.earliestStart(request, allowed.get());
            }
        }
        refuseCut(free.filter(found -> found.isBefore(until)), asked, world);
        return Optional.empty();
    }

    /** The scheduler has room, and the rules close all of it: the one that closes its first start is named. */
    private void refuseCut(Optional<Instant> free, PolicyRequest asked, PolicyRule.World world) throws Refused {
        Optional<String> why = free.flatMap(start -> settings.policy().refusal(asked, world, start));
        if (why.isPresent()) {
            throw refused(why.get(), asked, world, free.get());
        }
    }

    @Override
    public Optional<WindowListing> windowListing() {
        return inner.windowListing().map(listing -> (request, within) -> freeWindows(listing, request, within));
    }

    private FreeWindows freeWindows(WindowListing listing, ResourceRequest request, TimeSlot within)
            throws LocalSchedulerException {
        PolicyRequest asked = PolicyRequest.of(request);
        PolicyRule.World world = worldOfQuestions();
        refuseAlways(asked, world, within.start());
        FreeWindows free = listing.freeWindows(request, within);
        var closed = settings.policy()
                .closed(asked, world, new TimeSlot(within.start(), within.end().plusSeconds(1)));
        var open = SitePolicy.without(free.starts(), closed);
        if (open.isEmpty()) {
            refuseCut(free.starts().stream().findFirst().map(FreeWindows.StartInterval::earliest), asked, world);
        }
        return new FreeWindows(free.version() + "." + ledger.version(), open);
    }

    private void refuseAlways(PolicyRequest asked, PolicyRule.World world, Instant from) throws Refused {
        Optional<String> never = settings.policy().refusal(asked, world);
        if (never.isPresent()) {
            throw refused(never.get(), asked, world, from);
        }
    }

    private Refused refused(String why, PolicyRequest asked, PolicyRule.World world, Instant start) {
        Instant until = inner.previewWindow().endFrom(world.now()).plusSeconds(1);
        Optional<NearestRequest.Suggestion> nearest =
                new NearestRequest(settings.policy(), world, until).to(asked, start);
        String message = "Site " + site() + " does not allow this: " + why + "."
                + nearest.map(found -> "\nMaybe " + found.words() + ": the rules allow that.")
                        .orElse("\nThe rules allow nothing near it.");
        return new Forbidden(
                message, nearest.filter(found -> found.asked().equals(asked)).map(NearestRequest.Suggestion::start));
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

    /** Enters the grant, or finds the reservation that was made before the rules were. */
    private Optional<Reservation> grant(RequestKey key, PolicyRequest asked, Instant start)
            throws LocalSchedulerException {
        int nodes = machine();
        PolicyRule.World world = world(clock.instant(), nodes);
        Optional<String> refusal = ledger.putUnless(
                usage -> settings.policy().refusal(asked, world.with(usage), start),
                asked.granted(key, "", asked.nodes(), asked.from(start)));
        if (refusal.isEmpty()) {
            return Optional.empty();
        }
        Optional<Reservation> first =
                inner.find(key).filter(status -> status.state().isHeld()).map(ReservationStatus::reservation);
        if (first.isPresent()) {
            return first;
        }
        throw refused(refusal.get(), asked, world, start);
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        return inner.find(key).map(this::noted);
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        try {
            return noted(inner.state(id));
        } catch (UnknownReservation gone) {
            ledger.endById(id.value(), clock.instant());
            throw gone;
        }
    }

    @Override
    public Map<ReservationId, ReservationStatus> states(Collection<ReservationId> ids) throws LocalSchedulerException {
        Map<ReservationId, ReservationStatus> states = inner.states(ids);
        states.values().forEach(this::noted);
        return states;
    }

    private ReservationStatus noted(ReservationStatus status) {
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

    /** A start on offer leaves time to ask for it, and stays the same while a minute lasts (rule A2). */
    private PolicyRule.World worldOfQuestions() throws LocalSchedulerException {
        long second = clock.instant().plus(TO_ASK).getEpochSecond();
        return world(Instant.ofEpochSecond(Math.floorDiv(second + MINUTE - 1, MINUTE) * MINUTE), machine());
    }

    private PolicyRule.World world(Instant now, int nodes) {
        ClassAd site = ClassAd.EMPTY.with("Name", site().value());
        return new PolicyRule.World(
                now,
                settings.zone(),
                nodes,
                nodes > 0 ? site.with("TotalNodes", (long) nodes) : site,
                settings.vos(),
                ledger.usage());
    }

    private int machine() throws LocalSchedulerException {
        if (!settings.policy().needsMachine()) {
            return 0;
        }
        Instant now = clock.instant();
        if (machine < 0 || now.isAfter(machineReadAt.plus(MACHINE_LASTS))) {
            LoadReporting load = inner.loadReporting()
                    .orElseThrow(() -> new Misconfigured("Site " + site()
                            + " does not tell how many nodes it has.\nMaybe give 'share: most:' as a number of nodes, and leave TotalNodes out of"
                            + " 'require:'."));
            machine = load.load().totalNodes();
            machineReadAt = now;
        }
        return machine;
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
