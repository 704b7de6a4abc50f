package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Need;
import org.metasched.adapter.Program;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.Compensation;
import org.metasched.agreement.CompensationAssessment;
import org.metasched.agreement.GuaranteeState;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.NegotiationBook.Hold;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.ProgramRun;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.TemplateKey;
import org.metasched.choice.Preference;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.SplitRequest;
import org.metasched.negotiation.TemporalConstraint;

/** Rows as version 1 writes them: a later version reads them, whatever its records look like. */
class StoredJsonTest {

    private static final Instant MORNING = Instant.parse("2026-01-05T08:00:00Z");
    private static final TimeSlot SLOT = TimeSlot.of(MORNING, Duration.ofHours(1));
    private static final OfferDocument DOCUMENT = new OfferDocument("<offer/>");
    private static final Optional<OfferDocument> ACCEPTANCE = Optional.of(new OfferDocument("<epr/>"));

    @Test
    void anAgreementIsWrittenAndReadAsItsGoldenRow() throws IOException {
        String golden = golden("stored-agreement.json");

        assertThat(StoredJson.write(agreement())).isEqualTo(golden);
        assertThat(StoredJson.read(golden, DOCUMENT, ACCEPTANCE)).isEqualTo(agreement());
    }

    @Test
    void aHoldIsWrittenAndReadAsItsGoldenRow() throws IOException {
        String golden = golden("stored-hold.json");
        var hold = hold(Optional.of(otherRequest()));

        assertThat(StoredJson.write(hold)).isEqualTo(golden);
        assertThat(StoredJson.readHold(golden)).isEqualTo(hold);
    }

    @Test
    void aHoldOfBeforeAlternativesWereKeptIsRead() throws IOException {
        assertThat(StoredJson.readHold(golden("stored-hold-without-alternative.json")))
                .isEqualTo(hold(Optional.empty()));
    }

    private static Hold hold(Optional<AgreementRequest> alternative) {
        return new Hold(SLOT, List.of(commitment()), effort(), MORNING.plusSeconds(60), alternative);
    }

    @Test
    void theRequestsOfARefusedOfferAreWrittenAndReadAsTheirGoldenRow() throws IOException {
        String golden = golden("stored-requests.json");

        assertThat(StoredJson.write(List.of(request(), otherRequest()))).isEqualTo(golden);
        assertThat(StoredJson.readRequests(golden)).isEqualTo(List.of(request(), otherRequest()));
    }

    @Test
    void anAgreementWithNothingOptionalIsReadBack() {
        var offer = new AgreementOffer(
                new OfferKey("", "1"),
                "",
                new TemplateKey("t", "1"),
                List.of(new AgreementRequest(
                        List.of(new RequestedPart(
                                "t",
                                "t",
                                Optional.empty(),
                                ResourceRequest.nodes(1, Duration.ofMinutes(1)),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())),
                        Optional.empty(),
                        Optional.empty())),
                List.of(),
                Optional.empty(),
                DOCUMENT,
                Optional.empty(),
                Optional.empty());
        var pending = Agreement.offered(new AgreementId("ag-1"), offer, MORNING);

        assertThat(StoredJson.read(StoredJson.write(pending), DOCUMENT, Optional.empty()))
                .isEqualTo(pending);
    }

    @Test
    void furtherUsersAndAProjectAreReadBack() {
        var shared = new Requester("CN=alice", List.of("CN=bob"), Optional.of("P42"));
        var paid = new Requester("CN=alice", List.of(), Optional.of("P42"));
        var requests = Stream.of(shared, paid)
                .map(who -> new ResourceRequest(new Need.Nodes(1), Duration.ofHours(1), Optional.of(who)))
                .map(need -> new AgreementRequest(
                        List.of(RequestedPart.at("fzj", need)), Optional.empty(), Optional.empty()))
                .toList();

        assertThat(StoredJson.readRequests(StoredJson.write(requests))).isEqualTo(requests);
    }

