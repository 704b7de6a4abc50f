package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.AgreementView;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.fakes.FakeSite;
import org.w3c.dom.Document;

/** The services through our own client: every message crosses HTTP. */
class AgreementOverTheWireTest {

    private static final TemplateKey TEMPLATE = new TemplateKey(CoAllocationTemplate.NAME, CoAllocationTemplate.ID);

    private static WsagServer responder;
    private static AgreementClient client;

    @BeforeAll
    static void serve() {
        responder = new WsagServer();
        client = responder.client();
    }

    @AfterAll
    static void stop() {
        responder.close();
    }

    @Test
    void reservesTwoSitesForOneSlot() throws Exception {
        var made = client.create(offer("two-sites", part("fzj", 16), part("scai", 8)));

        assertThat(made.state()).isEqualTo("Observed");
        assertThat(made.start()).contains(responder.grid.clock.instant());
        assertThat(made.sites()).extracting(AgreementView.SiteView::site).containsExactly("fzj", "scai");
        assertThat(made.sites()).extracting(AgreementView.SiteView::amount).containsExactly(16, 8);
        assertThat(made.calls()).isPositive();
        assertThat(client.show(made.agreementId())).isEqualTo(made);
        assertThat(client.list()).contains(made);
    }

    @Test
    void takesAnOfferThatRepeatsTheTemplate() throws Exception {
        var template = client.templates().get(0);

        var offer = new String(template.text())
                .replace("wsag:Template ", "wsag:AgreementOffer wsag:AgreementId=\"as-it-is\" ")
                .replaceFirst("wsag:TemplateId=\"1\"", "")
                .replaceFirst("(?s)<wsag:CreationConstraints>.*", "</wsag:AgreementOffer>");
        var made = client.create(AgreementClient.offer("template", offer));

        assertThat(AgreementClient.keyOf(template)).isEqualTo(TEMPLATE);
        assertThat(made.state()).isEqualTo("Observed");
        assertThat(made.sites()).extracting(AgreementView.SiteView::amount).containsExactly(1, 1);
    }

    @Test
    void answersARepeatedOfferWithTheFirstAgreement() throws Exception {
        var offer = offer("repeated", part("fzj", 2));
        var first = client.create(offer);
        int held = responder.grid.heldEverywhere();

        var second = client.create(offer);

        assertThat(second.agreementId()).isEqualTo(first.agreementId());
        assertThat(responder.grid.heldEverywhere()).isEqualTo(held);
    }

    @Test
    void refusesAnAgreementIdThatNamedAnotherOffer() throws Exception {
        client.create(offer("taken", part("fzj", 2)));

        assertFault("AGREEMENT_ID_TAKEN", offer("taken", part("fzj", 3)));
    }

    @Test
    void endsAnAgreementAndGivesEverythingBack() throws Exception {
        var made = client.create(offer("to-end", part("fzj", 4), part("scai", 4)));
        int held = responder.grid.heldEverywhere();

        var ended = client.terminate(made.agreementId());

        assertThat(ended.state()).isEqualTo("Terminated");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(held - 2);
        assertThatThrownBy(() -> client.terminate(made.agreementId()))
                .isInstanceOfSatisfying(
                        AgreementFaultException.class, e -> assertThat(e.code()).isEqualTo("AGREEMENT_FINAL"));
    }

    @Test
    void decidesAPendingOfferLater() throws Exception {
        var pending = client.createPending(offer("pending", part("scai", 3)));

        org.awaitility.Awaitility.await()
                .until(() -> client.show(pending.agreementId()).state().equals("Observed"));

        assertThat(client.show(pending.agreementId()).sites()).hasSize(1);
    }

    /** By its processes it says what it needs, and leaves open where; nobody chooses sites here. */
    @Test
    void understandsAParallelJobThatNamesNoResources() throws Exception {
        var job = "<jsdl:JobDefinition><jsdl:JobDescription><jsdl:Application><p:SPMDApplication xmlns:p=\""
                + XmlNames.JSDL_SPMD
                + "\"><p:NumberOfProcesses>8</p:NumberOfProcesses><p:ProcessesPerHost>4</p:ProcessesPerHost>"
                + "</p:SPMDApplication></jsdl:Application></jsdl:JobDescription></jsdl:JobDefinition>";
        var offer = WsagServer.golden("create-agreement.soap12.xml")
                .replace("meta-job-17", "parallel")
                .replaceFirst("(?s)<jsdl:JobDefinition>.*?</jsdl:JobDefinition>", job);

        assertThat(responder.post("AgreementFactory", offer).body()).contains("NO_MATCHING_SITE");
        assertThat(responder
                        .post("AgreementFactory", offer.replace("NumberOfProcesses", "Processes"))
                        .body())
                .contains("OFFER_INVALID", "it asks for Processes, which no site here does");
        assertThat(responder
                        .post("AgreementFactory", offer.replaceAll("<p:NumberOfProcesses>.*</p:NumberOfProcesses>", ""))
                        .body())
                .contains("OFFER_INVALID", "it names neither resources");
    }

