package org.metasched.soap;

import jakarta.servlet.http.HttpServlet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementLifetime;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.making.AgreementMaking;
import org.metasched.agreement.making.AgreementMaking.Sites;
import org.metasched.agreement.making.AgreementMaking.Terms;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.OngoingNegotiations;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.agreement.monitoring.AgreementMonitor;
import org.metasched.client.AgreementClient;
import org.metasched.fakes.TestGrid;
import org.metasched.http.HttpServer;
import org.metasched.http.OutboundPolicy;
import org.metasched.http.PublicAddress;
import org.metasched.selection.ClassAdServiceLevels;
import org.metasched.trust.Authentication;

/** A whole responder over HTTP: two fake sites, real negotiation, books in memory, a clock that stands still. */
final class WsagServer implements AutoCloseable {

    final TestGrid grid;
    final OfferService agreements;
    final SoapServer server;
    final AgreementMaking making;
    final OngoingNegotiations negotiations;
    final AgreementMonitor monitor;
    private static final AgreementTemplate TEMPLATE = CoAllocationTemplate.of(
            List.of(new SiteId("fzj"), new SiteId("scai")), Map.of(new SiteId("fzj"), 64, new SiteId("scai"), 32));

    private final ExecutorService background = Executors.newCachedThreadPool();
    private final HttpClient http = HttpClient.newHttpClient();

    WsagServer() {
        this(Authentication.NONE);
    }

    WsagServer(Authentication authentication) {
        this(new TestGrid().site("fzj", 64).site("scai", 32), authentication);
    }

    /** A responder over the books and sites of another one. */
    WsagServer(TestGrid grid, Authentication authentication) {
        this(grid, authentication, PublicAddress.NONE);
    }

    WsagServer(TestGrid grid, Authentication authentication, PublicAddress names) {
        this(grid, authentication, names, grid.memory.books());
    }

    WsagServer(TestGrid grid, Authentication authentication, PublicAddress names, AgreementBooks books) {
        this.grid = grid;
        var guard = authentication.guard();
        var started = grid.start();
        making = AgreementMaking.of(
                books,
                new Sites(started.calls, started.engine, started.sweeper),
                new Terms(SiteSelector.NONE, new ClassAdServiceLevels(), () -> List.of(TEMPLATE)),
                background,
                grid.clock);
        agreements = making.offers();
        making.changes().onChange(started.programs);
        monitor = new AgreementMonitor(making, started.programs, OnDegraded.TELL, Duration.ofSeconds(15), grid.clock);
        negotiations = making.negotiations();
        var documents = new OfferDocuments(agreements, guard);
        var lifetime = new AgreementLifetime(grid.memory, grid.clock, Duration.ofDays(90));
        server = SoapServer.on(HttpServer.onPort(0).knownAs(names))
                .authentication(authentication)
                .service(
                        AgreementFactoryEndpoint.NAME,
                        new AgreementFactoryEndpoint(
                                agreements, documents, negotiations, guard, OutboundPolicy.LOCAL, grid.clock))
                .service(
                        NegotiationFactoryEndpoint.NAME,
                        new NegotiationFactoryEndpoint(agreements, negotiations, guard, grid.clock))
                .service(
                        NegotiationEndpoint.NAME,
                        new NegotiationEndpoint(agreements, documents, negotiations, guard, grid.clock))
                .service(AgreementEndpoint.NAME, new AgreementEndpoint(agreements, lifetime, guard, grid.clock))
                .servlet("/metrics", new HttpServlet() {})
                .start();
    }

    AgreementClient client() {
        return new AgreementClient(server.base(), Duration.ofSeconds(30));
    }

    /** Posts a body as SOAP 1.2 to one of the services. */
    HttpResponse<String> post(String service, String message) throws Exception {
        return post(server.service(service), message);
    }

    HttpResponse<String> post(URI address, String message) throws Exception {
        return post(address, message, "application/soap+xml; charset=utf-8");
    }

    HttpResponse<String> post(String service, String message, String contentType) throws Exception {
        return post(server.service(service), message, contentType);
    }

    private HttpResponse<String> post(URI address, String message, String contentType) throws Exception {
        return http.send(
                HttpRequest.newBuilder(address)
                        .timeout(Duration.ofSeconds(60))
                        .header("Content-Type", contentType)
                        .header(EmittedMessages.HANDWRITTEN, "true")
                        .POST(BodyPublishers.ofString(message))
                        .build(),
                BodyHandlers.ofString());
    }

    String get(String path) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(URI.create(server.base() + path)).build(), BodyHandlers.ofString())
                .body();
    }

    static String golden(String name) throws Exception {
        try (var stream = WsagServer.class.getResourceAsStream("/golden/" + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        server.close();
        background.shutdownNow();
        grid.close();
        EmittedMessages.assertAllValid();
    }
}
