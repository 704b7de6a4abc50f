package org.metasched.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.OfferService.Decision;
import org.metasched.console.ConsoleOffers.Part;
import org.metasched.console.ConsoleOffers.SlotRequest;
import org.metasched.fakes.TestGrid;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.overview.NoDocumentOffers;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;

class ConsoleOffersTest {

    /** The form has no fields for them. */
    @Test
    void aRenegotiationKeepsInitiatorLabelUsersProjectAndPolicy() throws Exception {
        var sent = new AtomicReference<String>("");
        try (var grid = new TestGrid().site("fzj", 8)) {
            var started = grid.start();
            var who = new Requester("CN=alice", List.of("CN=bob"), Optional.of("beam"));
            var hour = new ResourceRequest(new Need.Nodes(2), Duration.ofHours(1), Optional.of(who));
            var plain = grid.offer("o1", List.of(RequestedPart.at("fzj", hour)));
            var old = ((Created) started.service.offer(new AgreementOffer(
                            plain.key(),
                            "Beam time 7",
                            plain.template(),
                            plain.alternatives(),
                            plain.guarantees(),
                            plain.expiration(),
                            plain.document(),
                            plain.acceptance(),
                            Optional.of(OnDegraded.REPLACE))))
                    .agreement();
            var offers = new ConsoleOffers(started.service, new Recorder(sent), Authorizer.OPEN);
            var wish = new SlotRequest(
                    "r1", List.of(new Part("fzj", 4, "")), Duration.ofHours(1), Optional.empty(), Optional.empty());

            offers.offer(wish, Optional.of(old), new Authorizer.Call(Subject.ANONYMOUS, "", ""));

            assertThat(sent.get())
                    .contains(
                            "CN=alice</wsag:AgreementInitiator>",
                            ">Beam time 7</",
                            ">CN=bob</ms:User>",
                            ">beam</ms:Project>",
                            ">replace</ms:Degraded>");
        }
    }

    private static final class Recorder extends NoDocumentOffers {

        private final AtomicReference<String> sent;

        Recorder(AtomicReference<String> sent) {
            this.sent = sent;
        }

        @Override
        public CreationOutcome decide(String document, Authorizer.Call call, Decision<CreationOutcome> decision) {
            sent.set(document);
            return new CreationOutcome.Refused(
                    RefusalCode.BUSY, "Too much to do.", Optional.empty(), NegotiationEffort.NONE);
        }
    }
}
