package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.agreement.AgreementEvent;
import org.metasched.client.AcceptanceListener;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.NegotiationConstraint;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.metasched.client.ReceivedCounterOffer;
import org.metasched.client.ReceivedCounterOffer.State;
import org.metasched.client.xml.XmlNames;
import org.metasched.http.OutboundPolicy;
import org.metasched.trust.ClientCredentials;
import org.w3c.dom.Document;

/** The client library against a whole responder: each thing that it can do. */
class ClientWireTest {

    private final WsagServer responder = new WsagServer();
    private final AgreementClient client = responder.client();

    @AfterEach
    void stop() {
        responder.close();
    }

    @Test
    void fromTheTemplateToTheEndOfTheAgreementAndItsMemory() throws Exception {
        var made = client.create(offer("first", 4));

        assertThat(made.state()).isEqualTo("Observed");
        assertThat(client.show(made.agreementId())).isEqualTo(made);
        assertThat(client.document(made.agreementId()).text()).contains("AgreementProperties", "RESOURCE_1");
        assertThat(client.property(made.agreementId(), XmlNames.WSAG, "ServiceTermState"))
                .hasSize(3);
        assertThat(client.query(made.agreementId(), "//wsag:ServiceTermState/@wsag:termName"))
                .containsExactly("RESOURCE_1", "RESOURCE_2", "TIME_CONSTRAINT");
        assertThat(client.query(made.agreementId(), "//wsag:AgreementState/wsag:State"))
                .singleElement()
                .asString()
                .contains("Observed");
        assertThat(client.list()).containsExactly(made);
        assertThat(client.terminate(made.agreementId()).state()).isEqualTo("Terminated");
        assertThat(client.history(made.agreementId()))
                .extracting(AgreementEvent::kind)
                .contains(AgreementEvent.Kind.OFFER);
        client.rememberUntil(made.agreementId(), responder.grid.nowPlus("P1D"));
        client.destroy(made.agreementId());
        assertThatThrownBy(() -> client.show(made.agreementId()))
                .isInstanceOfSatisfying(
                        AgreementFaultException.class, e -> assertThat(e.code()).isEqualTo("AGREEMENT_UNKNOWN"));
    }

    @Test
    void aPendingOffersInitiatorIsCalledBack() throws Exception {
        try (var acceptances = AcceptanceListener.listen(
                        new InetSocketAddress("127.0.0.1", 0), "http://127.0.0.1:PORT/decisions");
                var calls =
                        new AcceptanceCalls(responder.grid.memory, OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS)) {
            responder.making.changes().onChange(calls);
            var yes = acceptances.expect();
            var no = acceptances.expect();
            responder.grid.at("fzj").busy(responder.grid.nowPlus("P1D"), responder.grid.nowPlus("P8D"), 64);

            var granted = client.createPending(offer("granted", 4), yes);
            assertThat(yes.accepted().get(30, TimeUnit.SECONDS)).isTrue();
            responder.grid.at("fzj").busy(responder.grid.nowPlus("PT0S"), responder.grid.nowPlus("P1D"), 64);
            client.createPending(offer("refused", 4), no);

            assertThat(no.accepted().get(30, TimeUnit.SECONDS)).isFalse();
            assertThat(client.show(granted.agreementId()).state()).isEqualTo("Observed");
        }
    }

    @Test
    void aNegotiationAsksHoldsGivesBackAndIsAccepted() throws Exception {
        try (var negotiation = client.negotiate()) {
            assertThat(negotiation.advise(offer("a", 4)).state()).isEqualTo(State.ADVISORY);
            assertThat(responder.grid.heldEverywhere()).isZero();
            var held = negotiation.solicit(offer("b", 4), Optional.of(responder.grid.nowPlus("PT10M")));
            assertThat(held.state()).isEqualTo(State.ACCEPTABLE);
            assertThat(held.until()).contains(responder.grid.nowPlus("PT10M"));
            assertThat(held.slots()).extracting(s -> s.site()).containsExactly("fzj", "scai");
            assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
            negotiation.reject(held);
            assertThat(responder.grid.heldEverywhere()).isZero();
            assertThat(negotiation.solicit(offer("c", 65), Optional.empty()).reason())
                    .get()
                    .asString()
                    .contains("must be at most 64");

            var late = new NegotiationConstraint(
                    "Late",
                    "//t:StartTime",
                    "minInclusive",
                    responder.grid.nowPlus("PT2H").toString(),
                    true);
            assertThat(negotiation.negotiate(
                            offer("late", 4), State.SOLICITED, Optional.empty(), Optional.empty(), List.of(late)))
                    .get()
                    .extracting(ReceivedCounterOffer::state)
                    .isEqualTo(State.REJECTED);
            assertThat(responder.grid.heldEverywhere()).isZero();

            var answer = negotiation.solicit(offer("d", 4), Optional.empty());
            var made = negotiation.accept(answer);

            assertThat(made.state()).isEqualTo("Observed");
            assertThat(made.start()).contains(answer.slots().get(0).start());
            assertThat(negotiation.accept(answer).agreementId()).isEqualTo(made.agreementId());
        }
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
    }

    @Test
    void aRunningAgreementIsReplacedByALargerOne() throws Exception {
        var old = client.create(offer("old", 4));
        try (var negotiation = client.renegotiate(old.agreementId())) {
            var larger = negotiation.accept(negotiation.solicit(offer("larger", 8), Optional.empty()));

            assertThat(larger.state()).isEqualTo("Observed");
            assertThat(larger.sites().get(0).amount()).isEqualTo(8);
            assertThat(client.show(old.agreementId()).state()).isEqualTo("Terminated");
        }
    }

    private Document offer(String id, int nodes) throws Exception {
        var parts = List.of(part("fzj", nodes), part("scai", nodes));
        return OfferWriter.write(
                AgreementClient.keyOf(client.templates().get(0)),
                new OfferContent(
                        id,
                        "",
                        parts,
                        Duration.ofHours(1),
                        Optional.of(responder.grid.nowPlus("PT1H")),
                        Optional.of(responder.grid.nowPlus("PT3H"))));
    }

    private static Part part(String site, int nodes) {
        return new Part(
                Optional.of(site), Optional.empty(), new Need.Nodes(Math.min(nodes, site.equals("scai") ? 32 : 65)));
    }
}