    @Test
    void handsOnCoresPropertiesSecondsAndTheInitiator() throws Exception {
        var need = new Need.Nodes(2, 8, new TreeSet<>(List.of("infiniband")));
        var content = new OfferContent(
                "details",
                "CN=Alice,O=Grid",
                List.of(new Part(Optional.of("fzj"), Optional.empty(), need)),
                Duration.ofSeconds(90),
                Optional.of(responder.grid.nowPlus("PT1H")),
                Optional.of(responder.grid.nowPlus("PT3H")));

        var made = client.create(OfferWriter.write(TEMPLATE, content));

        var understood = responder
                .agreements
                .find(new AgreementId(made.agreementId()))
                .orElseThrow()
                .offer();
        var request = understood.alternatives().get(0).parts().get(0).request();
        assertThat(request.need()).isEqualTo(need);
        assertThat(request.duration()).isEqualTo(Duration.ofSeconds(90));
        assertThat(request.requester()).contains(new Requester("CN=Alice,O=Grid"));
        assertThat(made.start()).contains(responder.grid.nowPlus("PT1H"));
        assertThat(understood.key().initiator()).isEqualTo("CN=Alice,O=Grid");
    }

    @Test
    void anOfferSaysWhatIsDoneWhenNodesAreLostBeforeTheSlot() throws Exception {
        var made = client.create(degraded("d1", "renegotiate"));

        assertThat(responder
                        .agreements
                        .find(new AgreementId(made.agreementId()))
                        .orElseThrow()
                        .offer()
                        .onDegraded())
                .contains(OnDegraded.RENEGOTIATE);
        assertFault("OFFER_INVALID", degraded("d2", "pray"));
    }

    private Document degraded(String id, String word) throws Exception {
        return edited(
                offer(id, part("fzj", 1)),
                x -> x.replace(
                        "</wsag:Context>",
                        "<Degraded xmlns='urn:metasched:agreement:1'>" + word + "</Degraded></wsag:Context>"));
    }

    @Test
    void saysInACodeWhyAnOfferIsRefusedAndLeavesNothingBehind() throws Exception {
        int held = responder.grid.heldEverywhere();
        Instant now = responder.grid.clock.instant();

        assertFault("SITE_UNKNOWN", offer("r1", part("julich-x", 1)));
        assertFault("OFFER_INVALID", within(offer("r2", part("fzj", 65)), now, now.plusSeconds(7200)));
        responder.grid.at("fzj").busy(now, now.plusSeconds(7200), 1);
        var full = within(offer("r2", part("fzj", 64)), now, now.plusSeconds(7200));
        assertFault("NO_COMMON_SLOT", full);
        var explained = edited(
                full, x -> x.replace("</wsag:Context>", "<Explain xmlns='urn:metasched:agreement:1'/></wsag:Context>"));
        assertThatThrownBy(() -> client.create(explained))
                .isInstanceOfSatisfying(
                        AgreementFaultException.class,
                        e -> assertThat(e.descriptions())
                                .anyMatch(text ->
                                        text.startsWith("Nearest (fewer): 63 nodes at fzj instead of 64; from ")));
        assertFault("TOO_LATE", within(offer("r3", part("fzj", 1)), now.minusSeconds(7200), now.plusSeconds(7200)));
        assertFault(
                "TEMPLATE_UNKNOWN",
                edited(offer("r4", part("fzj", 1)), x -> x.replace("TemplateId>1<", "TemplateId>7<")));
        assertFault("OFFER_INVALID", edited(offer("r5", part("fzj", 1)), x -> x.replace("Exact>1<", "Exact>0<")));
        assertFault(
                "OFFER_INVALID", edited(offer("r6", part("fzj", 1)), x -> x.replace("Exact>1<", "Exact>2000000000<")));
        assertFault("OFFER_INVALID", edited(offer("r7", part("fzj", 1)), x -> x.replace("Exact>1<", "Exact>2.5<")));
        assertFault(
                "OFFER_INVALID",
                edited(
                        within(offer("r8", part("fzj", 1)), now, now.plusSeconds(7200)),
                        x -> x.replace("Z</t:StartTime", "</t:StartTime")));
        responder.grid.at("scai").down(true);
        assertFault("ADAPTER_DOWN", offer("r9", part("fzj", 1), part("scai", 1)));
        responder.grid.at("scai").down(false);

        assertThat(responder.grid.heldEverywhere()).isEqualTo(held);
    }

