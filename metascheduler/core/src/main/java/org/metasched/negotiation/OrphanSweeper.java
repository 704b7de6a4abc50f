package org.metasched.negotiation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.negotiation.ReservationJournal.Change;
import org.metasched.negotiation.ReservationJournal.ChangeStanding;
import org.metasched.negotiation.ReservationJournal.Entry;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Call;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back orphans: reservations of negotiations that failed, were cut off by a crash, or lost an answer, and
 * those of agreements that ended early. Thread-safe; every step may be repeated.
 *
 * <p>An empty lookup is no proof while the request may still be in flight. Such an entry is looked up again after the grace
 * period before it is forgotten.
 */
public final class OrphanSweeper {

    private static final Logger LOG = LoggerFactory.getLogger(OrphanSweeper.class);
    /** Most entries of one sweep. */
    private static final int MOST_ENTRIES = 100_000;
    /** Most entries about which sites are asked at once. */
    private static final int CHUNK = 256;

    private final ReservationJournal journal;
    private final SiteCalls calls;
    private final Clock clock;
    private final Duration grace;
    /** Keys of orphans that could not be written to the journal. */
    private final Set<RequestKey> unrecorded = ConcurrentHashMap.newKeySet();

    /** @param grace longest time for which a call may be under way to a site after its caller gave up */
    public OrphanSweeper(ReservationJournal journal, SiteCalls calls, Clock clock, Duration grace) {
        this.journal = journal;
        this.calls = calls;
        this.clock = clock;
        this.grace = grace;
    }

    /**
     * Result of a sweep.
     *
     * @param released entries under which nothing is held any more
     * @param waiting entries under which nothing was found, too early to be sure
     * @param held entries whose site did not answer, did not release the reservation, or is not configured any more
     */
    public record Report(int released, int waiting, int held) {

        Report plus(Report other) {
            return new Report(released + other.released, waiting + other.waiting, held + other.held);
        }
    }

    private static final Report RELEASED = new Report(1, 0, 0);
    private static final Report WAITING = new Report(0, 1, 0);
    private static final Report HELD = new Report(0, 0, 1);

    /**
     * Marks those of these reservations that no agreement keeps as orphans, and reverses their undecided changes. If the database fails, the
     * next sweep does so.
     */
    public void abandon(Collection<RequestKey> keys) {
        try {
            orphanUnkept(keys);
        } catch (StoreUnavailableException e) {
            unrecorded.addAll(keys);
            LOG.warn("The journal cannot be written; {} entries wait in memory for the next sweep", keys.size(), e);
        }
    }

    private void orphanUnkept(Collection<RequestKey> keys) {
        var unkept = journal.find(keys).stream()
                .filter(e -> e.standing() != ReservationJournal.Standing.KEPT)
                .map(Entry::key)
                .toList();
        journal.orphan(unkept, clock.instant().plus(grace));
        undo(keys, clock.instant().plus(grace));
    }

    /** Decides undecided changes, except those of holds, for the reservations as they were before. */
    void undo(Collection<RequestKey> keys, Instant mayArriveUntil) {
        // A change that was decided meanwhile stays as it was decided.
        boolean unused = journal.advance(journal.changes(keys).stream()
                .filter(change -> change.standing() == ChangeStanding.WIDENED)
                .map(change -> new Change(change.target(), ChangeStanding.DECIDED, mayArriveUntil))
                .toList());
    }

    /** Marks unfinished reservations of processes that are gone as orphans; returns their number. To be called at the start and from time to time. */
    public int orphanUnfinished() {
        orphanUnrecorded();
        return journal.orphanUnfinished(clock.instant().plus(grace));
    }

    /** Gives back all orphans, and what sites hold beyond decided changes. A site that does not answer is asked about no further chunk. */
    public Report sweep() throws InterruptedException {
        orphanUnrecorded();
        var report = giveBack(journal.orphans(MOST_ENTRIES));
        narrow(journal.decided(MOST_ENTRIES));
        if (report.released > 0 || report.held > 0) {
            LOG.info(
                    "Sweep: {} given back, {} to be looked at again, {} still held",
                    report.released,
                    report.waiting,
                    report.held);
        }
        return report;
    }

    private void orphanUnrecorded() {
        if (!unrecorded.isEmpty()) {
            var late = List.copyOf(unrecorded);
            orphanUnkept(late);
            late.forEach(unrecorded::remove);
        }
    }

