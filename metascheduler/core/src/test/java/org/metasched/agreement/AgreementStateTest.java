package org.metasched.agreement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.negotiation.ReservationJournal.Standing;

class AgreementStateTest {

    @Test
    void finalStatesLeadNowhereAndTheOthersDo() {
        for (var state : AgreementState.values()) {
            assertThat(Arrays.stream(AgreementState.values()).noneMatch(state::mayBecome))
                    .as(state.term())
                    .isEqualTo(state.isFinal());
        }
    }

    @Test
    void anObservedAgreementIsNeverRejected() {
        assertThat(AgreementState.OBSERVED.mayBecome(AgreementState.REJECTED)).isFalse();
        assertThat(AgreementState.OBSERVED.mayBecome(AgreementState.TERMINATED)).isFalse();
    }

    @Test
    void statesAreFoundByTheSpecificationsNamesAndByOurs() {
        assertThat(AgreementState.named("ObservedAndTerminating")).contains(AgreementState.OBSERVED_AND_TERMINATING);
        assertThat(AgreementState.named("observed_and_terminating")).contains(AgreementState.OBSERVED_AND_TERMINATING);
        assertThat(AgreementState.named("Observing")).isEmpty();
    }

    @Test
    void anEdgeThatIsNotThereIsOurMistakeAndNamesBothEnds() {
        var offer = new AgreementOffer(
                new OfferKey("", "1"),
                "",
                new TemplateKey("T", "1"),
                List.of(new AgreementRequest(
                        List.of(RequestedPart.at("fzj", ResourceRequest.nodes(1, Duration.ofHours(1)))),
                        Optional.empty(),
                        Optional.empty())),
                List.of(),
                Optional.empty(),
                OfferDocument.NONE,
                Optional.empty());
        var pending = Agreement.offered(new AgreementId("a1"), offer, Instant.EPOCH);

        assertThatThrownBy(() -> pending.become(AgreementState.COMPLETE, "", Instant.EPOCH))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Agreement a1 is Pending and cannot become Complete.");
    }

    /** Run with {@code -Dmetasched.write=true} to draw it anew. */
    @Test
    void thePictureOfTheStatesIsFresh() throws IOException {
        var picture = Path.of(System.getProperty("metasched.root"), "docs", "states.md");
        String drawn = drawing();
        if (Boolean.getBoolean("metasched.write")) {
            Files.writeString(picture, drawn);
        }

        assertThat(picture)
                .as("docs/states.md; -Dmetasched.write=true draws it anew")
                .hasContent(drawn);
    }

    private static String drawing() {
        return """
                # States

                Drawn from the enums by `AgreementStateTest`; do not edit. Each enum owns its edges (`mayBecome`), and code that
                takes another one fails.

                ## Agreement

                The names and edges of WS-Agreement (GFD.107, errata GFD.192). An agreement is monitored while it is `Observed`
                or `ObservedAndTerminating`.

                """
                + picture(
                        AgreementState.values(),
                        AgreementState::term,
                        AgreementState::mayBecome,
                        s -> s == AgreementState.PENDING || s == AgreementState.OBSERVED,
                        AgreementState::isFinal)
                + """

                ## Service term

                One for each service description term; for an advance reservation: its slot is ahead, open, past.

                """
                + picture(
                        ServiceTermState.values(),
                        ServiceTermState::term,
                        ServiceTermState::mayBecome,
                        s -> s == ServiceTermState.NOT_READY,
                        s -> s == ServiceTermState.COMPLETED)
                + """

                ## Guarantee term

                `NotDetermined`, `Fulfilled` and `Violated` may follow each other freely. `ReservationKept` is `Violated` when a
                reservation in the guarantee's scope was lost, or runs on fewer nodes than agreed; after the slot the last state stands.

                ## Reservation at a site

                """
                + picture(
                        ReservationState.values(),
                        ReservationState::name,
                        ReservationState::mayBecome,
                        s -> s == ReservationState.RESERVED,
                        s -> !s.isHeld())
                + """

                ## Journal entry

                An entry is written before a site is asked: `INTENDED`. The site's confirmation makes it `GRANTED`, an agreement
                `KEPT`. The sweeper gives back what is `STRANDED`. An entry is forgotten when nothing is held under its key any more.

                """
                + picture(
                        Standing.values(),
                        Standing::name,
                        Standing::mayBecome,
                        s -> s == Standing.INTENDED,
                        s -> s == Standing.STRANDED || s == Standing.KEPT || s == Standing.INTENDED);
    }

    private static <S> String picture(
            S[] states, Function<S, String> name, BiPredicate<S, S> mayBecome, Predicate<S> first, Predicate<S> last) {
        var text = new StringBuilder("```mermaid\nstateDiagram-v2\n");
        for (S state : states) {
            if (first.test(state)) {
                text.append("    [*] --> ").append(name.apply(state)).append('\n');
            }
            for (S next : states) {
                if (mayBecome.test(state, next)) {
                    text.append("    ")
                            .append(name.apply(state))
                            .append(" --> ")
                            .append(name.apply(next))
                            .append('\n');
                }
            }
            if (last.test(state)) {
                text.append("    ").append(name.apply(state)).append(" --> [*]\n");
            }
        }
        return text.append("```\n").toString();
    }
}