    @Test
    void reportsEverythingThatBreaksTheTemplateAtOnce() {
        var offer = edited(
                offer("many", part("nowhere", 1)),
                x -> x.replace("Exact>1<", "Exact>0<").replace("Duration>60<", "Duration>-3<"));

        assertThatThrownBy(() -> client.create(offer))
                .isInstanceOfSatisfying(
                        AgreementFaultException.class,
                        e -> assertThat(e.descriptions())
                                .anyMatch(d -> d.contains("item Site") && d.contains("nowhere"))
                                .anyMatch(d -> d.contains("item Nodes") && d.contains("0"))
                                .anyMatch(d -> d.contains("item Minutes") && d.contains("-3")));
    }

    @Test
    void keepsWhatItDoesNotUnderstandInTheContext() throws Exception {
        var offer = edited(
                offer("kept", part("fzj", 1)),
                x -> x.replace(
                        "</wsag:Context>",
                        "<x:Project xmlns:x=\"urn:x\" xmlns:u=\"urn:u\" unit=\"u:flow\">Meta<!-- sic"
                                + " -->Trace</x:Project></wsag:Context>"));

        var made = client.create(offer);

        var context = responder
                .post("Agreement/" + made.agreementId(), property("wsag:Context"))
                .body();
        assertThat(context).contains("urn:u", "unit=\"u:flow\"", "Meta").contains("Project");
    }

    @Test
    void survivesASiteThatLosesItsAnswer() throws Exception {
        responder.grid.at("scai").next(FakeSite.Mishap.LOSE_ANSWER);

        var made = client.create(offer("lossy", part("fzj", 1), part("scai", 1)));

        assertThat(made.state()).isEqualTo("Observed");
    }

    @Test
    void saysThatNobodyAnswers() {
        var nobody = new AgreementClient(URI.create("http://127.0.0.1:1"), Duration.ofSeconds(2));

        assertThatThrownBy(nobody::templates).isInstanceOf(IOException.class).hasMessageContaining("gave no answer");
    }

    @Test
    void knowsNoAgreementOfAnotherName() {
        assertThatThrownBy(() -> client.show("ag-unknown"))
                .isInstanceOfSatisfying(
                        AgreementFaultException.class, e -> assertThat(e.code()).isEqualTo("AGREEMENT_UNKNOWN"));
    }

    static String property(String name) {
        return "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\" xmlns:wsag=\"" + XmlNames.WSAG
                + "\"><s:Body>"
                + "<rp:GetResourceProperty xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\">" + name
                + "</rp:GetResourceProperty></s:Body></s:Envelope>";
    }

    private static void assertFault(String code, Document offer) {
        assertThatThrownBy(() -> client.create(offer))
                .isInstanceOfSatisfying(
                        AgreementFaultException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    private static Part part(String site, int nodes) {
        return new Part(Optional.of(site), Optional.empty(), new Need.Nodes(nodes));
    }

    private static Document offer(String id, Part... parts) {
        return OfferWriter.write(
                TEMPLATE,
                new OfferContent(id, "", List.of(parts), Duration.ofHours(1), Optional.empty(), Optional.empty()));
    }

    private static Document within(Document offer, Instant start, Instant end) {
        return edited(
                offer,
                x -> x.replace(
                        "<t:Duration>",
                        "<t:StartTime>" + start + "</t:StartTime><t:EndTime>" + end + "</t:EndTime><t:Duration>"));
    }

    private static Document edited(Document offer, UnaryOperator<String> edit) {
        return AgreementClient.offer("edited", edit.apply(XmlTrees.print(offer)));
    }
}
