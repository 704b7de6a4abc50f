package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.agreement.OfferDocument;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.Credentials;
import org.metasched.client.ReceivedCounterOffer;
import org.metasched.client.TemplateOffer;
import org.metasched.client.TemplateOffer.Times;
import org.metasched.durable.ReloadedFile;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.w3c.dom.Document;

/** Templates that an operator wrote, used as SOAP and REST clients do: the example that is handed out. */
@Tag("full")
@Timeout(120)
class OperatorTemplatesTest {

    private static final Path EXAMPLE =
            Path.of(System.getProperty("metasched.root", "../..")).resolve("examples/templates/vis-afternoon.xml");
    private static final String NAME = "VIS-AFTERNOON";
    private static final Times ANY = new Times(Optional.empty(), Optional.empty(), Optional.empty());

    @TempDir
    private Path folder;

    private Path templates;
    private ServerAssembly server;

    @BeforeEach
    void writeTemplate() throws Exception {
        templates = Files.createDirectories(folder.resolve("templates"));
        Files.copy(EXAMPLE, templates.resolve("vis-afternoon.xml"));
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void anOfferThatRepeatsTheTemplateGetsTheProduct() throws Exception {
        start("");
        awaitAds();
        Instant noon = Instant.now()
                .plus(1, ChronoUnit.DAYS)
                .truncatedTo(ChronoUnit.DAYS)
                .plus(12, ChronoUnit.HOURS);

        var made = client().create(offer(
                "a1",
                new Times(
                        Optional.of(noon),
                        Optional.of(noon.plus(Duration.ofHours(6))),
                        Optional.of(Duration.ofHours(3)))));

        assertThat(made.sites()).hasSize(2);
        assertThat(client().document(made.agreementId()).text())
                .contains(noon.toString(), noon.plus(Duration.ofHours(3)).toString());
    }

    @Test
    void theProductIsNegotiated() throws Exception {
        start("");
        awaitAds();
        try (var negotiation = client().negotiate()) {
            var countered = negotiation.solicit(offer("n1", ANY), Optional.empty());

            assertThat(countered.state()).as(countered.toString()).isEqualTo(ReceivedCounterOffer.State.ACCEPTABLE);
            assertThat(negotiation.accept(countered).sites()).hasSize(2);
        }
    }

    @Test
    void restNamesTheTemplate() throws Exception {
        start("");
        awaitAds();
        var listed = get("templates").path("templates");
        assertThat(listed).extracting(one -> one.path("name").asText()).containsExactly("CO-ALLOCATION", NAME);
        assertThat(listed.get(1).path("bounds").path("Minutes").asText()).isEqualTo("at least 120, at most 300");

        var plan = post("plans", "{\"template\":\"" + NAME + "\",\"duration\":\"PT2H\"}", 200)
                .path("plans")
                .get(0);
        var made = post("agreements", plan.path("request").toString(), 201);

        assertThat(made.path("state").asText()).isEqualToIgnoringCase("observed");
        assertThat(post("agreements", "{\"template\":\"NONE\"}", 422)
                        .path("code")
                        .asText())
                .isEqualTo("TEMPLATE_UNKNOWN");
        assertThat(post("agreements", "{\"template\":\"" + NAME + "\",\"parts\":[]}", 422)
                        .path("detail")
                        .asText())
                .contains("The template sets parts");
        assertThat(post("agreements", "{\"template\":\"" + NAME + "\",\"duration\":\"PT1H\"}", 422)
                        .toString())
                .contains("item Minutes");
    }

    @Test
    void whomARuleDeniesItTheTemplateIsUnknownTo() throws Exception {
        var authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        var own = authority.member("server");
        start("""
                security:
                  certificate: %s
                  key: %s
                  authorities: %s
                  anonymous: false
                  rules:
                    - name: the laboratory alone
                      deny: ['AgreementFactory/Create*']
                      when: 'Object.Type == "Template" && Object.Name =?= "%s" && Subject.Name =!= "%s"'
                """.formatted(
                        own.certificate(), own.key(), authority.directory(), NAME, DemoAuthority.subjectOf("alice")));
        var alice = client(authority, "alice");
        var bob = client(authority, "bob");

        assertThat(alice.templates()).hasSize(2);
        assertThat(bob.templates()).hasSize(1);
        assertThatThrownBy(() -> bob.create(offer("b1", ANY)))
                .isInstanceOf(AgreementFaultException.class)
                .hasMessageContaining("not made from a template of ours")
                .hasMessageContaining("on offer are [CO-ALLOCATION 1]");
        // Until the sites have told what they have, there is none to choose.
        Awaitility.await()
                .ignoreExceptionsInstanceOf(AgreementFaultException.class)
                .untilAsserted(
                        () -> assertThat(alice.create(offer("a1", ANY)).sites()).hasSize(2));
    }

    @Test
    void theFolderIsReadAgainWholeOrNotAtAll() throws Exception {
        start("");
        String text = Files.readString(EXAMPLE);
        Files.writeString(templates.resolve("second.xml"), text.replace(NAME, "SECOND"));
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> client().templates().size() == 3);

        Files.writeString(templates.resolve("second.xml"), "<no");
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> ReloadedFile.statuses().stream()
                        .anyMatch(status -> status.file().equals(templates) && status.failed()));
        assertThat(client().templates()).hasSize(3);

