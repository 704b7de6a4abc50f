package org.metasched.server;

import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.SubmitterStanding;

/** The books of fair share, which one cycle or one change has to itself at a time. Thread-safe. */
final class FairShareBooks {

    private final Accountant accountant;

    FairShareBooks(Accountant accountant) {
        this.accountant = accountant;
    }

    /** Works with the books as the store has them. */
    synchronized <T> T during(Supplier<T> work) {
        accountant.reload();
        return work.get();
    }

    /** How submitters stand, as the store has it, the next to be served first. */
    List<SubmitterStanding> standings() {
        return change(books -> {});
    }

    /** Changes the books between two cycles, durably, and tells how submitters stand then. */
    List<SubmitterStanding> change(Consumer<Accountant> change) {
        return during(() -> {
            List<SubmitterStanding> before = accountant.standings();
            change.accept(accountant);
            if (!accountant.standings().equals(before)) {
                accountant.save();
            }
            return accountant.standings().stream()
                    .sorted(Comparator.comparingDouble(SubmitterStanding::priority))
                    .toList();
        });
    }
}
