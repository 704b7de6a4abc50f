package org.metasched.adapter.booking;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;
import org.metasched.adapter.command.OncePerKey;
import org.metasched.adapter.command.SharedReads;
import org.metasched.adapter.jobs.JobFolders;
import org.metasched.adapter.jobs.JobQueue;
import org.metasched.adapter.jobs.JobSettings;
import org.metasched.adapter.jobs.SiteJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Base of schedulers that reserve nodes, or cores of them, and are asked over a command line: free starts come from one {@link SitePlan},
 * and a reservation counts only when it has been read back. An adapter says how to read the plan, to book, to look up and to release.
 *
 * <p>Exit codes are not trusted: after each booking the reservation is looked up under its name, and nodes, start and end are compared. A
 * reservation that differs from the request is given back, and the request refused. Thread-safe when the adapter's own methods are.
 */
public abstract class BookingScheduler implements LocalScheduler, WindowListing, LoadReporting {

    private static final Logger LOG = LoggerFactory.getLogger(BookingScheduler.class);
    private static final Duration POLL = Duration.ofMillis(200);

    private final CommandLineSite site;
    private final BookingRules rules;
    private final Optional<RuntimeSupport> files;
    private final OncePerKey<Reservation> oncePerKey = new OncePerKey<>();
    private final OncePerKey<JobStatus> startedOnce = new OncePerKey<>();
    private final Optional<JobSettings> jobs;
    private final EndedReservations ended = new EndedReservations();

    protected BookingScheduler(CommandLineSite site, BookingRules rules, Settings settings) {
        this.site = site;
        this.rules = rules;
        this.jobs = settings.section("programs")
                .map(JobSettings::from)
                .map(programs -> programs.orBecome(settings.texts("become")));
        this.files = PublishedFiles.from(site.id(), settings, this::state).map(support -> support);
    }

    /** The settings of every such site and some more, for {@link Settings#allowOnly}. */
    public static Set<String> keysAnd(String... more) {
        var all = new TreeSet<>(List.of(more));
        all.addAll(CommandLineSite.KEYS);
        all.addAll(BookingRules.KEYS);
        all.addAll(PublishedFiles.KEYS);
        return all;
    }

    /** Reads the scheduler's plan, as far as it concerns bookings like this one inside the span. */
    protected abstract SitePlan plan(Need.Nodes need, TimeSlot span) throws LocalSchedulerException;

    /**
     * Whether the scheduler would grant a booking, for schedulers that can be asked without booking. This default leaves the decision to the
     * plan.
     */
    protected boolean confirms(Need.Nodes need, TimeSlot slot) throws LocalSchedulerException {
        return true;
    }

    /** Asks the scheduler to make a reservation. Returns when the scheduler accepts; the reservation itself is looked up afterwards. */
    protected abstract void book(BookingRequest booking, SitePlan plan) throws LocalSchedulerException;

    /** All reservations that the scheduler shows under the name of a key. */
    protected abstract List<SchedulerReservation> lookUp(RequestKey key) throws LocalSchedulerException;

    /** Looks a reservation up at the scheduler by its id; empty if there is none or it was not made here. The id may be any text. */
    protected abstract Optional<SchedulerReservation> lookUp(ReservationId id) throws LocalSchedulerException;

    /** As {@link #lookUp(ReservationId)}, but in the snapshot that all queries share: a reservation that is missing there may exist. */
    protected Optional<SchedulerReservation> lookUpInSnapshot(ReservationId id) throws LocalSchedulerException {
        return lookUp(id);
    }

    /** Whether the scheduler now holds a reservation with this id that was made here, even if its record cannot be read. */
    protected boolean shows(ReservationId id) throws LocalSchedulerException {
        return lookUp(id).filter(SchedulerReservation::isHeld).isPresent();
    }

    /** Gives a reservation up, with the jobs in it. A reservation that is already gone is no error. */
    protected abstract void release(ReservationId id) throws LocalSchedulerException;

    /** The settings that all command-line adapters share. */
    protected final CommandLineSite commandLineSite() {
        return site;
    }

    /** Snapshots that all callers share. */
    protected final SharedReads shared() {
        return site.shared();
    }

    /** A builder of an empty plan, with the look-ahead and the zone of this site. */
    protected final SitePlan.Builder planBuilder(SitePlan.Rules planRules, Instant now) {
        return SitePlan.builder(site.preview(), planRules, site.times(), now);
    }

    protected final BookingRules rules() {
        return rules;
    }

    protected final Instant now() {
        return site.clock().instant();
    }

    @Override
    public final SiteId site() {
        return site.id();
    }

