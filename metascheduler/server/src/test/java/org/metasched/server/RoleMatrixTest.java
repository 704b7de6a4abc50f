package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.Operation;
import org.metasched.trust.Role;
import org.metasched.trust.Subject;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Thirteen identities at each page, each change of the API and each operation of a service: the doors of a running server do what the policy of its file says. */
@Tag("full")
class RoleMatrixTest {

    private static final String STRANGER = "stranger";
    private static final List<String> IDENTITIES = List.of(
            STRANGER,
            "plain",
            "banned",
            "operator",
            "auditor",
            "auditor-operator",
            "auditor-user",
            "site",
            "site-user",
            "server",
            "server-site",
            "manager",
            "producer");
    private static final String NO_ID = UUID.randomUUID().toString();
    private static final String MATCH = "/api/v1/matches/" + NO_ID;

    /** The operation that a change by the API is, by its operationId in the contract. */
    private static final Map<String, String> CHANGES = Map.ofEntries(
            Map.entry("makePlans", "POST /services/Plans"),
            Map.entry("createAgreement", "AgreementFactory/CreateAgreement"),
            Map.entry("renegotiateAgreement", "AgreementFactory/CreateAgreement"),
            Map.entry("terminateAgreement", "Agreement/Terminate"),
            Map.entry("subscribe", "AgreementFactory/CreateAgreement"),
            Map.entry("unsubscribe", "AgreementFactory/CreateAgreement"),
            Map.entry("makeCalendar", "AgreementFactory/CreateAgreement"),
            Map.entry("withdrawCalendar", "AgreementFactory/CreateAgreement"),
            Map.entry("takeMatch", "Collector/TakeMatch"),
            Map.entry("holdMatch", "Collector/RenewMatch"),
            Map.entry("releaseMatch", "Collector/SettleMatch"));

    @TempDir
    private static Path folder;

    private static DemoAuthority authority;
    private static Tls own;
    private static final Map<String, HttpClient> CLIENTS = new HashMap<>();

    @BeforeAll
    static void makeIdentities() throws Exception {
        authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        own = authority.member("server.example.org");
        for (String identity : IDENTITIES) {
            CLIENTS.put(identity, client(identity));
        }
    }

    /** By what is asked for, what it is sent as: the pages, what they lead an operator to, and each method of the API's contract. */
    private static Map<String, String> doors(URI base) throws Exception {
        var doors = new LinkedHashMap<String, String>();
        Operation.all().stream()
                .map(Operation::id)
                // Health is told to all, and reservations are a page of adapters.
                .filter(id -> id.matches("(GET /(?!health|reservations)|POST /services)[^*]*"))
                .forEach(id -> doors.put(id, id));
        doors.put("GET /calendars/" + NO_ID, "GET /calendars/*");
        var operator = CLIENTS.get("operator");
        var links = Pattern.compile("href=\"(/console/[a-z]+)\"").matcher(read(operator, base + "/console"));
        links.results().map(link -> link.group(1)).forEach(page -> doors.putIfAbsent("GET " + page, "GET /console/*"));
        doors.put("GET /console/operations", "GET /metrics");
        var contract = new ObjectMapper().readTree(read(operator, base + "/api/v1/openapi.json"));
        for (var path : contract.get("paths").properties()) {
            String there = path.getKey().replace("{site}", "fzj").replace("{id}", NO_ID);
            for (var method : path.getValue().properties()) {
                if (method.getValue().has("operationId")) {
                    String name = method.getValue().get("operationId").asText();
                    String door = method.getKey().toUpperCase(Locale.ROOT) + " " + there;
                    doors.put(door, door.startsWith("GET") ? "GET /api/v1/*" : CHANGES.getOrDefault(name, name));
                }
            }
        }
        return doors;
    }

