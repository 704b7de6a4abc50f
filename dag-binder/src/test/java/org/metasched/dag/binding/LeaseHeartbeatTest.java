package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchLeases;

class LeaseHeartbeatTest {

    @Test
    void theLeaseIsRenewedAgainAndAgainEvenAfterAStoreDidNotAnswer() throws Exception {
        var renewals = new CountDownLatch(5);
        var own = UUID.randomUUID();
        MatchLeases leases = new MatchLeases() {
            @Override
            public Optional<UUID> acquire(LeaseRequest request) {
                return Optional.empty();
            }

            @Override
            public boolean renew(UUID lease) {
                assertThat(lease).isEqualTo(own);
                renewals.countDown();
                throw new UncheckedIOException(new IOException("silent"));
            }

            @Override
            public boolean commit(UUID lease) {
                return true;
            }

            @Override
            public boolean release(UUID lease) {
                return false;
            }
        };

        try (var heart = new LeaseHeartbeat(leases, own, Duration.ofMillis(1))) {
            assertThat(renewals.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
