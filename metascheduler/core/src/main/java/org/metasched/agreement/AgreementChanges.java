package org.metasched.agreement;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Saves changes of agreements together with their history and with what listeners write, and notifies the listeners. Thread-safe. */
public final class AgreementChanges {

    private static final Logger LOG = LoggerFactory.getLogger(AgreementChanges.class);

    private final AgreementBooks books;
    private final Clock clock;
    private final List<AgreementListener> listeners = new CopyOnWriteArrayList<>();

    public AgreementChanges(AgreementBooks books, Clock clock) {
        this.books = books;
        this.clock = clock;
    }

    /**
     * A change of state.
     *
     * @param journalChange a change of the {@link org.metasched.negotiation.ReservationJournal} in the same transaction, before the save
     */
    public record Change(Agreement before, Agreement next, Runnable journalChange) {}

    /** Registers a listener. Listeners are called in the order of their registration. */
    public void onChange(AgreementListener listener) {
        listeners.add(listener);
    }

    /** Saves a change of state and notifies the listeners. */
    public Agreement save(Agreement before, Agreement next) {
        return save(before, next, () -> {});
    }

    /** Saves a change of state together with a {@link Change#journalChange} in one transaction, and notifies the listeners. */
    public Agreement save(Agreement before, Agreement next, Runnable journalChange) {
        return save(new Change(before, next, journalChange)).get(0);
    }

    /** Saves changes in one transaction, then notifies the listeners of each. */
    public List<Agreement> save(Change... changes) {
        var saved = books.transactions()
                .inTransaction(() -> Stream.of(changes).map(this::write).toList());
        IntStream.range(0, changes.length).forEach(i -> announce(changes[i].before.state(), saved.get(i)));
        return saved;
    }

    private Agreement write(Change change) {
        change.journalChange.run();
        listeners.forEach(listener -> listener.changing(change.before.state(), change.next));
        return record(change.before, change.next);
    }

    /** Stores a refused offer of which there is no agreement, together with what listeners write. */
    public void refuse(RefusedOffer offer) {
        books.transactions().inTransaction(() -> {
            books.history().refuse(offer);
            listeners.forEach(listener -> listener.refused(offer));
        });
    }

    /** Saves an agreement with its history. Of the listeners' methods only {@link AgreementListener#recorded} is called. */
    public Agreement record(Agreement before, Agreement next) {
        return books.transactions().inTransaction(() -> {
            var saved = books.agreements().save(next);
            books.history().record(saved.id(), AgreementEvent.between(before, saved));
            listeners.forEach(listener -> listener.recorded(before, saved));
            return saved;
        });
    }

    /** Changes the state of the newest version of an agreement; tries again if another change came first. */
    public Agreement saveNewest(AgreementId id, AgreementState next, String reason) {
        while (true) {
            var current = books.agreements().find(id).orElseThrow();
            try {
                return save(current, current.become(next, reason, clock.instant()));
            } catch (StaleAgreementException e) {
                LOG.debug("Agreement {} changed meanwhile; once more", id);
            }
        }
    }

    private void announce(AgreementState before, Agreement after) {
        var next = after.state();
        LOG.info("Agreement {}: {} to {}", after.id(), before.term(), next.term());
        listeners.forEach(listener -> listener.changed(before, after));
    }
}
