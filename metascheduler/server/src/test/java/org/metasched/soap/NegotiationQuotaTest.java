package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.metasched.client.xml.XmlNames;
import org.metasched.fakes.TestGrid;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AccessRule;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Quotas;
import org.metasched.trust.Role;

/** Negotiations of a sender that may have one agreement. */
class NegotiationQuotaTest {

    private static Authentication oneAgreementEach() {
        var all = new AccessRule("all", true, Set.of(Role.ANONYMOUS, Role.USER), List.of("*"), Optional.empty());
        var guard = new Authorizer(
                new AccessPolicy(People.CLOSED, List.of(all)),
                new Quotas(new Quotas.Limits(99, 99, 1, 1e9, 9, 1 << 20), Map.of()),
                AuditLog.NONE);
        return new Authentication(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false, guard);
    }

    @Test
    void anOfferThatNoAgreementMayBeMadeOfIsNotHeld() throws Exception {
        try (var responder = new WsagServer(new TestGrid().site("fzj", 64).site("scai", 32), oneAgreementEach())) {
            String made =
                    NegotiationWireTest.send(responder, "NegotiationFactory", NegotiationWireTest.initiateBody(""));
            var id = Pattern.compile("services/Negotiation/([a-z0-9-]+)<").matcher(made);
            assertThat(id.find()).as(made).isTrue();
            String solicited = "<n:NegotiateInput xmlns:n='" + XmlNames.NEGOTIATION + "'>"
                    + NegotiationWireTest.offer("1-CO-ALLOCATION", "Solicited", 2, "") + "</n:NegotiateInput>";
            assertThat(NegotiationWireTest.send(responder, "Negotiation/" + id.group(1), solicited))
                    .contains("Acceptable");
            int held = responder.grid.heldEverywhere();
            String offer = WsagServer.golden("create-agreement.soap12.xml")
                    .replaceFirst("<wsag:AgreementInitiator>.*</wsag:AgreementInitiator>", "");
            assertThat(responder.post("AgreementFactory", offer).body()).contains("CreatedAgreementEPR");

            String refused = NegotiationWireTest.send(responder, "Negotiation/" + id.group(1), solicited);

            assertThat(refused).contains("Rejected", "as many agreements").doesNotContain("Acceptable");
            assertThat(responder.grid.heldEverywhere()).isEqualTo(2 * held);
        }
    }
}
