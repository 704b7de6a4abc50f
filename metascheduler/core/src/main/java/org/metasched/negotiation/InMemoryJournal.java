package org.metasched.negotiation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;

/**
 * A journal that ends with its process, for programs that embed a grid and for tests. A crash loses it, so a server keeps its journal in a
 * database. Thread-safe, by one lock. A call takes time linear in the entries that it names; {@link #orphans}, {@link #decided} and
 * {@link #orphanUnfinished}, in all.
 */
public final class InMemoryJournal implements ReservationJournal {

    private final Map<RequestKey, Entry> entries = new LinkedHashMap<>();
    private final Map<RequestKey, Change> changes = new LinkedHashMap<>();

    @Override
    public synchronized void intend(List<Intent> intents) {
        var keys = new HashSet<RequestKey>();
        for (var intent : intents) {
            if (entries.containsKey(intent.key()) || !keys.add(intent.key())) {
                throw new IllegalStateException("The request key (" + intent.key() + ") was used before.");
            }
        }
        for (var intent : intents) {
            var entry = new Entry(intent.key(), intent.site(), Standing.INTENDED, Optional.empty(), intent.at());
            entries.put(intent.key(), entry);
        }
    }

    @Override
    public synchronized void granted(List<SiteReservation> reservations) {
        reservations.forEach(held -> change(held, Standing.GRANTED));
    }

    @Override
    public synchronized void keep(List<SiteReservation> reservations) {
        for (var held : reservations) {
            var entry = entries.get(held.reservation().key());
            if (entry == null || entry.standing() == Standing.STRANDED) {
                throw new IllegalStateException(
                        "The reservation " + held.reservation().key() + " cannot be kept: it is being given back.");
            }
        }
        reservations.forEach(held -> change(held, Standing.KEPT));
    }

    @Override
    public synchronized void orphan(Collection<RequestKey> keys, Instant mayArriveUntil) {
        keys.forEach(key -> change(key, Standing.STRANDED, Optional.empty(), mayArriveUntil));
    }

    @Override
    public synchronized void released(Collection<RequestKey> keys) {
        keys.forEach(entries::remove);
    }

    @Override
    public synchronized List<Entry> find(Collection<RequestKey> keys) {
        return keys.stream().filter(entries::containsKey).map(entries::get).toList();
    }

    @Override
    public synchronized List<Entry> orphans(int limit) {
        return entries.values().stream()
                .filter(entry -> entry.standing() == Standing.STRANDED)
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized int orphanUnfinished(Instant mayArriveUntil) {
        var unfinished = entries.values().stream()
                .filter(entry -> entry.standing() == Standing.INTENDED || entry.standing() == Standing.GRANTED)
                .map(Entry::key)
                .toList();
        orphan(unfinished, mayArriveUntil);
        changes.replaceAll((key, change) -> change.standing() == ChangeStanding.WIDENED
                ? new Change(change.target(), ChangeStanding.DECIDED, mayArriveUntil)
                : change);
        return unfinished.size();
    }

    @Override
    public synchronized void widen(List<SiteReservation> before, Instant at) {
        var widened = before.stream()
                .map(held -> new Change(held, ChangeStanding.WIDENED, at))
                .toList();
        if (widened.stream().anyMatch(change -> changes.containsKey(change.key()))) {
            throw new IllegalStateException("One of the reservations " + before + " is being changed already.");
        }
        widened.forEach(change -> changes.put(change.key(), change));
    }

    @Override
    public synchronized boolean advance(List<Change> next) {
        var open = next.stream()
                .filter(change -> changes.containsKey(change.key())
                        && changes.get(change.key()).standing() != ChangeStanding.DECIDED)
                .toList();
        open.forEach(change -> changes.put(change.key(), change));
        return open.size() == next.size();
    }

    @Override
    public synchronized List<Change> changes(Collection<RequestKey> keys) {
        return keys.stream().filter(changes::containsKey).map(changes::get).toList();
    }

    @Override
    public synchronized List<Change> decided(int limit) {
        return changes.values().stream()
                .filter(change -> change.standing() == ChangeStanding.DECIDED)
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized void forgetChanges(Collection<RequestKey> keys) {
        keys.forEach(changes::remove);
    }

    /** Everything in the journal, oldest first. */
    public synchronized List<Entry> entries() {
        return new ArrayList<>(entries.values());
    }

    /** Another journal with the same entries and changes, such as to roll a failed transaction back. */
    public synchronized InMemoryJournal copy() {
        var copy = new InMemoryJournal();
        copy.entries.putAll(entries);
        copy.changes.putAll(changes);
        return copy;
    }

    private void change(SiteReservation held, Standing next) {
        change(held.reservation().key(), next, Optional.of(held.reservation().id()), Instant.MIN);
    }

    private void change(RequestKey key, Standing next, Optional<ReservationId> id, Instant until) {
        entries.computeIfPresent(
                key,
                (k, entry) -> new Entry(
                        k,
                        entry.site(),
                        entry.standing().mayBecome(next) ? next : entry.standing(),
                        entry.reservation().or(() -> id),
                        entry.mayArriveUntil().isAfter(until) ? entry.mayArriveUntil() : until));
    }
}
