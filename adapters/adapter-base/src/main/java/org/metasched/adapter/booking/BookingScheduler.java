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
import org.metasched.adapter.jobs.JobFolders;
import org.metasched.adapter.jobs.JobQueue;
import org.metasched.adapter.jobs.JobSettings;
import org.metasched.adapter.jobs.SiteJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Base of schedulers that reserve nodes, or cores of them, and are asked over a command line: free starts come from one {@link SitePlan}, and a
 * reservation counts only when it has been read back. An adapter says how to read the plan, to book, to look up and to release.
 *
 * <p>An exit code proves nothing: after each booking the reservation is looked up under its name, and nodes, start and end are compared. A
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
     * Asks the scheduler whether it would grant a booking, if it has a question that books nothing. For any other scheduler the plan
     * decides.
     */
    protected boolean confirms(Need.Nodes need, TimeSlot slot) throws LocalSchedulerException {
        return true;
    }

    /** Asks the scheduler to make a reservation. Returns when the scheduler accepts; the reservation itself is looked up afterwards. */
    protected abstract void book(BookingRequest booking, SitePlan plan) throws LocalSchedulerException;

    /** All reservations that the scheduler shows under the name of a key. */
    protected abstract List<SchedulerReservation> lookUp(RequestKey key) throws LocalSchedulerException;

    /**
     * Looks one of our reservations up at the scheduler by its id; empty if there is none or it was not made here. The id may be
     * any text.
     */
    protected abstract Optional<SchedulerReservation> lookUp(ReservationId id) throws LocalSchedulerException;

    /** Looks a reservation up in the snapshot that all queries share; one that is missing there may exist nevertheless. */
    protected Optional<SchedulerReservation> glance(ReservationId id) throws LocalSchedulerException {
        return lookUp(id);
    }

    /** Whether the scheduler holds a reservation of ours under the id now, even if its record cannot be understood. */
    protected boolean shows(ReservationId id) throws LocalSchedulerException {
        return lookUp(id).filter(SchedulerReservation::isHeld).isPresent();
    }

    /** Gives a reservation up, with the jobs in it. A reservation that is already gone is no error. */
    protected abstract void release(ReservationId id) throws LocalSchedulerException;

    /** The site with its commands, clock and shared snapshots. */
    protected final CommandLineSite at() {
        return site;
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
        Need.Nodes need = nodesOf(request);
        var unused = users(request); // refuses users who may not use the site
        return new FreeStarts(this, need, request.duration()).first(notBefore);
    }

    @Override
    public final FreeWindows freeWindows(ResourceRequest request, TimeSlot within) throws LocalSchedulerException {
        Need.Nodes need = nodesOf(request);
        var unused = users(request); // refuses users who may not use the site
        return new FreeStarts(this, need, request.duration()).within(within);
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
        SitePlan plan = refuseHopeless(booking);
        try {
            try {
                book(booking, plan);
            } finally {
                site.shared().forget();
            }
        } catch (Unreachable answerLost) {
            return settle(booking, answerLost);
        } catch (Refused refusal) {
            Optional<SchedulerReservation> madeAnyway = heldUnder(booking.key());
            if (madeAnyway.isPresent()) {
                return keepOrCancel(booking, madeAnyway.get());
            }
            throw withHint(booking, refusal);
        }
        SchedulerReservation made = heldUnder(booking.key())
                .orElseThrow(() -> new Unreachable("Site " + site.id() + " said that it made the reservation "
                        + booking.name() + ", but does not show it."));
        return keepOrCancel(booking, made);
    }

    /** Refuses a request that is too large or has passed, since schedulers would cut or accept it; returns the plan. */
    private SitePlan refuseHopeless(BookingRequest booking) throws LocalSchedulerException {
        if (booking.slot().start().isBefore(site.preview().floor(now()))) {
            throw new Refused("Site " + site.id() + " cannot reserve from "
                    + booking.slot().start() + ", which has passed; it is " + now() + ".");
        }
        SitePlan plan = plan(booking.need(), booking.slot());
        int suiting = plan.suiting(booking.need());
        if (suiting < booking.need().count()) {
            throw new Refused("Site " + site.id() + " has " + suiting + " usable nodes with " + wordsOf(booking.need())
                    + ", not " + booking.need().count() + ".");
        }
        return plan;
    }

    private static String wordsOf(Need.Nodes need) {
        return "at least " + need.coresPerNode() + " cores"
                + (need.properties().isEmpty()
                        ? ""
                        : " and " + DisplayText.of(need.properties().toString()));
    }

    /** Decides a lost answer by the reservation under the name; without a reservation the answer stays lost, as one may still appear. */
    private Reservation settle(BookingRequest booking, Unreachable answerLost) throws LocalSchedulerException {
        Optional<SchedulerReservation> made;
        try {
            made = heldUnder(booking.key());
        } catch (LocalSchedulerException stillLost) {
            answerLost.addSuppressed(stillLost);
            throw answerLost;
        }
        if (made.isEmpty()) {
            throw answerLost;
        }
        return keepOrCancel(booking, made.get());
    }

    private Reservation keepOrCancel(BookingRequest booking, SchedulerReservation made) throws LocalSchedulerException {
        Reservation reservation = remember(requireConfirmed(made)).status().reservation();
        Need.Nodes granted = reservation
                .granted()
                .asNodes()
                .orElseThrow(() -> new IllegalStateException(
                        "The adapter booked nodes, but read back (" + reservation.granted() + ")."));
        if (ChangingScheduler.holds(reservation, booking.need(), booking.slot())) {
            return reservation;
        }
        cancel(reservation.id());
        var refusal = new Refused("Site " + site.id() + " granted " + wordsOf(granted, reservation.slot()) + " where "
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

    private static String wordsOf(Need.Nodes nodes, TimeSlot slot) {
        return nodes.count() + " nodes with " + wordsOf(nodes) + " from " + slot.start() + " to " + slot.end();
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
        Optional<SchedulerReservation> shown = glance(id);
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
            glance(id).ifPresent(held -> states.put(id, remember(held).status()));
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
            LOG.debug("Site {}: reservation {} is given up without being understood", site.id(), id, odd);
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

    /** @param interrupted message of the exception if the thread is interrupted */
    protected static void pause(Duration time, String interrupted) throws Unreachable {
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
                .orElseThrow(() ->
                        new Refused("Site " + site.id() + " reserves compute nodes, not (" + request.need() + ")."));
    }
}
