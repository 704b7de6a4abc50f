package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.metasched.client.AgreementClient;
import org.metasched.client.Credentials;

/** The REST door of a closed server, beside its SOAP door. Each answer is held against the contract that the door serves. */
final class RestDoor implements AutoCloseable {

    static final String HOUR = "{\"parts\":[{\"site\":\"fzj\",\"nodes\":2}],\"duration\":\"PT1H\"}";
    static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    /** Of the door as a whole: where no operation is, which method it has, what is accepted. */
    private static final Set<Integer> OF_THE_DOOR = Set.of(405, 406);

    final ConsoleServer server;
    /** Operations and the statuses that they answered. */
    final Set<String> seen = ConcurrentHashMap.newKeySet();

    /** The most agreements that a person may have. */
    static final int LIVING_AGREEMENTS = 50;

    final JsonNode contract;
    private final Map<String, String> tokens = new ConcurrentHashMap<>();
    private final Map<String, JsonSchema> schemas = new ConcurrentHashMap<>();

    RestDoor(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        this(folder, Clock.systemUTC());
    }

    RestDoor(Path folder, Clock clock) throws IOException, GeneralSecurityException, InterruptedException {
        this(folder, clock, 1000, "cors: ['https://portal.example.org']");
    }

    RestDoor(Path folder, Clock clock, int requestsPerSecond, String more)
            throws IOException, GeneralSecurityException, InterruptedException {
        this(folder, clock, requestsPerSecond, more, "");
    }

    /**
     * @param more lines of the configuration
     * @param site one more site, as a line
     */
    RestDoor(Path folder, Clock clock, int requestsPerSecond, String more, String site)
            throws IOException, GeneralSecurityException, InterruptedException {
        server = new ConsoleServer(
                folder,
                """
                  - {site: fzj, scheduler: {type: simulated, nodes: 64}}
                  - {site: scai, scheduler: {type: simulated, nodes: 8}}
                """ + site,
                "  quotas: {living-agreements: " + LIVING_AGREEMENTS + ", node-hours: 100000, requests-per-second: "
                        + requestsPerSecond + "}\n" + more,
                clock);
        contract = JSON.readTree(call("alice", "GET", "/openapi.json", "").body());
        Awaitility.await()
                .until(() -> body(call("alice", "GET", "/ads?constraint=Site%3D%3D%22fzj%22", ""))
                                .path("ads")
                                .size()
                        > 0);
    }

    @Override
    public void close() {
        server.close();
    }

    /** Sends, and holds question and answer against the contract. */
    HttpResponse<String> send(String who, String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        var answer = call(who, method, path, body, headers);
        String verb = method.toLowerCase(Locale.ROOT).replace("head", "get");
        var operation =
                template(path).map(found -> contract.path("paths").path(found).path(verb));
        if (operation.isPresent() && operation.get().isObject() && !OF_THE_DOOR.contains(answer.statusCode())) {
            check(operation.get(), body, answer);
        }
        return answer;
    }

    private void check(JsonNode operation, String sent, HttpResponse<String> answer) throws IOException {
        String id = operation.path("operationId").asText();
        int status = answer.statusCode();
        seen.add(id + " " + status);
        var said = operation.path("responses").path(String.valueOf(status));
        assertThat(said.isObject())
                .as("%s answers %d, which its contract does not have: %s", id, status, answer.body())
                .isTrue();
        var content = resolved(said).path("content");
        String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
        if (!answer.body().isEmpty()) {
            assertThat(content.has(type))
                    .as("%s %d is of the type %s", id, status, type)
                    .isTrue();
        }
        if (type.endsWith("json") && !answer.body().isEmpty()) {
            valid(id + " " + status, content.path(type).path("schema"), JSON.readTree(answer.body()));
        }
        var asked = operation.at("/requestBody/content/application~1json/schema");
        if (status < 300 && !sent.isEmpty() && asked.isObject()) {
            valid(id + ", what is sent", asked, JSON.readTree(sent));
        }
    }

    void valid(String what, JsonNode schema, JsonNode value) {
        var compiled = schemas.computeIfAbsent(what, name -> {
            ObjectNode whole = JSON.createObjectNode();
            whole.set("components", contract.path("components"));
            whole.set("allOf", JSON.createArrayNode().add(schema));
            return SCHEMAS.getSchema(whole);
        });
        assertThat(compiled.validate(value)).as("%s: %s", what, value).isEmpty();
    }

    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? contract.at(node.path("$ref").asText().substring(1)) : node;
    }

    /** The path of the contract that is meant; one without a parameter first. */
    private Optional<String> template(String path) {
        String plain = "/api/v1" + path.replaceFirst("\\?.*", "");
        Iterable<String> all = () -> contract.path("paths").fieldNames();
        return StreamSupport.stream(all.spliterator(), false)
                .filter(one -> plain.matches(one.replaceAll("\\{[a-z]+}", "[^/]+")))
                .min(Comparator.comparingInt(one -> one.split("\\{", -1).length));
    }

    /** Each operation, as a method and a path with its parameters. */
    List<String> operations() {
        List<String> all = new ArrayList<>();
        contract.path("paths")
                .fields()
                .forEachRemaining(path -> path.getValue().fields().forEachRemaining(verb -> {
                    if (verb.getValue().has("operationId")) {
                        all.add(verb.getKey().toUpperCase(Locale.ROOT) + " "
                                + path.getKey().substring("/api/v1".length()));
                    }
                }));
        return all;
    }

    /** Each operation with each status that its contract has. */
    Set<String> promised() {
        Set<String> all = new TreeSet<>();
        contract.path("paths")
                .forEach(path -> path.forEach(operation -> operation
                        .path("responses")
                        .fieldNames()
                        .forEachRemaining(
                                status -> all.add(operation.path("operationId").asText() + " " + status))));
        return all;
    }

    private HttpResponse<String> call(String who, String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(server.base() + "/api/v1" + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.setHeader("Content-Type", "application/json");
        }
        if (!who.isEmpty()) {
            request.header("Authorization", "Bearer " + tokens.computeIfAbsent(who, server::token));
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    static JsonNode problem(HttpResponse<String> answer, int status, String code) throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        var body = body(answer);
        assertThat(body.path("code").asText()).as(answer.body()).isEqualTo(code);
        assertThat(body.path("status").asInt()).isEqualTo(status);
        assertThat(body.path("detail").asText()).isNotEmpty();
        return body;
    }

    static JsonNode body(HttpResponse<String> answer) throws IOException {
        return JSON.readTree(answer.body());
    }

    AgreementClient soap(String who) throws Exception {
        String header = "Bearer " + server.token(who);
        return new AgreementClient(
                server.base(),
                Duration.ofSeconds(30),
                new Credentials(Optional.empty(), address -> Optional.of(header)));
    }
}
