package org.metasched.adapter.booking;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.SitePlan.Rules;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.slots.ComputeNode;

/** A site with one node, taken from 12:00 to 13:00, whose scheduler may refuse starts that are free in the plan. */
class FreeStartsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void aStartThatIsConfirmedIsTheOnlyQuestion() throws Exception {
        var site = new AskedSite(start -> true);

        assertThat(site.first()).contains(NOW);
        assertThat(site.asked).containsExactly(NOW);
    }

    @Test
    void aRefusedStartIsNotAskedAboutAgainAndTheRestOfItsWindowIs() throws Exception {
        var site = new AskedSite(start -> !start.isBefore(NOW.plus(Duration.ofMinutes(30))));

        assertThat(site.first()).contains(NOW.plus(HOUR));
        assertThat(site.asked).containsExactly(NOW, NOW.plus(HOUR));
    }

    @Test
    void noWindowIsAskedAboutAfterOneThatIsConfirmed() throws Exception {
        var site = new AskedSite(start -> !start.isBefore(at(13)));

        assertThat(site.first()).contains(at(13));
        assertThat(site.asked).containsExactly(NOW, at(11), at(13));
    }

    @Test
    void theWindowsBeginWhereTheSchedulerConfirmsThem() throws Exception {
        var site = new AskedSite(start -> !start.isBefore(at(16)));

        assertThat(site.freeWindows(request(), new TimeSlot(NOW, at(20))).starts())
                .containsExactly(new StartInterval(at(17), at(20)));
        assertThat(site.asked).containsExactly(NOW, at(11), at(13), at(14), at(15), at(17));
    }

    @Test
    void aRangeThatEndsAtTheSoonestStartHasThatStart() throws Exception {
        var site = new AskedSite(start -> true);

        assertThat(site.freeWindows(request(), new TimeSlot(NOW.minusSeconds(60), NOW))
                        .starts())
                .containsExactly(new StartInterval(NOW, NOW));
    }

    @Test
    void aSchedulerThatRefusesAllIsAskedFewTimes() throws Exception {
        var site = new AskedSite(start -> false);

        assertThat(site.first()).isEmpty();
        assertThat(site.asked).hasSizeLessThan(15);
    }

    private static Instant at(int hour) {
        return NOW.plus(HOUR.multipliedBy(hour - 10));
    }

    private static ResourceRequest request() {
        return ResourceRequest.nodes(1, HOUR);
    }

    private static final class AskedSite extends BookingScheduler {

        private final Predicate<Instant> confirmed;
        private final List<Instant> asked = new ArrayList<>();

        AskedSite(Predicate<Instant> confirmed) {
            this(confirmed, YamlSettings.parse("site.yaml", "type: none"));
        }

        private AskedSite(Predicate<Instant> confirmed, Settings settings) {
            super(
                    CommandLineSite.from(
                            new SiteId("fzj"),
                            settings,
                            Clock.fixed(NOW, ZoneOffset.UTC),
                            new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofSeconds(1))),
                    BookingRules.from(settings, Duration.ZERO),
                    settings);
            this.confirmed = confirmed;
        }

        Optional<Instant> first() throws Exception {
            return earliestStart(request(), NOW);
        }

        @Override
        protected SitePlan plan(Need.Nodes need, TimeSlot span) {
            return SitePlan.builder(
                            previewWindow(), Rules.PLAIN, commandLineSite().times(), NOW)
                    .node(new ComputeNode("n0", 4, Set.of()))
                    .reservation(
                            SitePlan.Share.whole(List.of("n0")),
                            new TimeSlot(FreeStartsTest.at(12), FreeStartsTest.at(13)))
                    .build();
        }

        @Override
        public LoadReporting.SiteLoad load() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected boolean confirms(Need.Nodes need, TimeSlot slot) {
            asked.add(slot.start());
            return confirmed.test(slot.start());
        }

        @Override
        protected void book(BookingRequest booking, SitePlan plan) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected List<SchedulerReservation> lookUp(RequestKey key) {
            return List.of();
        }

        @Override
        protected Optional<SchedulerReservation> lookUp(ReservationId id) {
            return Optional.empty();
        }

        @Override
        protected void release(ReservationId id) {
            throw new UnsupportedOperationException();
        }
    }
}