    /**
     * Gives back those of these reservations that are orphans, and what sites hold beyond decided changes.
     *
     * @return keys that no agreement keeps and that still stand in the journal
     */
    public List<RequestKey> release(Collection<RequestKey> keys) throws InterruptedException {
        giveBack(journal.find(keys).stream()
                .filter(e -> e.standing() == ReservationJournal.Standing.STRANDED)
                .toList());
        narrow(journal.changes(keys).stream()
                .filter(change -> change.standing() == ChangeStanding.DECIDED)
                .toList());
        return journal.find(keys).stream()
                .filter(e -> e.standing() != ReservationJournal.Standing.KEPT)
                .map(Entry::key)
                .toList();
    }

    /** Narrows reservations to what was decided. The change is forgotten once no earlier call can reach its site any more. */
    private void narrow(List<Change> decided) throws InterruptedException {
        var known = new HashSet<>(calls.directory().sites());
        var due = decided.stream()
                .filter(change -> known.contains(change.target().site()))
                .toList();
        var answers = calls.askAll(due.stream()
                .map(change -> new Call<>(
                        change.target().site(), site -> narrow(change.target().reservation(), site)))
                .toList());
        var now = clock.instant();
        journal.forgetChanges(IntStream.range(0, due.size())
                .filter(i -> answers.get(i).fold(isDone -> isDone, problem -> {
                    LOG.warn("{} cannot be changed now: {}", due.get(i).target(), problem.getMessage());
                    return false;
                }))
                .mapToObj(due::get)
                .filter(change -> !now.isBefore(change.mayArriveUntil()))
                .map(change -> change.target().reservation().key())
                .toList());
    }

    private static boolean narrow(Reservation target, LocalScheduler site) throws LocalSchedulerException {
        // One that holds less was not widened: its target is from a time when it was.
        var held = site.find(target.key())
                .filter(status -> status.state().isHeld())
                .map(ReservationStatus::reservation)
                .filter(now -> now.slot().covers(target.slot())
                        && now.granted().amount() >= target.granted().amount());
        if (held.isPresent() && !target.holdsAs(held.get())) {
            var request = new ResourceRequest(target.granted(), target.slot().length(), Optional.empty());
            var unused = InPlaceChange.ability(site)
                    .change(target.id(), request, target.slot().start());
        }
        return true;
    }

    private Report giveBack(List<Entry> entries) throws InterruptedException {
        var silent = new HashSet<SiteId>();
        var report = new Report(0, 0, 0);
        for (int from = 0; from < entries.size(); from += CHUNK) {
            report = report.plus(giveBackChunk(entries.subList(from, Math.min(entries.size(), from + CHUNK)), silent));
        }
        return report;
    }

    private Report giveBackChunk(List<Entry> chunk, Set<SiteId> silent) throws InterruptedException {
        var known = new HashSet<>(calls.directory().sites());
        var asked = chunk.stream()
                .filter(e -> known.contains(e.site()) && !silent.contains(e.site()))
                .toList();
        var now = clock.instant();
        var answers = calls.askAll(asked.stream()
                .map(e -> new Call<>(e.site(), site -> giveBack(e, site, now)))
                .toList());
        var released = new ArrayList<RequestKey>();
        var report = new Report(0, 0, chunk.size() - asked.size());
        for (int i = 0; i < asked.size(); i++) {
            var answer = answers.get(i);
            var entry = asked.get(i);
            var end = answer.fold(outcome -> outcome, problem -> {
                silent.add(entry.site());
                LOG.warn("{} at site {} cannot be given back now: {}", entry.key(), entry.site(), problem.getMessage());
                return HELD;
            });
            report = report.plus(end);
            if (end.equals(RELEASED)) {
                released.add(entry.key());
            }
        }
        journal.released(released);
        return report;
    }

    /** Gives one entry back; returns the report about it. */
    private Report giveBack(Entry entry, LocalScheduler site, Instant now) throws LocalSchedulerException {
        if (entry.reservation().isPresent()) {
            try {
                site.cancel(entry.reservation().get());
            } catch (UnknownReservation e) {
                LOG.debug("{} is gone already", entry.key());
            }
        }
        var status = site.find(entry.key());
        if (status.isPresent() && status.get().state().isHeld()) {
            site.cancel(status.get().reservation().id());
            boolean isGone = site.find(entry.key()).map(ReservationStatus::state).stream()
                    .noneMatch(s -> s.isHeld());
            return isGone ? RELEASED : HELD;
        }
        boolean isSure = entry.reservation().isPresent() || status.isPresent() || !now.isBefore(entry.mayArriveUntil());
        return isSure ? RELEASED : WAITING;
    }
}
