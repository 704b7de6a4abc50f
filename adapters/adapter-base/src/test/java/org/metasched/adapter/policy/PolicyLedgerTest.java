package org.metasched.adapter.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.TimeSlot;
import org.metasched.durable.FullDiskContract;

class PolicyLedgerTest extends FullDiskContract {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

    @Override
    protected Keeper open(Path folder) {
        var ledger = PolicyLedger.open(Optional.of(folder.resolve("ledger")), NOW);
        return new Keeper() {
            @Override
            public void change(int number) {
                ledger.put(grant(number));
            }

            @Override
            public List<Integer> changes() {
                assertThat(ledger.usage().grants())
                        .allSatisfy(one -> assertThat(one).isEqualTo(grant(Integer.parseInt(one.key()))));
                return ledger.usage().grants().stream()
                        .map(one -> Integer.valueOf(one.key()))
                        .toList();
            }

            @Override
            public void close() {
                ledger.close();
            }
        };
    }

    /** As of two callers who use a key at the same time. */
    @Test
    void aGrantThatItsKeyHasAlreadyIsNotJudgedAgain() throws Exception {
        try (var ledger = PolicyLedger.open(Optional.empty(), NOW)) {
            ledger.put(grant(1));

            assertThat(ledger.putUnless(usage -> Optional.of("none is left"), grant(1)))
                    .isEmpty();
            assertThat(ledger.putUnless(usage -> Optional.of("none is left"), grant(2)))
                    .contains("none is left");
        }
    }

    private static GrantedUsage.Grant grant(int number) {
        var slot = new TimeSlot(NOW.plusSeconds(number), NOW.plusSeconds(3600));
        return new GrantedUsage.Grant(
                Integer.toString(number), "id " + number, "CN=Jörg", "grid", "a/b", 2, slot, false);
    }
}
