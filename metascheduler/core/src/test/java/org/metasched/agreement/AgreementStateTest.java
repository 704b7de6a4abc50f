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
                Optional.empty(),
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

                `AgreementStateTest` draws this page from the Java enums; do not edit it. An arrow is a permitted change (`mayBecome`);
                code that makes another one fails.

                ## Agreement

                The states and transitions of WS-Agreement (GFD.107, errata GFD.192). The server polls the sites of an agreement while
                it is `Observed` or `ObservedAndTerminating`.

                """
                + picture(
                        AgreementState.values(),
                        AgreementState::term,
                        AgreementState::mayBecome,
                        s -> s == AgreementState.PENDING || s == AgreementState.OBSERVED,
                        AgreementState::isFinal)
                + """

                ## Service term

                The state of each service description term. For an advance reservation: `NotReady` before its slot, `Ready` in it,
                `Completed` after it.

                """
                + picture(
                        ServiceTermState.values(),
                        ServiceTermState::term,
                        ServiceTermState::mayBecome,
                        s -> s == ServiceTermState.NOT_READY,
                        s -> s == ServiceTermState.COMPLETED)
                + """

                ## Guarantee term

                `NotDetermined`, `Fulfilled` and `Violated` may follow each other in any order. The promise
                [`ReservationKept`](ws-agreement.md#promises-penalties-and-rewards) is `Violated` when a reservation in its scope was lost
                or has fewer nodes than agreed; after the slot it keeps its last state.

                ## Reservation at a site

                The site holds the reservation while it is `RESERVED` (before its slot) or `ACTIVE` (in it). `CANCELLED` is one that was
                given up or lost.

                """
                + picture(
                        ReservationState.values(),
                        ReservationState::name,
                        ReservationState::mayBecome,
                        s -> s == ReservationState.RESERVED,
                        s -> !s.isHeld())
                + """

                ## Journal entry

                The server writes an entry, `INTENDED`, before it asks a site for a reservation. The site's confirmation makes it `GRANTED`;
                it is `KEPT` once an agreement has the reservation. A reservation without an agreement is `STRANDED`: the
                [sweeper](operations.md#release-of-stranded-reservations) releases it. The entry is deleted when the site holds nothing
                under its key any more.

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
