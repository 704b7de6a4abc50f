package org.metasched.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.choice.Preference;

class OfferFormTest {

    /** Else a renegotiation by the form would lose what the form does not show. */
    @Test
    void aRequestWithARankOrAnotherPreferenceFitsNoForm() {
        var hour = Duration.ofHours(1);
        assertThat(form(Optional.empty(), Preference.START, hour)).isPresent();
        assertThat(form(Optional.of("Memory"), Preference.START, hour)).isEmpty();
        assertThat(form(Optional.empty(), Preference.COST, hour)).isEmpty();
        assertThat(form(Optional.empty(), Preference.START, hour.plusSeconds(30)))
                .isEmpty();
    }

    private static Optional<ConsoleOffers.SlotRequest> form(
            Optional<String> rank, Preference preference, Duration duration) {
        var part = new RequestedPart(
                "t",
                "s",
                Optional.empty(),
                new ResourceRequest(new Need.Nodes(2), duration, Optional.empty()),
                Optional.of("true"),
                rank,
                Optional.empty(),
                Optional.empty());
        var request = new AgreementRequest(
                List.of(part), Optional.empty(), Optional.empty(), preference, List.of(), Optional.empty());
        return OfferForm.like(request, Instant.EPOCH);
    }
}