        Files.delete(templates.resolve("second.xml"));
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> client().templates().size() == 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "</wsag:All> | '' | vis-afternoon.xml:",
                "VIS-AFTERNOON | CO-ALLOCATION | the name (CO-ALLOCATION) is taken by the server",
                "<wsag:TemplateName>VIS-AFTERNOON</wsag:TemplateName> | '' | The TemplateName of its Context is missing.",
                "<wsag:CreationConstraints> | <wsag:CreationConstraints><wsag:Constraint/> | vis-afternoon.xml",
                "xs:minInclusive | xs:minimum | item Minutes: ",
                "//t:Duration< | /wsag:Terms = 1< | item Minutes: its location selects no nodes",
                "//t:Duration< | //t:Duration[< | The location",
                "</t:TimeConstraint> | '</t:TimeConstraint><t:Other/>' | vis-afternoon.xml"
            })
    void aTemplateThatCannotBeUsedIsRefusedByFileAndReason(String part, String other, String told) throws Exception {
        String text = Files.readString(EXAMPLE);
        assertThat(text).contains(part);
        Files.writeString(templates.resolve("vis-afternoon.xml"), text.replace(part, other));

        assertThatThrownBy(() -> start(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("vis-afternoon.xml")
                .hasMessageContaining(told);
    }

    private void start(String more) {
        server = served(folder.resolve("data"), templates, more);
    }

    /** A server with operator's templates. */
    static ServerAssembly served(Path data, Path templates, String more) {
        String yaml = """
                port: 0
                data: %s
                templates: %s
                drain: 1s
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 16}}
                  - site: keys
                    scheduler: {type: simulated, nodes: 1, licences: {paraview: 2}}
                    publish: {type: License, max-matches: 10, attributes: {App: paraview}}
                """.formatted(data, templates) + more;
        return ServerAssembly.start(ConfigurationFile.from(YamlSettings.parse("server.yaml", yaml)), Clock.systemUTC());
    }

    /** Until the sites have told what they have, there is none to choose. */
    private void awaitAds() {
        Awaitility.await().until(() -> {
            var sites = get("sites").findValuesAsText("lastAdvertised");
            return sites.size() == 2;
        });
    }

    private static Document offer(String id, Times times) throws Exception {
        return TemplateOffer.of(new OfferDocument(Files.readString(EXAMPLE)), id, "", times);
    }

    private AgreementClient client() {
        return new AgreementClient(server.base(), Duration.ofSeconds(30));
    }

    private AgreementClient client(DemoAuthority authority, String name) throws Exception {
        var caller = new ClientCredentials(
                Optional.of(authority.member(name)), Optional.of(authority.authorities()), Optional.empty());
        return new AgreementClient(
                server.base(), Duration.ofSeconds(30), new Credentials(caller.tls(), caller::authorization));
    }

    private JsonNode get(String path) throws Exception {
        return new ObjectMapper()
                .readTree(send(HttpRequest.newBuilder(at(path)).build()).body());
    }

    private JsonNode post(String path, String body, int status) throws Exception {
        var answer = send(HttpRequest.newBuilder(at(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return new ObjectMapper().readTree(answer.body());
    }

    private URI at(String path) {
        return server.base().resolve("/api/v1/" + path);
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
