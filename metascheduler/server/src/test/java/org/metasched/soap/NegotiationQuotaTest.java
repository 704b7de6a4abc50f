package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Quotas;
import org.w3c.dom.Element;

/** Negotiations of a sender that may have one agreement. */
class NegotiationQuotaTest {

    private static final String SECURITY = PasswordHeader.of("erin", "secret") + "</s:Header>";

    /** The sender is the initiator where the offer names none. */
    private static final Pattern INITIATOR = Pattern.compile("<wsag:AgreementInitiator>.*</wsag:AgreementInitiator>");

    @TempDir
    Path folder;

    private PasswordServer server;
    private HttpClient http;

    @BeforeEach
    void serve() throws Exception {
        var one = new Quotas(new Quotas.Limits(99, 99, 1, 1e9, 9, 1 << 20), Map.of());
        server = PasswordServer.in(
                folder,
                Map.of("erin", 100_000),
                new Authorizer(new AccessPolicy(People.CLOSED, List.of()), one, AuditLog.NONE),
                Clock.systemUTC());
        http = HttpClient.newBuilder().sslContext(server.trust()).build();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anOfferThatNoAgreementMayBeMadeOfIsNotHeld() throws Exception {
        String made = send("NegotiationFactory", NegotiationWireTest.initiateBody(""));
        String negotiation = "Negotiation/" + idIn(made);
        String solicited = solicited(2);
        assertThat(send(negotiation, solicited)).contains("Acceptable");
        int held = server.responder().grid.heldEverywhere();
        String offer = WsagServer.golden("create-agreement.soap12.xml").replace("</s:Header>", SECURITY);
        assertThat(post("AgreementFactory", offer)).contains("CreatedAgreementEPR");

        String refused = send(negotiation, solicited);

        assertThat(refused).contains("Rejected", "as many agreements").doesNotContain("Acceptable");
        assertThat(server.responder().grid.heldEverywhere()).isEqualTo(2 * held);
    }

    @Test
    void anAgreementIsReplacedByALargerOne() throws Exception {
        String golden = WsagServer.golden("create-agreement.soap12.xml").replace("</s:Header>", SECURITY);
        String old = idIn(post("AgreementFactory", golden));
        String negotiation = idIn(send("NegotiationFactory", NegotiationWireTest.initiateBody(old)));
        var answer = XmlTrees.parse("answer", send("Negotiation/" + negotiation, solicited(8)));
        var counter = (Element) answer.getElementsByTagNameNS(XmlNames.NEGOTIATION, "NegotiationCounterOffer")
                .item(0);

        String made = send(
                "AgreementFactory",
                NegotiationWireTest.createBody("CreateAgreement", counter, "larger", "RenegotiationExtension", old));

        assertThat(made).contains("CreatedAgreementEPR");
        assertThat(server.responder().grid.at("fzj").held())
                .singleElement()
                .satisfies(r -> assertThat(r.granted().amount()).isEqualTo(8));
    }

    private static String solicited(int nodes) throws Exception {
        return "<n:NegotiateInput xmlns:n='" + XmlNames.NEGOTIATION + "'>"
                + NegotiationWireTest.offer("1-CO-ALLOCATION", "Solicited", nodes, "") + "</n:NegotiateInput>";
    }

    private static String idIn(String answer) {
        var id = Pattern.compile("services/(?:Negotiation|Agreement)/([a-z0-9-]+)<")
                .matcher(answer);
        assertThat(id.find()).as(answer).isTrue();
        return id.group(1);
    }

    private String send(String service, String body) throws Exception {
        return post(
                service,
                "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Header>" + SECURITY + "<s:Body>"
                        + body + "</s:Body></s:Envelope>");
    }

    private String post(String service, String envelope) throws Exception {
        var request = HttpRequest.newBuilder(server.responder().server.service(service))
                .header("Content-Type", "application/soap+xml")
                .POST(HttpRequest.BodyPublishers.ofString(
                        INITIATOR.matcher(envelope).replaceAll("")))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
