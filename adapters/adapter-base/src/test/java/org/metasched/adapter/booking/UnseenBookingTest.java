package org.metasched.adapter.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.slots.ComputeNode;

/** A command that can no longer be started after a booking or change does not mean that nothing was done. */
class UnseenBookingTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final RequestKey KEY = new RequestKey("R1");

    @ParameterizedTest
    @ValueSource(strings = {"misconfigured", "refused"})
    void aBookingThatCannotBeLookedUpMayHaveHappened(String how) {
        var site = new FailingSite();
        site.afterwards = how.equals("refused") ? new Refused("qstat: no") : new Misconfigured("qstat is missing");

        var failure = catchThrowableOfType(
                LocalSchedulerException.class, () -> site.reserve(KEY, ResourceRequest.nodes(1, HOUR), NOW));

        assertThat(failure).isInstanceOf(Unreachable.class).hasMessageContaining("qstat");
    }

    @Test
    void soMayARefusedBookingThatCannotBeLookedUp() {
        var site = new FailingSite();
        site.answer = Optional.of(new Refused("qrsub: exit code 1"));
        site.afterwards = new Misconfigured("qstat is missing");

        assertThat(catchThrowableOfType(
                        LocalSchedulerException.class, () -> site.reserve(KEY, ResourceRequest.nodes(1, HOUR), NOW)))
                .isInstanceOf(Unreachable.class);
    }

    @Test
    void aBookingThatCannotBeGivenBackIsHeld() {
        var site = new FailingSite();
        site.granted = 2;

        assertThat(catchThrowableOfType(
                        LocalSchedulerException.class, () -> site.reserve(KEY, ResourceRequest.nodes(1, HOUR), NOW)))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("qdel is missing");
    }

    @Test
    void aChangeThatCannotBeReadBackMayHaveHappened() throws Exception {
        var site = new FailingSite();
        var made = site.reserve(KEY, ResourceRequest.nodes(1, HOUR), NOW);
        site.afterwards = new Misconfigured("qstat is missing");

        assertThat(catchThrowableOfType(
                        LocalSchedulerException.class,
                        () -> site.change(made.id(), ResourceRequest.nodes(2, HOUR), NOW)))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("qstat is missing");
    }

    /** A site of two nodes whose listing fails after a booking or change. */
    private static final class FailingSite extends ChangingScheduler {

        private Optional<Refused> answer = Optional.empty();
        private LocalSchedulerException afterwards = new Unreachable("unused");
        private int granted = 1;
        private boolean isBooked;
        private boolean fails;

        FailingSite() {
            this(YamlSettings.parse("site.yaml", "type: none"));
        }

        private FailingSite(Settings settings) {
            super(
                    CommandLineSite.from(
                            new SiteId("fzj"),
                            settings,
                            Clock.fixed(NOW, ZoneOffset.UTC),
                            new CommandLineSite.Defaults(ZoneOffset.UTC, Duration.ofSeconds(1))),
                    BookingRules.from(settings, Duration.ZERO),
                    settings);
        }

        @Override
        protected SitePlan plan(Need.Nodes need, TimeSlot span) {
            return planBuilder(SitePlan.Rules.PLAIN, NOW)
                    .node(new ComputeNode("n0", 4, Set.of()))
                    .node(new ComputeNode("n1", 4, Set.of()))
                    .build();
        }

        @Override
        protected void book(BookingRequest booking, SitePlan plan) throws LocalSchedulerException {
            isBooked = true;
            fails = !(afterwards instanceof Unreachable);
            if (answer.isPresent()) {
                throw answer.get();
            }
        }

        @Override
        protected void checkChange(Reservation held, Need.Nodes need, TimeSlot slot) {
            // It would make any change.
        }

        @Override
        protected void update(Reservation held, Need.Nodes need, TimeSlot slot) {
            fails = true;
        }

        @Override
        protected List<SchedulerReservation> lookUp(RequestKey key) throws LocalSchedulerException {
            return lookUp(new ReservationId("1")).stream().toList();
        }

        @Override
        protected Optional<SchedulerReservation> lookUp(ReservationId id) throws LocalSchedulerException {
            if (fails) {
                throw afterwards;
            }
            var reservation = new Reservation(
                    id,
                    KEY,
                    new TimeSlot(NOW, NOW.plus(HOUR)),
                    new Need.Nodes(granted),
                    List.of("n0", "n1").subList(0, granted));
            return isBooked
                    ? Optional.of(new SchedulerReservation(
                            new ReservationStatus(ReservationState.RESERVED, reservation, List.of(), "")))
                    : Optional.empty();
        }

        @Override
        protected void release(ReservationId id) throws LocalSchedulerException {
            throw new Misconfigured("qdel is missing");
        }

        @Override
        public LoadReporting.SiteLoad load() {
            throw new UnsupportedOperationException();
        }
    }
}
