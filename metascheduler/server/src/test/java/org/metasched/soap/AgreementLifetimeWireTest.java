package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementLifetime;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.client.xml.XmlNames;

/** WS-ResourceLifetime of agreements, as messages. The slot of each agreement is the next hour. */
class AgreementLifetimeWireTest {

    private static final String PROPERTIES =
            "<p:GetMultipleResourceProperties xmlns:p=\"http://docs.oasis-open.org/wsrf/rp-2\" "
                    + "xmlns:l=\"" + XmlNames.LIFETIME + "\"><p:ResourceProperty>l:CurrentTime</p:ResourceProperty>"
                    + "<p:ResourceProperty>l:TerminationTime</p:ResourceProperty></p:GetMultipleResourceProperties>";

    private final WsagServer responder = new WsagServer();

    @AfterEach
    void stop() {
        responder.close();
    }

    @Test
    void oneThatLivesIsNotDestroyedAndKeepsItsReservations() throws Exception {
        var made = made("o1");

        assertThat(ask(made, "<l:Destroy/>"))
                .contains("ResourceNotDestroyedFault", "AGREEMENT_NOT_FINAL", "is Observed", "Terminate ends it");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(1);
        assertThat(responder.agreements.find(made.id())).isPresent();
    }

    @Test
    void oneThatHasEndedIsDestroyedOnce() throws Exception {
        var made = made("o1");
        responder.agreements.end(made.id(), "no longer needed");

        assertThat(ask(made, "<l:Destroy/>")).contains("DestroyResponse");

        assertThat(responder.agreements.find(made.id())).isEmpty();
        assertThat(ask(made, "<l:Destroy/>")).contains("ResourceUnknownFault", "AGREEMENT_UNKNOWN");
    }

    @Test
    void theTerminationTimeIsNilUntilItIsKnown() throws Exception {
        var made = made("o1");

        assertThat(ask(made, PROPERTIES))
                .containsPattern("CurrentTime[^>]*>2026-01-05T08:00:00Z<")
                .containsPattern("TerminationTime[^>]*nil=\"true\"");
        responder.agreements.end(made.id(), "no longer needed");
        assertThat(ask(made, PROPERTIES)).containsPattern("TerminationTime[^>]*>2026-04-05T08:00:00Z<");
    }

    @Test
    void aTerminationTimeIsSetAndShownAndHonoured() throws Exception {
        var made = made("o1");

        assertThat(ask(made, time("2026-01-06T08:00:00Z")))
                .contains("NewTerminationTime>2026-01-06T08:00:00Z<")
                .containsPattern("CurrentTime[^>]*>2026-01-05T08:00:00Z<");
        assertThat(ask(made, PROPERTIES)).containsPattern("TerminationTime[^>]*>2026-01-06T08:00:00Z<");

        var lifetime = new AgreementLifetime(responder.grid.memory, responder.grid.clock, Duration.ofDays(90));
        responder.grid.clock.advance(Duration.ofDays(2));
        assertThat(lifetime.forget()).as("it lives").isZero();
        responder.agreements.end(made.id(), "no longer needed");
        assertThat(lifetime.forget()).isEqualTo(1);
    }

    @Test
    void aLifetimeIsCountedFromNow() throws Exception {
        var asked =
                "<l:SetTerminationTime><l:RequestedLifetimeDuration>P1D</l:RequestedLifetimeDuration></l:SetTerminationTime>";

        assertThat(ask(made("o1"), asked)).contains("NewTerminationTime>2026-01-06T08:00:00Z<");
    }

    @Test
    void timesThatCannotBeKeptAreRefused() throws Exception {
        var made = made("o1");
        var nil = "<l:SetTerminationTime><l:RequestedTerminationTime "
                + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:nil=\"true\"/></l:SetTerminationTime>";
        var long1 = "<l:SetTerminationTime><l:RequestedLifetimeDuration>P999999999D</l:RequestedLifetimeDuration>"
                + "</l:SetTerminationTime>";

        for (var wish : List.of(
                time("2026-01-05T08:30:00Z"), time("2020-01-01T00:00:00Z"), time("3026-01-01T00:00:00Z"), nil, long1)) {
            assertThat(ask(made, wish))
                    .as(wish)
                    .contains("TerminationTimeChangeRejectedFault", "TIME_REJECTED")
                    .doesNotContain("SERVICE_FAILED");
        }
        assertThat(ask(made, PROPERTIES)).contains("nil=\"true\"");
    }

    private Agreement made(String id) throws Exception {
        var parts = List.of(RequestedPart.at("fzj", ResourceRequest.nodes(2, Duration.ofHours(1))));
        var offer = responder.grid.offer(id, parts);
        return ((Created) responder.agreements.offer(offer)).agreement();
    }

    private static String time(String when) {
        return "<l:SetTerminationTime><l:RequestedTerminationTime>" + when
                + "</l:RequestedTerminationTime></l:SetTerminationTime>";
    }

    private String ask(Agreement agreement, String body) throws Exception {
        return responder
                .post(
                        "Agreement/" + agreement.id(),
                        "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\" xmlns:l=\"" + XmlNames.LIFETIME
                                + "\"><s:Body>" + body + "</s:Body></s:Envelope>")
                .body();
    }
}
