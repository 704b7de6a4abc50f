package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.wss4j.common.WSS4JConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.client.xml.XmlNames;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.MessageVerifier;
import org.metasched.trust.PasswordFile;
import org.metasched.trust.Quotas;
import org.metasched.trust.ReplayCache;

/** Negotiations of a sender that may have one agreement. */
class NegotiationQuotaTest {

    private static final String SECURITY = "<w:Security s:mustUnderstand='true' xmlns:w='" + WSS4JConstants.WSSE_NS
            + "'><w:UsernameToken><w:Username>erin</w:Username><w:Password Type='" + WSS4JConstants.PASSWORD_TEXT
            + "'>secret</w:Password></w:UsernameToken></w:Security></s:Header>";

    /** The sender is the initiator where the offer names none. */
    private static final Pattern INITIATOR = Pattern.compile("<wsag:AgreementInitiator>.*</wsag:AgreementInitiator>");

    @TempDir
    Path folder;

    private WsagServer responder;
    private HttpClient http;

    @BeforeEach
    void serve() throws Exception {
        var clock = Clock.systemUTC();
        var authority = new DemoAuthority(folder.resolve("pki"), clock);
        var passwords = new PasswordFile(
                Files.writeString(folder.resolve("passwords"), PasswordFile.line("erin", "secret", 100_000) + "\n"));
        responder = new WsagServer(new Authentication(
                Optional.of(authority.member("server")),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new MessageVerifier(
                        Optional.empty(), Optional.of(passwords), ReplayCache.inThisProcess(clock), clock)),
                true,
                new Authorizer(
                        new AccessPolicy(People.CLOSED, List.of()),
                        new Quotas(new Quotas.Limits(99, 99, 1, 1e9, 9, 1 << 20), Map.of()),
                        AuditLog.NONE)));
        http = HttpClient.newBuilder()
                .sslContext(
                        new ClientCredentials(Optional.empty(), Optional.of(authority.authorities()), Optional.empty())
                                .tls()
                                .orElseThrow())
                .build();
    }

    @AfterEach
    void stop() {
        responder.close();
    }

    @Test
    void anOfferThatNoAgreementMayBeMadeOfIsNotHeld() throws Exception {
        String made = send("NegotiationFactory", NegotiationWireTest.initiateBody(""));
        var id = Pattern.compile("services/Negotiation/([a-z0-9-]+)<").matcher(made);
        assertThat(id.find()).as(made).isTrue();
        String solicited = "<n:NegotiateInput xmlns:n='" + XmlNames.NEGOTIATION + "'>"
                + NegotiationWireTest.offer("1-CO-ALLOCATION", "Solicited", 2, "") + "</n:NegotiateInput>";
        assertThat(send("Negotiation/" + id.group(1), solicited)).contains("Acceptable");
        int held = responder.grid.heldEverywhere();
        String offer = WsagServer.golden("create-agreement.soap12.xml").replace("</s:Header>", SECURITY);
        assertThat(post("AgreementFactory", offer)).contains("CreatedAgreementEPR");

        String refused = send("Negotiation/" + id.group(1), solicited);

        assertThat(refused).contains("Rejected", "as many agreements").doesNotContain("Acceptable");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2 * held);
    }

    private String send(String service, String body) throws Exception {
        return post(
                service,
                "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Header>" + SECURITY + "<s:Body>"
                        + body + "</s:Body></s:Envelope>");
    }

    private String post(String service, String envelope) throws Exception {
        var request = HttpRequest.newBuilder(responder.server.service(service))
                .header("Content-Type", "application/soap+xml")
                .POST(HttpRequest.BodyPublishers.ofString(
                        INITIATOR.matcher(envelope).replaceAll("")))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
