package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.classad.ClassAd;
import org.metasched.soap.collector.RemoteCollector;
import org.metasched.soap.introduction.MatchNotice;
import org.metasched.soap.introduction.MatchReceiver;
import org.metasched.wsag.AgreementAcceptance;
import org.metasched.wsag.AgreementAcceptanceInputType;
import org.metasched.wsag.AgreementAcceptanceOutputType;

/**
 * Kills a server between its decision about a pending offer and the end of the call that tells it: the next server makes the
 * call. The kill happens inside the call, so that the decision is durable and the notice is not settled.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class CallBackRecoveryIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final Runnable NOTHING = () -> {};

    @TempDir
    private Path folder;

    @Test
    void whatAKilledServerHadDecidedItsSuccessorTells() throws Exception {
        var initiator = new Initiator();
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %s
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 8, state-file: %s/fzj}}
                """.formatted(folder, folder));

        try (var home =
                SoapServer.onPort(0).service("AgreementAcceptance", initiator).start()) {
            try (var first = ServerProcess.start(config)) {
                initiator.onFirstCall.set(first::kill);
                // The server may be killed before it answers this one: the call is made by another thread of it.
                var unused = HTTP.sendAsync(
                        HttpRequest.newBuilder(first.awaitReady().resolve("/services/AgreementFactory"))
                                .header("Content-Type", "application/soap+xml; charset=utf-8")
                                .POST(BodyPublishers.ofString(offer(
                                        home.service("AgreementAcceptance").toString())))
                                .build(),
                        BodyHandlers.discarding());
                assertThat(initiator.heard.poll(60, TimeUnit.SECONDS)).isEqualTo("accepted");
            }

            try (var second = ServerProcess.start(config)) {
                var base = second.awaitReady();

                assertThat(initiator.heard.poll(60, TimeUnit.SECONDS)).isEqualTo("accepted");
                awaitMetric(base, "metasched_decisions_total{end=\"told\"} 1.0");
            }
            try (var third = ServerProcess.start(config)) {
                third.awaitReady();
            }
            assertThat(initiator.heard)
                    .as("calls after the one that was answered")
                    .isEmpty();
        }
    }

    /** Killed inside the call to a party: the match is durable, and the message is not settled. */
    @Test
    @Tag("full")
    void aMatchThatAKilledServerHadMadeItsSuccessorTells() throws Exception {
        var heard = new LinkedBlockingQueue<MatchNotice>();
        var advertised = new CountDownLatch(1);
        var onFirstCall = new AtomicReference<Runnable>(() -> {});
        var config = Files.writeString(folder.resolve("server.yaml"), """
                port: 0
                data: %s
                matchmaking: {cycle-every: 5s}
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 8, state-file: %s/fzj}}
                """.formatted(folder, folder));
        var receiver = new MatchReceiver(introduced -> {
            boolean first = onFirstCall.get() != NOTHING;
            onFirstCall.getAndSet(NOTHING).run();
            heard.add(introduced);
            if (first) {
                throw new IllegalStateException("The first call is not understood.");
            }
        });
        try (var party =
                SoapServer.onPort(0).service(MatchReceiver.NAME, receiver).start()) {
            try (var first = ServerProcess.start(config);
                    var collector = RemoteCollector.at(first.awaitReady(), Duration.ofSeconds(30))) {
                onFirstCall.set(() -> {
                    await(advertised);
                    first.kill();
                });
                collector.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"m\"; AuthorizationTicket = \"of-m\";"
                        + " Requirements = TARGET.Type == \"Job\" ]"));
                collector.advertise(ClassAd.parse("[ Type = \"Job\"; Name = \"j\"; Owner = \"ann\";"
                                + " Requirements = TARGET.Name == \"m\" ]")
                        .with(
                                "ContactAddress",
                                party.service(MatchReceiver.NAME).toString()));
                advertised.countDown();
                assertThat(heard.poll(60, TimeUnit.SECONDS)).isNotNull();
            }
            var told = heard.size();

            try (var second = ServerProcess.start(config)) {
                var base = second.awaitReady();

                var again = heard.poll(60, TimeUnit.SECONDS);
                assertThat(told)
                        .as("calls beside the one in which the server was killed")
                        .isZero();
                assertThat(again).isNotNull();
                assertThat(again.name()).isEqualTo("j");
                assertThat(again.ticket()).hasValue("of-m");
                awaitMetric(base, "metasched_introductions_total{end=\"told\"} 1.0");
            }
            try (var third = ServerProcess.start(config)) {
                third.awaitReady();
            }
            assertThat(heard).as("calls after the one that was answered").isEmpty();
        }
    }

    /** The answer has arrived, and the message is settled: a kill from here on repeats no call. */
    private static void awaitMetric(URI base, String line) {
        var request = HttpRequest.newBuilder(base.resolve("/metrics")).build();
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> HTTP.send(request, BodyHandlers.ofString()).body().contains(line));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String offer(String initiator) {
        return """
                <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://www.w3.org/2005/08/addressing"
                    xmlns:w="http://schemas.ggf.org/graap/2007/03/ws-agreement" xmlns:j="http://schemas.ggf.org/jsdl/2005/11/jsdl"
                    xmlns:t="http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions"><s:Body>
                  <w:CreatePendingAgreementInput>
                    <w:AgreementAcceptanceEPR><a:Address>%s</a:Address></w:AgreementAcceptanceEPR>
                    <w:AgreementOffer w:AgreementId="o1">
                      <w:Context><w:ServiceProvider>AgreementResponder</w:ServiceProvider><w:TemplateId>1</w:TemplateId>
                        <w:TemplateName>CO-ALLOCATION</w:TemplateName></w:Context>
                      <w:Terms><w:All>
                        <w:ServiceDescriptionTerm w:Name="NODES" w:ServiceName="JOB"><j:Resources>
                          <j:CandidateHosts><j:HostName>fzj</j:HostName></j:CandidateHosts>
                          <j:TotalResourceCount><j:Exact>2</j:Exact></j:TotalResourceCount>
                        </j:Resources></w:ServiceDescriptionTerm>
                        <w:ServiceDescriptionTerm w:Name="TIME" w:ServiceName="JOB">
                          <t:TimeConstraint><t:Duration>60</t:Duration></t:TimeConstraint>
                        </w:ServiceDescriptionTerm>
                      </w:All></w:Terms>
                    </w:AgreementOffer>
                  </w:CreatePendingAgreementInput>
                </s:Body></s:Envelope>
                """.formatted(initiator);
    }

    /** Sets something off in the first call, before it is answered. */
    @WebService(
            endpointInterface = "org.metasched.wsag.AgreementAcceptance",
            targetNamespace = "http://schemas.ggf.org/graap/2007/03/ws-agreement",
            serviceName = "AgreementAcceptanceService",
            portName = "AgreementAcceptanceSoap12Port",
            wsdlLocation = "classpath:org/metasched/wsdl/agreement-acceptance.wsdl")
    @Addressing
    public static final class Initiator implements AgreementAcceptance {

        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        final AtomicReference<Runnable> onFirstCall = new AtomicReference<>(() -> {});

        @Override
        public AgreementAcceptanceOutputType acceptAgreement(AgreementAcceptanceInputType request) {
            return note("accepted");
        }

        @Override
        public AgreementAcceptanceOutputType rejectAgreement(AgreementAcceptanceInputType request) {
            return note("rejected");
        }

        private AgreementAcceptanceOutputType note(String what) {
            onFirstCall.getAndSet(() -> {}).run();
            heard.add(what);
            return new AgreementAcceptanceOutputType();
        }
    }
}
