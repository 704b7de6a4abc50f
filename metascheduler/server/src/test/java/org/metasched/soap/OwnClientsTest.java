package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementView;
import org.metasched.client.Credentials;
import org.metasched.fakes.AgreementRepositoryContract;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.Quotas;

/** Our own clients at a closed server over TLS. */
class OwnClientsTest {

    @TempDir
    private static Path folder;

    private static DemoAuthority authority;
    private static ChainVerifier chains;
    private static WsagServer server;
    private static ClientCredentials alice;

    @BeforeAll
    static void serve() throws Exception {
        authority = new DemoAuthority(folder, Clock.systemUTC());
        chains = new ChainVerifier(authority.directory());
        server = new WsagServer(closed());
        alice = new ClientCredentials(
                Optional.of(authority.member("alice")), Optional.of(authority.authorities()), Optional.empty());
    }

    private static Authentication closed() throws Exception {
        return new Authentication(
                Optional.of(authority.member("server")),
                Optional.of(chains),
                Optional.empty(),
                Optional.empty(),
                true,
                new Authorizer(new AccessPolicy(People.CLOSED, List.of()), Quotas.NONE, AuditLog.NONE));
    }

    @AfterAll
    static void stop() {
        server.close();
        chains.close();
    }

    @Test
    void theOwnerOfACertificateOffersListsAndEnds() throws Exception {
        var client = client(alice);

        var made = client.create(AgreementClient.offer("offer", offer("by-alice")));

        assertThat(server.agreements.newest(1).get(0).offer().key().initiator())
                .isEqualTo(DemoAuthority.subjectOf("alice"));
        assertThat(client.list()).extracting(AgreementView::agreementId).containsExactly(made.agreementId());
        assertThat(client(bob()).list()).isEmpty();
        assertThat(client.terminate(made.agreementId()).state()).isNotEqualTo(made.state());
    }

    @Test
    void anAgreementIsListedWhateverNumberOfNewerOnesOthersHave() throws Exception {
        try (var busy = new WsagServer(closed())) {
            var client = client(busy, alice);
            var made = client.create(AgreementClient.offer("offer", offer("before-many")));
            var newer = busy.grid.clock.instant().plusSeconds(1);
            for (int i = 0; i < 1200; i++) {
                busy.grid
                        .memory
                        .books()
                        .agreements()
                        .save(Agreement.offered(
                                new AgreementId("other" + i), AgreementRepositoryContract.offer("o" + i), newer));
            }

            assertThat(client.list()).extracting(AgreementView::agreementId).containsExactly(made.agreementId());
            assertThat(client(busy, bob()).list()).isEmpty();
        }
    }

    @Test
    void aCallerWithoutAProofIsToldWhatIsMissing() {
        var nobody = new ClientCredentials(Optional.empty(), Optional.of(authority.authorities()), Optional.empty());

        assertThatThrownBy(() -> client(nobody).list())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it wants a certificate or a token");
    }

    @Test
    void aServerOfOtherAuthoritiesIsNotSpokenTo() throws Exception {
        var other = new DemoAuthority(folder.resolve("other"), Clock.systemUTC());
        var stranger = new ClientCredentials(Optional.empty(), Optional.of(other.authorities()), Optional.empty());

        assertThatThrownBy(() -> client(stranger).list()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> client(ClientCredentials.ANONYMOUS).list()).isInstanceOf(IOException.class);
    }

    private static ClientCredentials bob() throws Exception {
        return new ClientCredentials(
                Optional.of(authority.member("bob")), Optional.of(authority.authorities()), Optional.empty());
    }

    private static AgreementClient client(ClientCredentials caller) {
        return client(server, caller);
    }

    private static AgreementClient client(WsagServer responder, ClientCredentials caller) {
        return new AgreementClient(
                responder.server.base(), Duration.ofSeconds(30), new Credentials(caller.tls(), caller::authorization));
    }

    /** The offer of the golden message, for no named initiator. */
    private static String offer(String id) throws Exception {
        String message = WsagServer.golden("create-agreement.soap12.xml");
        int begin = message.indexOf("<wsag:AgreementOffer");
        int end = message.indexOf("</wsag:AgreementOffer>");
        return message.substring(begin, end)
                        .replace("meta-job-17", id)
                        .replaceFirst("<wsag:AgreementInitiator>[^<]*</wsag:AgreementInitiator>", "")
                        .replaceFirst("<wsag:AgreementOffer", "<wsag:AgreementOffer " + namespaces(message))
                + "</wsag:AgreementOffer>";
    }

    private static String namespaces(String message) {
        var names = new StringBuilder();
        var matcher = java.util.regex.Pattern.compile("xmlns:\\w+=\"[^\"]*\"")
                .matcher(message.substring(0, message.indexOf("<wsag:AgreementOffer")));
        while (matcher.find()) {
            names.append(matcher.group()).append(' ');
        }
        return names.toString();
    }
}