    @Test
    void aRowOfANewerVersionIsRefusedByItsForm() {
        assertThatThrownBy(() -> StoredJson.read("{\"form\":9,\"agreement\":{\"new\":1}}", DOCUMENT, ACCEPTANCE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("A row of the database was written by a newer version (form 9; this one reads form 1).");
    }

    @Test
    void aDamagedRowIsAnErrorAndNotAnEmptyAgreement() {
        for (String damaged : List.of("", "{", "[]", "{\"form\":1}x", "{\"form\":1,\"agreement\":{\"id\":[]}}")) {
            assertThatThrownBy(() -> StoredJson.read(damaged, DOCUMENT, ACCEPTANCE))
                    .as(damaged)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("A row of the database cannot be read");
        }
    }

    private static Agreement agreement() {
        var offer = new AgreementOffer(
                new OfferKey("CN=alice", "offer-1"),
                "a name",
                new TemplateKey("co-allocation", "1"),
                List.of(request(), otherRequest()),
                List.of(
                        new GuaranteeTerm(
                                "late",
                                List.of("cpu"),
                                Optional.of("a > 1"),
                                Optional.of("b < 2"),
                                List.of(
                                        new Compensation(
                                                Compensation.Kind.PENALTY,
                                                Optional.of(Duration.ofSeconds(10)),
                                                1,
                                                "EUR",
                                                "80"),
                                        new Compensation(Compensation.Kind.REWARD, Optional.empty(), 2, "EUR", "x"))),
                        new GuaranteeTerm("plain", List.of(), Optional.empty(), Optional.empty(), List.of())),
                Optional.of(MORNING.plusSeconds(30)),
                DOCUMENT,
                ACCEPTANCE,
                Optional.of(OnDegraded.RENEGOTIATE));
        return new Agreement(
                new AgreementId("ag-1"),
                offer,
                AgreementState.OBSERVED,
                Optional.of(SLOT),
                List.of(commitment()),
                Map.of("late", GuaranteeState.VIOLATED),
                List.of(
                        new CompensationAssessment(3, GuaranteeState.VIOLATED, 1.5, 2, 160),
                        new CompensationAssessment(0, GuaranteeState.NOT_DETERMINED, 0, 0, 0)),
                effort(),
                Optional.of("a reason"),
                MORNING,
                MORNING.plusSeconds(1),
                7);
    }

    private static NegotiationEffort effort() {
        return new NegotiationEffort(2, 6, 1, Duration.ofMillis(1234));
    }

    private static SiteCommitment commitment() {
        return new SiteCommitment(
                "cpu",
                "cpu",
                new SiteId("fzj"),
                new Reservation(
                        new ReservationId("R1.fzj"),
                        new RequestKey("ms-1"),
                        SLOT,
                        new Need.Nodes(16, 2, new TreeSet<>(List.of("gpu", "ib"))),
                        List.of("n1", "n2")),
                ReservationState.RESERVED,
                List.of("n2"),
                Optional.of(new ProgramRun(
                        program(),
                        Optional.of(new Requester("CN=alice")),
                        "secret",
                        new JobStatus(JobStatus.State.RUNNING, "17", Optional.of(3), "out", "detail"))));
    }

    private static AgreementRequest request() {
        return new AgreementRequest(
                List.of(
                        part("cpu", Optional.of(new SiteId("fzj")), Optional.of(program()), Optional.empty()),
                        part("more", Optional.empty(), Optional.empty(), Optional.of(new SplitRequest(4, 3, 2, 20)))),
                Optional.of(MORNING),
                Optional.of(MORNING.plusSeconds(7200)),
                Preference.START,
                List.of(new TemporalConstraint(
                        "cpu", "more", true, Duration.ofSeconds(5), Optional.of(Duration.ofSeconds(9)))),
                Optional.empty());
    }

    private static AgreementRequest otherRequest() {
        return new AgreementRequest(
                List.of(other("net", new Need.Bandwidth(100)), other("licence", new Need.Licences("matlab", 3))),
                Optional.empty(),
                Optional.empty());
    }

    private static RequestedPart part(
            String term, Optional<SiteId> site, Optional<Program> program, Optional<SplitRequest> split) {
        var request = new ResourceRequest(
                new Need.Nodes(16, 2, new TreeSet<>(List.of("gpu"))),
                Duration.ofMinutes(20),
                Optional.of(new Requester("CN=alice")));
        return new RequestedPart(
                term, term, site, request, Optional.of("TotalNodes >= 64"), Optional.empty(), program, split);
    }

    private static RequestedPart other(String term, Need need) {
        return new RequestedPart(
                term,
                term,
                Optional.empty(),
                new ResourceRequest(need, Duration.ofMinutes(20), Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Program program() {
        return new Program(
                "/bin/echo",
                List.of("a b", "\"q\""),
                Map.of("X", "1"),
                Optional.of("dir"),
                Optional.of("in"),
                Optional.of("out"),
                Optional.of("err"),
                4,
                2,
                Map.of(Program.Limit.CPU_TIME, 60L),
                List.of(new Program.Transfer(
                        "f", Optional.of(URI.create("file:///a")), Optional.empty(), true, false, true)),
                Optional.of(Duration.ofMinutes(1)),
                List.of());
    }

    private static String golden(String name) throws IOException {
        try (var in = StoredJsonTest.class.getResourceAsStream("/golden/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