    private static String read(HttpClient client, String url) throws Exception {
        var answer = client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(url).isEqualTo(200);
        return answer.body();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theDoorsDoWhatThePolicySays(boolean namesUsers) throws Exception {
        var configuration = ConfigurationFile.from(YamlSettings.parse("server", file(namesUsers)));
        var policy = configuration.listener().security().policy();
        var told = new TreeMap<String, Boolean>();
        var seen = new TreeMap<String, Boolean>();
        try (var server = ServerAssembly.start(configuration, Clock.systemUTC())) {
            var messages = messages(CLIENTS.get("operator"), server.base());
            assertThat(messages.keySet())
                    .isEqualTo(server.operations().stream()
                            .filter(operation -> operation.matches("\\w+/\\w+"))
                            .collect(Collectors.toSet()));
            var doors = doors(server.base());
            assertThat(doors.values()).containsAll(CHANGES.values());
            for (String identity : IDENTITIES) {
                var client = CLIENTS.get(identity);
                for (var door : doors.entrySet()) {
                    String cell = identity + ": " + door.getKey();
                    told.put(cell, isAllowed(policy, subject(identity), door.getValue()));
                    seen.put(cell, isLetIn(client, server.base(), door.getKey()));
                }
                for (var message : messages.entrySet()) {
                    String cell = identity + ": SOAP " + message.getKey();
                    told.put(cell, isAllowed(policy, subject(identity), message.getKey()));
                    seen.put(cell, isHeard(client, server.base(), message.getKey(), message.getValue()));
                }
            }
        }

        var wrong = new TreeMap<>(seen);
        wrong.entrySet().removeAll(told.entrySet());
        assertThat(wrong).as("let in, against the policy").isEmpty();
        assertThat(seen.keySet()).isEqualTo(told.keySet());
        assertThat(told.entrySet().stream()
                        .filter(cell -> cell.getKey().matches("(auditor|stranger|banned).*: (POST|PATCH|DELETE).*")))
                .isNotEmpty()
                .noneMatch(Map.Entry::getValue);
        assertThat(policy.rolesOf(subject("plain")).contains(Role.USER)).isEqualTo(!namesUsers);
        assertThat(told.get("plain: POST /api/v1/agreements")).isEqualTo(!namesUsers);
        assertThat(told.get("site-user: POST /api/v1/agreements")).isEqualTo(namesUsers);
        assertThat(told.get("operator: DELETE " + MATCH)).isTrue();
    }

    private static String file(boolean namesUsers) {
        return """
                port: 0
                data: %s
                drain: 1s
                sites: [{site: fzj, scheduler: {type: simulated, nodes: 8}}]
                security:
                  certificate: %s
                  key: %s
                  authorities: %s
                  anonymous: false
                  rules: [{name: out, deny: ['*'], when: 'Subject.Name =?= "%s"'}]
                  vos: [{name: cms, members: [%s], managers: [%s], production-managers: [%s]}]
                  roles:
                    operator: [%s, %s]
                    auditor: [%s, %s, %s]
                    site: [%s, %s, %s]
                    server: [%s, %s]
                """.formatted(
                                folder.resolve("data-" + namesUsers),
                                own.certificate(),
                                own.key(),
                                authority.directory(),
                                DemoAuthority.subjectOf("banned"),
                                quoted("plain"),
                                quoted("manager"),
                                quoted("producer"),
                                quoted("operator"),
                                quoted("auditor-operator"),
                                quoted("auditor"),
                                quoted("auditor-operator"),
                                quoted("auditor-user"),
                                quoted("site"),
                                quoted("site-user"),
                                quoted("server-site"),
                                quoted("server"),
                                quoted("server-site"))
                + (namesUsers
                        ? "    user: [" + quoted("auditor-user") + ", " + quoted("site-user") + ", " + quoted("banned")
                                + "]\n"
                        : "");
    }

    private static String quoted(String identity) {
        return "'" + DemoAuthority.subjectOf(identity) + "'";
    }

    private static Subject subject(String identity) {
        return identity.equals(STRANGER) ? Subject.ANONYMOUS : Subject.ofCertificate(DemoAuthority.subjectOf(identity));
    }

    private static boolean isAllowed(AccessPolicy policy, Subject subject, String operation) {
        return policy.decide(subject, operation, Optional.empty()).isAllowed();
    }

    private static HttpClient client(String identity) throws Exception {
        var certificate = identity.equals(STRANGER) ? Optional.<Tls>empty() : Optional.of(authority.member(identity));
        var caller = new ClientCredentials(certificate, Optional.of(authority.authorities()), Optional.empty());
        return HttpClient.newBuilder().sslContext(caller.tls().orElseThrow()).build();
    }

    private static boolean isLetIn(HttpClient client, URI base, String door) throws Exception {
        String[] words = door.split(" ", 2);
        boolean hasBody = words[0].equals("POST") || words[0].equals("PATCH");
        var answer = client.send(
                HttpRequest.newBuilder(URI.create(base + words[1]))
                        .header("Content-Type", "application/json")
                        .method(words[0], hasBody ? BodyPublishers.ofString("{}") : BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofInputStream());
        // Events have no end.
        answer.body().close();
        assertThat(answer.statusCode()).as(door).isLessThan(500).isNotEqualTo(429);
        return answer.statusCode() != 401 && answer.statusCode() != 403;
    }

    /** By operation, as in the table of rules: the element that asks for it, as the services describe it. */
    private static Map<String, List<QName>> messages(HttpClient client, URI base) throws Exception {
        var messages = new TreeMap<String, List<QName>>();
        var services = Operation.all().stream()
                .filter(operation -> operation.id().matches("\\w+/\\w+"))
                .collect(Collectors.groupingBy(operation -> operation.id().split("/")[0]));
        for (String service : services.keySet()) {
            var described = client.send(
                    HttpRequest.newBuilder(URI.create(base + "/services/" + service + "?wsdl"))
                            .build(),
                    BodyHandlers.ofString());
            if (described.statusCode() == 200) {
                addMessages(messages, service, described.body());
            }
        }
        messages.keySet().retainAll(Operation.all().stream().map(Operation::id).toList());
        return messages;
    }

    private static void addMessages(Map<String, List<QName>> messages, String service, String wsdl) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        var document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(wsdl)));
        var elements = new HashMap<String, QName>();
        for (Element part : elements(document, "part")) {
            String[] name = part.getAttribute("element").split(":", 2);
            if (name.length == 2) {
                elements.put(
                        ((Element) part.getParentNode()).getAttribute("name"),
                        new QName(part.lookupNamespaceURI(name[0]), name[1]));
            }
        }
        for (Element input : elements(document, "input")) {
            var operation = (Element) input.getParentNode();
            var element = elements.get(input.getAttribute("message").replaceFirst(".*:", ""));
            if (element != null) {
                messages.computeIfAbsent(service + "/" + operation.getAttribute("name"), name -> new ArrayList<>())
                        .add(element);
            }
        }
    }

    private static List<Element> elements(Document document, String name) {
        var found = document.getElementsByTagNameNS("http://schemas.xmlsoap.org/wsdl/", name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    /** A description has the operations of its neighbours too, some of the same name: the service says which element it knows. */
    private static boolean isHeard(HttpClient client, URI base, String operation, List<QName> asking) throws Exception {
        for (QName element : asking) {
            var answer = client.send(
                    HttpRequest.newBuilder(
                                    URI.create(base + "/services/" + operation.split("/")[0]))
                            .header("Content-Type", "application/soap+xml")
                            .POST(BodyPublishers.ofString(message(element)))
                            .build(),
                    BodyHandlers.ofString());
            if (!answer.body().contains("has no operation for the element")) {
                assertThat(answer.body()).as(operation).doesNotContain("MESSAGE_INVALID", "SERVICE_FAILED");
                return answer.statusCode() != 401 && !answer.body().contains("NOT_ALLOWED");
            }
        }
        throw new AssertionError("No element asks for " + operation + " of " + asking);
    }

    private static String message(QName element) {
        // These are to name a property.
        String content = switch (element.getLocalPart()) {
            case "GetResourceProperty" -> "o:Any";
            case "GetMultipleResourceProperties" -> "<o:ResourceProperty>o:Any</o:ResourceProperty>";
            default -> "";
        };
        return "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body><o:" + element.getLocalPart()
                + " xmlns:o='" + element.getNamespaceURI() + "'>" + content + "</o:" + element.getLocalPart()
                + "></s:Body></s:Envelope>";
    }
}
