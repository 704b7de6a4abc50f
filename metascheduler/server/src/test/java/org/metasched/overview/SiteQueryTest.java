package org.metasched.overview;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.fakes.TestGrid;

class SiteQueryTest {

    private final TestGrid grid = new TestGrid().site("fzj", 4);

    @AfterEach
    void close() {
        grid.close();
    }

    /** No agreement tells of the jobs of a site's own users. */
    @Test
    void windowsOfAFixedTimeAreAskedForAgainAfterSomeMinutes() throws Exception {
        var started = grid.start();
        var time = new AtomicLong();
        grid.at("fzj").listsWindows();
        var query = new SiteQuery(started.calls, new NoAds(), time::get);
        var whole = new ResourceRequest(new Need.Nodes(4), Duration.ofHours(1), Optional.empty());
        var begin = grid.clock.instant().plus(Duration.ofHours(10));
        var slot = new TimeSlot(begin, begin.plus(Duration.ofHours(1)));
        assertThat(free(query, whole, slot)).isNotEmpty();
        var site = started.calls.directory().get(query.sites().get(0));
        site.reserve(new RequestKey("local"), whole, begin);
        assertThat(free(query, whole, slot)).isNotEmpty();

        time.addAndGet(Duration.ofMinutes(11).toNanos());

        assertThat(free(query, whole, slot)).isEmpty();
    }

    private static List<?> free(SiteQuery query, ResourceRequest request, TimeSlot slot) throws InterruptedException {
        var shown = query.snapshots(query.sites(), Optional.of(slot), Optional.empty(), site -> Optional.of(request));
        return shown.get(0).free().orElseThrow().stream()
                .filter(starts -> starts.earliest().isBefore(slot.end()))
                .toList();
    }

    private static final class NoAds implements AdvertisedAds {

        @Override
        public List<Ad> find(String type, String constraint, List<String> projection, int most) {
            return List.of();
        }

        @Override
        public Map<String, SiteAd> newestBySite() {
            return Map.of();
        }

        @Override
        public Map<String, Long> countByType() {
            return Map.of();
        }
    }
}
