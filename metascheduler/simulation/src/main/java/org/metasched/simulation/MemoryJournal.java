package org.metasched.simulation;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.negotiation.ReservationJournal;
import org.metasched.negotiation.SiteReservation;

/** The journal of a run, which has nothing to survive: in memory, each change {@code O(1)} a key. Thread-safe. */
final class MemoryJournal implements ReservationJournal {

    private final Map<RequestKey, Entry> entries = new LinkedHashMap<>();

    @Override
    public synchronized void intend(List<Intent> intents) {
        for (var intent : intents) {
            if (entries.containsKey(intent.key())) {
                throw new IllegalStateException("The request key (" + intent.key() + ") was used before.");
            }
        }
        for (var intent : intents) {
            entries.put(
                    intent.key(),
                    new Entry(intent.key(), intent.site(), Standing.INTENDED, Optional.empty(), intent.at()));
        }
    }

    @Override
    public synchronized void granted(List<SiteReservation> reservations) {
        for (var made : reservations) {
            change(
                    made.reservation().key(),
                    Standing.GRANTED,
                    Optional.of(made.reservation().id()),
                    Instant.MIN);
        }
    }

    @Override
    public synchronized void keep(List<SiteReservation> reservations) {
        for (var made : reservations) {
            var entry = entries.get(made.reservation().key());
            if (entry == null || entry.standing() == Standing.STRANDED) {
                throw new IllegalStateException(
                        "The reservation " + made.reservation().key() + " cannot be kept.");
            }
        }
        for (var made : reservations) {
            change(
                    made.reservation().key(),
                    Standing.KEPT,
                    Optional.of(made.reservation().id()),
                    Instant.MIN);
        }
    }

    @Override
    public synchronized void strand(Collection<RequestKey> keys, Instant mayArriveUntil) {
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
    public synchronized List<Entry> stranded(int limit) {
        return entries.values().stream()
                .filter(entry -> entry.standing() == Standing.STRANDED)
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized int strandUnfinished(Instant mayArriveUntil) {
        var unfinished = entries.values().stream()
                .filter(entry -> entry.standing() == Standing.INTENDED || entry.standing() == Standing.GRANTED)
                .map(Entry::key)
                .toList();
        strand(unfinished, mayArriveUntil);
        return unfinished.size();
    }

    /** How many reservations are under way or held. */
    synchronized int size() {
        return entries.size();
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
