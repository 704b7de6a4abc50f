package org.metasched.negotiation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;

class GrantCheckTest {

    private static final Instant START = Instant.parse("2026-01-05T08:00:30Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Need FOUR = new Need.Nodes(4, 2, new TreeSet<>(Set.of("myrinet")));

    @Test
    void whatWasAskedIsAccepted() {
        assertThat(check(TimeSlot.of(START, HOUR), FOUR)).isEmpty();
    }

    @Test
    void theGridIntervalThatCoversTheSlotIsAcceptedAndNoMore() {
        var covering = new TimeSlot(START.minusSeconds(30), START.plus(HOUR).plusSeconds(30));

        assertThat(check(covering, FOUR)).isEmpty();
        assertThat(check(new TimeSlot(START.minusSeconds(90), covering.end()), FOUR))
                .hasValueSatisfying(s -> assertThat(s).contains("grid"));
        assertThat(check(new TimeSlot(covering.start(), covering.end().plusSeconds(60)), FOUR))
                .isPresent();
    }

    @Test
    void aLaterStartOrAnEarlierEndIsNotAccepted() {
        assertThat(check(TimeSlot.of(START.plusSeconds(1), HOUR), FOUR)).isPresent();
        assertThat(check(TimeSlot.of(START, HOUR.minusSeconds(1)), FOUR)).isPresent();
    }

    @Test
    void moreIsAcceptedAndLessIsNot() {
        var slot = TimeSlot.of(START, HOUR);

        assertThat(check(slot, new Need.Nodes(5, 4, new TreeSet<>(Set.of("myrinet", "big")))))
                .isEmpty();
        assertThat(check(slot, new Need.Nodes(3, 2, new TreeSet<>(Set.of("myrinet")))))
                .isPresent();
        assertThat(check(slot, new Need.Nodes(4, 1, new TreeSet<>(Set.of("myrinet")))))
                .isPresent();
        assertThat(check(slot, new Need.Nodes(4, 2, new TreeSet<>()))).isPresent();
        assertThat(check(slot, new Need.Bandwidth(4))).isPresent();
    }

    @Test
    void licencesMustBeOfTheApplicationAskedFor() {
        var asked = new ResourceRequest(new Need.Licences("amber", 2), HOUR, Optional.empty());

        assertThat(GrantCheck.objection(
                        asked, START, MINUTE, held(TimeSlot.of(START, HOUR), new Need.Licences("amber", 2))))
                .isEmpty();
        assertThat(GrantCheck.objection(
                        asked, START, MINUTE, held(TimeSlot.of(START, HOUR), new Need.Licences("abaqus", 2))))
                .isPresent();
    }

    @Test
    void namedNodesMustBeEnoughAndDifferent() {
        var twice = held(TimeSlot.of(START, HOUR), FOUR, "n1", "n2", "n3", "n3");

        assertThat(GrantCheck.objection(new ResourceRequest(FOUR, HOUR, Optional.empty()), START, MINUTE, twice))
                .hasValueSatisfying(s -> assertThat(s).contains("names 3 nodes instead of 4"));
    }

    private static Optional<String> check(TimeSlot slot, Need granted) {
        return GrantCheck.objection(
                new ResourceRequest(FOUR, HOUR, Optional.empty()), START, MINUTE, held(slot, granted));
    }

    private static Reservation held(TimeSlot slot, Need granted, String... nodes) {
        return new Reservation(new ReservationId("R1"), new RequestKey("k"), slot, granted, List.of(nodes));
    }
}
