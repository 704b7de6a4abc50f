package org.metasched.server;

import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.SubmitterStanding;

/** The books of fair share. One cycle, or one change, uses them at a time. Thread-safe. */
record FairShareBooks(Accountant accountant) {

    /** Reads the books from the store, then runs work on them, alone. */
    synchronized <T> T during(Supplier<T> work) {
        accountant.reload();
        return work.get();
    }

    /** The standings of submitters as the store has them, the next to be served first. */
    List<SubmitterStanding> standings() {
        return during(this::inOrder);
    }

    /** Changes the books durably, not during a cycle, and returns the standings after the change. */
    List<SubmitterStanding> change(Consumer<Accountant> change) {
        return during(() -> {
            change.accept(accountant);
            accountant.save();
            return inOrder();
        });
    }

    private List<SubmitterStanding> inOrder() {
        return accountant.standings().stream()
                .sorted(Comparator.comparingDouble(SubmitterStanding::priority))
                .toList();
    }
}