    @Override
    public final PreviewWindow previewWindow() {
        return site.preview();
    }

    @Override
    public final Optional<RuntimeSupport> runtimeSupport() {
        return files;
    }

    /** The queue that takes jobs; empty if the adapter cannot run programs. */
    protected Optional<JobQueue> jobQueue() {
        return Optional.empty();
    }

    @Override
    public final Optional<JobStarter> jobStarter() {
        return jobs.flatMap(settings -> jobQueue()
                .map(queue -> new SiteJobs(
                        new JobFolders(site.runner(), settings), site.users(), queue, this::state, startedOnce)));
    }

    @Override
    public final Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore)
            throws LocalSchedulerException {
        return freeStarts(request).first(notBefore);
    }

    @Override
    public final FreeWindows freeWindows(ResourceRequest request, TimeSlot within) throws LocalSchedulerException {
        return freeStarts(request).within(within);
    }

    private FreeStarts freeStarts(ResourceRequest request) throws LocalSchedulerException {
        Need.Nodes need = nodesOf(request);
        var unused = users(request); // refuses users who may not use the site
        return new FreeStarts(this, need, request.duration());
    }

    @Override
    public final Reservation reserve(RequestKey key, ResourceRequest request, Instant start)
            throws LocalSchedulerException {
        Need.Nodes need = nodesOf(request);
        var booking = new BookingRequest(
                key,
                rules.nameOf(key),
                users(request),
                request.requester().flatMap(Requester::project),
                need,
                site.preview().covering(start, request.duration()));
        return oncePerKey.run(key, () -> make(booking));
    }

    /**
     * The local users of a reservation, its requester's first. A scheduler that admits the requester alone refuses further users.
     *
     * @throws Refused when a user may not use the site
     */
    protected List<String> users(ResourceRequest request) throws LocalSchedulerException {
        return site.users().usersOf(request.requester());
    }

    private Reservation make(BookingRequest booking) throws LocalSchedulerException {
        site.shared().forget();
        Optional<SchedulerReservation> first = heldUnder(booking.key());
        if (first.isPresent()) {
            return remember(requireConfirmed(first.get())).status().reservation();
        }
        LocalSchedulerException unlessShown = tryToBook(booking, planFor(booking));
        Optional<SchedulerReservation> made;
        try {
            made = heldUnder(booking.key());
        } catch (LocalSchedulerException unseen) {
            unseen.addSuppressed(unlessShown);
            throw maybeHeld(booking.name(), unseen);
        }
        if (made.isPresent()) {
            return keepOrCancel(booking, made.get());
        }
        throw unlessShown instanceof Refused refusal ? withHint(booking, refusal) : unlessShown;
    }

    /** Books, and returns the failure that it is if no reservation is shown afterwards: after a lost answer it may still appear. */
    private LocalSchedulerException tryToBook(BookingRequest booking, SitePlan plan) throws LocalSchedulerException {
        try {
            book(booking, plan);
            return new Unreachable("Site " + site.id() + " said that it made the reservation " + booking.name()
                    + ", but does not show it.");
        } catch (Unreachable | Refused notMade) {
            return notMade;
        } finally {
            site.shared().forget();
        }
    }

    /** The failure of a command after one that may have had its effect: it does not mean that nothing was done. */
    final Unreachable maybeHeld(String reservation, LocalSchedulerException unseen) {
        return unseen instanceof Unreachable lost
                ? lost
                : new Unreachable(
                        "Site " + site.id() + " may hold reservation " + reservation + ": " + unseen.getMessage(),
                        unseen);
    }

    /** Reads the plan. Refuses a request that is too large or whose start has passed, since schedulers would cut or accept it. */
    private SitePlan planFor(BookingRequest booking) throws LocalSchedulerException {
        if (booking.slot().start().isBefore(site.preview().floor(now()))) {
            throw new Refused("Site " + site.id() + " cannot reserve from "
                    + booking.slot().start() + ", which has passed; it is " + now() + ".");
        }
        SitePlan plan = plan(booking.need(), booking.slot());
        int suiting = plan.suiting(booking.need());
        if (suiting < booking.need().count()) {
            throw new Refused("Site " + site.id() + " has " + DisplayText.count(suiting, "usable node") + " where "
                    + DisplayText.of(booking.need().words(), 300) + " was asked.");
        }
        return plan;
    }

    private Reservation keepOrCancel(BookingRequest booking, SchedulerReservation made) throws LocalSchedulerException {
        Reservation reservation = remember(requireConfirmed(made)).status().reservation();
        if (ChangingScheduler.holds(reservation, booking.need(), booking.slot())) {
            return reservation;
        }
        try {
            cancel(reservation.id());
        } catch (LocalSchedulerException notCancelled) {
            throw maybeHeld(booking.name(), notCancelled);
        }
        var refusal = new Refused("Site " + site.id() + " granted "
                + wordsOf(reservation.granted(), reservation.slot()) + " where "
                + wordsOf(booking.need(), booking.slot()) + " was asked; reservation " + reservation.id()
                + " has been given back.");
        throw withHint(booking, refusal);
    }

    private SchedulerReservation requireConfirmed(SchedulerReservation held) throws Unreachable {
        if (!held.confirmed()) {
            throw new Unreachable("Site " + site.id() + " has reservation "
                    + held.status().reservation().id() + " but has not confirmed it yet.");
        }
        return held;
    }

    static String wordsOf(Need need, TimeSlot slot) {
        return need.words() + " from " + slot.start() + " to " + slot.end();
    }

    private Refused withHint(BookingRequest booking, Refused refusal) {
        if (refusal.possibleStart().isPresent()) {
            return refusal;
        }
        try {
            Optional<Instant> next = new FreeStarts(
                            this, booking.need(), booking.slot().length())
                    .first(booking.slot().start())
                    .filter(start -> start.isAfter(booking.slot().start()));
            String message = String.valueOf(refusal.getMessage());
            var hinted = new Refused(
                    next.map(start -> message + "\nMaybe from " + start + ".").orElse(message), next);
            hinted.addSuppressed(refusal);
            return hinted;
        } catch (LocalSchedulerException noHint) {
            refusal.addSuppressed(noHint);
            return refusal;
        }
    }

    private Optional<SchedulerReservation> heldUnder(RequestKey key) throws LocalSchedulerException {
        return lookUp(key).stream().filter(SchedulerReservation::isHeld).findFirst();
    }

    @Override
    public final Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        Optional<SchedulerReservation> shown = lookUp(key).stream()
                .max(Comparator.comparing(SchedulerReservation::isHeld)
                        .thenComparing(
                                held -> held.status().reservation().slot().start()));
        return shown.isPresent() ? shown.map(held -> remember(held).status()) : ended.statusOf(key, now());
    }

    @Override
    public final ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        Optional<SchedulerReservation> shown = lookUpInSnapshot(id);
        if (shown.isEmpty()) {
            shown = lookUp(id);
        }
        if (shown.isPresent()) {
            return remember(shown.get()).status();
        }
        return ended.statusOf(id, now()).orElseThrow(() -> new UnknownReservation(site.id(), id));
    }

    @Override
    public final Map<ReservationId, ReservationStatus> states(Collection<ReservationId> ids)
            throws LocalSchedulerException {
        var states = new LinkedHashMap<ReservationId, ReservationStatus>();
        for (ReservationId id : ids) {
            lookUpInSnapshot(id).ifPresent(held -> states.put(id, remember(held).status()));
        }
        return states;
    }

    private SchedulerReservation remember(SchedulerReservation held) {
        ended.remember(held.status().reservation());
        return held;
    }

    @Override
    public final void cancel(ReservationId id) throws LocalSchedulerException {
        if (!shows(id)) {
            return;
        }
        try {
            lookUp(id).ifPresent(this::remember);
        } catch (Unreachable odd) {
            LOG.debug("Site {}: reservation {} is given up although its record cannot be read", site.id(), id, odd);
        }
        try {
            release(id);
            awaitEnd(id);
        } finally {
            site.shared().forget();
        }
        ended.markCancelled(id);
    }

    private void awaitEnd(ReservationId id) throws LocalSchedulerException {
        long deadline = System.nanoTime() + rules.cancelTimeout().toNanos();
        while (shows(id)) {
            if (System.nanoTime() - deadline > 0) {
                throw new Unreachable("Site " + site.id() + " was told to give up reservation " + id
                        + ", but shows it still after " + rules.cancelTimeout() + ".");
            }
            pause(POLL, "Interrupted while site " + site.id() + " was giving up reservation " + id + ".");
        }
    }

    /** Waits. The exception has the message {@code interrupted} if the thread is interrupted. */
    public static void pause(Duration time, String interrupted) throws Unreachable {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable(interrupted, e);
        }
    }

    final Need.Nodes nodesOf(ResourceRequest request) throws Refused {
        return request.need()
                .asNodes()
                .orElseThrow(() -> new Refused("Site " + site.id() + " reserves compute nodes, not ("
                        + request.need().words() + ")."));
    }
}
