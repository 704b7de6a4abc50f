package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;

class HeartbeatTest {

    @Test
    void theLeaseIsRenewedAgainAndAgainEvenAfterACountDidNotAnswer() throws Exception {
        var renewals = new CountDownLatch(5);
        SiteClaims claims = new SiteClaims() {
            @Override
            public String where() {
                return "file:///x";
            }

            @Override
            public List<ClassAd> counted(List<ClassAd> siteAds) {
                return siteAds;
            }

            @Override
            public Optional<String> take(ClassAd siteAd, String holder, int nodes) {
                return Optional.empty();
            }

            @Override
            public boolean renew(String match) throws IOException {
                assertThat(match).isEqualTo("m");
                renewals.countDown();
                throw new IOException("silent");
            }

            @Override
            public boolean settle(String match, boolean keep) {
                return keep;
            }
        };

        try (var heart = new Heartbeat(claims, "m", Duration.ofMillis(1))) {
            assertThat(renewals.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
