package org.metasched.soap.introduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.xml.ws.BindingProvider;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.wsag.introduction.DeclinedFault;
import org.metasched.wsag.introduction.Introduce;
import org.metasched.wsag.introduction.MatchedParty;
import org.metasched.wsag.introduction.MatchedPartyService;
import org.metasched.wsag.introduction.RoleType;

/** As any client sees it that has nothing but the WSDL. */
@Timeout(60)
class MatchReceiverTest {

    private final List<MatchNotice> heard = new CopyOnWriteArrayList<>();

    @Test
    void hearsAMatchOnceHoweverOftenItIsTold() throws Exception {
        try (var server = served()) {
            MatchedParty party = party(server);
            Introduce message = message(UUID.randomUUID(), "[ Type = \"Machine\"; Name = \"m\" ]");

            boolean knownAtFirst = party.introduce(message).isKnown();
            var again = party.introduce(message);

            assertThat(knownAtFirst).isFalse();
            assertThat(again.isKnown()).isTrue();
            assertThat(again.getMatch()).isEqualTo(message.getMatch());
            assertThat(heard).hasSize(1);
            assertThat(heard.get(0).preempts()).isFalse();
        }
    }

    @Test
    void aPartyThatIsBothSidesHearsOfEach() throws Exception {
        try (var server = served()) {
            MatchedParty party = party(server);
            Introduce message = message(UUID.randomUUID(), "[ Type = \"Machine\"; Name = \"m\" ]");

            party.introduce(message);
            message.setRole(RoleType.OFFER);
            party.introduce(message);

            assertThat(heard)
                    .extracting(MatchNotice::role)
                    .containsExactly(MatchNotice.Role.CUSTOMER, MatchNotice.Role.OFFER);
        }
    }

    @Test
    void whatIsNoIntroductionIsDeclinedWithAReason() throws Exception {
        try (var server = served()) {
            MatchedParty party = party(server);

            assertThatThrownBy(() -> party.introduce(message(UUID.randomUUID(), "[ Name = ")))
                    .isInstanceOf(DeclinedFault.class)
                    .hasMessageContaining("The ad does not parse: line 1, column");
            Introduce nameless = message(UUID.randomUUID(), "[ ]");
            nameless.setName(" ");
            assertThatThrownBy(() -> party.introduce(nameless)).hasMessageContaining("The name is missing.");
            assertThat(heard).isEmpty();
        }
    }

    private SoapServer served() {
        return SoapServer.onPort(0)
                .service(MatchReceiver.NAME, new MatchReceiver(heard::add))
                .start();
    }

    private static MatchedParty party(SoapServer server) {
        MatchedParty party = new MatchedPartyService().getMatchedPartyPort();
        ((BindingProvider) party)
                .getRequestContext()
                .put(
                        BindingProvider.ENDPOINT_ADDRESS_PROPERTY,
                        server.service(MatchReceiver.NAME).toString());
        return party;
    }

    private static Introduce message(UUID match, String ad) {
        var message = new Introduce();
        message.setMatch(match.toString());
        message.setRole(RoleType.CUSTOMER);
        message.setType("Job");
        message.setName("j");
        message.setAd(ad);
        message.setTicket("secret");
        return message;
    }
}
