package org.metasched.example.agreement;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.metasched.adapter.Need;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.AcceptanceListener;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.AgreementView;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.w3c.dom.Document;

/** Two nodes for half an hour at two sites: agreed at once, agreed later, negotiated, renegotiated, and each given back. */
public final class Main {

    private final AgreementClient client;
    private final List<String> sites;
    private final PrintStream out;
    private final TemplateKey template;

    Main(URI server, List<String> sites, PrintStream out) throws AgreementFaultException, IOException {
        this.client = new AgreementClient(server, Duration.ofMinutes(2));
        this.sites = sites;
        this.out = out;
        this.template = AgreementClient.keyOf(client.templates().get(0));
        out.println("template " + template.name() + " " + template.id());
    }

    /** @param arguments the server's address, and the sites */
    public static void main(String[] arguments) throws Exception {
        new Main(URI.create(arguments[0]), List.of(arguments).subList(1, arguments.length), System.out).run();
    }

    void run() throws Exception {
        agree();
        waitForTheDecision();
        negotiate();
    }

    private void agree() throws AgreementFaultException, IOException {
        var agreement = client.create(offer(2));
        show("agreed", agreement);
        show("ended", client.terminate(agreement.agreementId()));
        out.println("events " + client.history(agreement.agreementId()).size());
        try {
            client.terminate(agreement.agreementId());
        } catch (AgreementFaultException e) {
            out.println("fault " + e.code());
        }
    }

    private void waitForTheDecision() throws Exception {
        try (var acceptances =
                AcceptanceListener.listen(new InetSocketAddress("127.0.0.1", 0), "http://127.0.0.1:PORT")) {
            var decision = acceptances.expect();
            var pending = client.createPending(offer(2), decision);
            out.println("called back: accepted " + decision.accepted().get(1, TimeUnit.MINUTES));
            client.terminate(pending.agreementId());
        }
    }

    private void negotiate() throws AgreementFaultException, IOException {
        try (var negotiation = client.negotiate()) {
            out.println("could be had: " + negotiation.advise(offer(2)).slots().size() + " slots");
            var held = negotiation.solicit(offer(2), Optional.empty());
            var agreement = negotiation.accept(held);
            show("negotiated", agreement);
            try (var again = client.renegotiate(agreement.agreementId())) {
                var larger = again.accept(again.solicit(offer(4), Optional.empty()));
                show("larger", larger);
                show("the old one", client.show(agreement.agreementId()));
                client.terminate(larger.agreementId());
            }
        }
    }

    private Document offer(int nodes) {
        var parts = sites.stream()
                .map(site -> new Part(Optional.of(site), Optional.empty(), new Need.Nodes(nodes)))
                .toList();
        return OfferWriter.write(
                template,
                new OfferContent(
                        "example-" + System.nanoTime(),
                        "",
                        parts,
                        Duration.ofMinutes(30),
                        Optional.empty(),
                        Optional.empty()));
    }

    private void show(String what, AgreementView agreement) {
        out.println(what + ": " + agreement.state()
                + agreement.sites().stream()
                        .map(s -> ", " + s.amount() + " nodes at " + s.site())
                        .reduce("", String::concat));
    }
}
