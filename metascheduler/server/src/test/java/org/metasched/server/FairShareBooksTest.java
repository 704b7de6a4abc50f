package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.AccountantStore;
import org.metasched.classad.cycle.SubmitterStanding;

class FairShareBooksTest {

    @Test
    void aLookWritesNothingAndAChangeIsWritten() {
        var store = new CountingStore();
        var books = new FairShareBooks(new Accountant(Duration.ofDays(1), Clock.systemUTC(), store));
        books.change(accountant -> accountant.setFactor("alice", 10));

        var standings = books.standings();

        assertThat(standings).extracting(SubmitterStanding::factor).containsExactly(10.0);
        assertThat(store.saves).isOne();
    }

    private static final class CountingStore implements AccountantStore {
        private List<SubmitterStanding> stored = List.of();
        private int saves;

        @Override
        public List<SubmitterStanding> load() {
            return stored;
        }

        @Override
        public void save(Collection<SubmitterStanding> standings) {
            stored = new ArrayList<>(standings);
            saves++;
        }
    }
}
