package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.overview.AdvertisedAds.SiteAd;

class CollectorViewTest {

    private static final Instant EARLY = Instant.parse("2026-01-05T08:00:00Z");

    private Instant now = EARLY;
    private final InMemoryCollector collector = new InMemoryCollector(new Clock() {
        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    });
    private final CollectorView view = new CollectorView(collector);

    @Test
    void theNewestAdSpeaksForASiteUnderWhateverName() throws Exception {
        advertise("[MyType=\"Machine\"; Name=\"fzj\"; CurMatches=3; MaxMatches=10]");
        now = EARLY.plusSeconds(60);
        advertise("[MyType=\"Machine\"; Name=\"queue@fzj\"; Site=\"fzj\"; MaxMatches=4]");
        advertise("[MyType=\"Machine\"; Name=\"scai\"; CurMatches=1; MaxMatches=2]");

        assertThat(view.newestBySite())
                .isEqualTo(Map.of(
                        "fzj", new SiteAd(now, Optional.empty(), Optional.of(4L)),
                        "scai", new SiteAd(now, Optional.of(1L), Optional.of(2L))));
    }

    @Test
    void anAdWithoutMatchesIsCountedButSpeaksForNoSite() throws Exception {
        advertise("[MyType=\"License\"; Name=\"matlab\"]");
        advertise("[MyType=\"Machine\"; Name=\"fzj\"; MaxMatches=\"many\"]");
        advertise("[MyType=\"Machine\"; Name=\"scai\"; MaxMatches=2]");

        assertThat(view.newestBySite()).containsOnlyKeys("scai");
        assertThat(view.countByType().values()).containsExactly(1L, 2L);
    }

    private void advertise(String ad) throws Exception {
        collector.advertise(ClassAd.parse(ad));
    }
}
