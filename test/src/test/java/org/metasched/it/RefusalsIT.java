package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.Need;
import org.metasched.cli.Main;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Refused requests of many kinds at busy sites: what the command line suggests instead is granted, offered as it was printed. */
@Tag("full")
class RefusalsIT {

    private static final int REFUSALS = 50;
    private static final int SITES = 6;

    @TempDir
    private static Path folder;

    private static ServerAssembly server;
    private static AgreementClient client;
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MINUTES);

    private record Ran(int exit, String out, String err) {}

    @BeforeAll
    static void serveBusySites() throws Exception {
        var yaml = new StringBuilder("port: 0\ndata: " + folder + "\nsites:\n");
        for (int i = 0; i < SITES; i++) {
            yaml.append(
                    "  - site: s" + i + "\n    look-ahead: P3D\n    scheduler: {type: simulated, nodes: " + 16 * (i + 1)
                            + ", bandwidth: 1000, licences: {solver: 2}}\n"
                            + "    publish: {max-matches: 10, attributes: {Memory: " + 1024 * (i + 1) + ", Arch: '"
                            + (i % 2 == 0 ? "X86_64" : "ARM")
                            + "'}}\n");
        }
        var config = Files.writeString(folder.resolve("server.yaml"), yaml);
        server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
        var random = new Random(1);
        client = new AgreementClient(server.base(), Duration.ofMinutes(1));
        var template = AgreementClient.keyOf(client.templates().get(0));
        for (int i = 0; i < 60; i++) {
            int site = random.nextInt(SITES);
            var part = new Part(
                    Optional.of("s" + site), Optional.empty(), new Need.Nodes(1 + random.nextInt(16 * (site + 1))));
            client.create(OfferWriter.write(
                    template,
                    new OfferContent(
                            "busy-" + i,
                            "",
                            List.of(part),
                            Duration.ofHours(1 + random.nextInt(8)),
                            Optional.of(NOW.plus(Duration.ofMinutes(30 + 30L * random.nextInt(80)))),
                            Optional.empty())));
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everySuggestionIsGrantedAsPrinted() throws Exception {
        var random = new Random(7);
        var changes = new TreeMap<String, Integer>();
        int refused = 0;
        int helpless = 0;
        for (int i = 0; refused < REFUSALS && i < 2_000; i++) {
            var words = new ArrayList<>(request(random));
            words.add("--explain");
            var said = run(with(words, "--json"));
            assertThat(said.exit()).as("%s: %s", words, said.err()).isIn(0, 1);
            JsonNode json = new ObjectMapper().readTree(said.out());
            if (said.exit() == 0) {
                client.terminate(json.path("agreementId").asText());
                continue;
            }
            refused++;
            assertThat(json.path("error").asText()).isNotEmpty();
            helpless += json.path("nearest").isEmpty() ? 1 : 0;
            for (JsonNode one : json.path("nearest")) {
                changes.merge(one.path("change").asText(), 1, Integer::sum);
                grantAndGiveBack(one, words);
            }
        }
        System.err.println(refused + " refusals, " + helpless + " without a suggestion; suggested: " + changes);
        assertThat(refused).isEqualTo(REFUSALS);
        assertThat(helpless).isLessThan(REFUSALS / 2);
        assertThat(changes.keySet()).contains("later", "shorter", "fewer");
    }

    /** Offers of three ways, all too much: what is suggested for the second and the third is as true as for the first. */
    @Test
    void suggestionsForEveryAlternativeAreGrantedAsPrinted() throws Exception {
        var random = new Random(11);
        var file = folder.resolve("choice.xml");
        int[] suggestedFor = new int[3];
        int refused = 0;
        for (int i = 0; refused < 12 && i < 200; i++) {
            var first = random.nextInt(SITES);
            int[] sites = {first, (first + 1) % SITES, (first + 2) % SITES};
            Files.writeString(file, AgreementClient.text(oneOf("choice-" + i, sites, random)));
            var words = List.of("reserve", "--offer", file.toString(), "--explain", "--server", "" + server.base());
            var said = run(with(words, "--json"));
            assertThat(said.exit()).as(said.err()).isIn(0, 1);
            JsonNode json = new ObjectMapper().readTree(said.out());
            if (said.exit() == 0) {
                client.terminate(json.path("agreementId").asText());
                continue;
            }
            refused++;
            for (JsonNode one : json.path("nearest")) {
                String site =
                        one.path("request").path("parts").path(0).path("site").asText();
                for (int way = 0; way < sites.length; way++) {
                    suggestedFor[way] += site.equals("s" + sites[way]) ? 1 : 0;
                }
                grantAndGiveBack(one, words);
            }
        }
        assertThat(refused).isEqualTo(12);
        assertThat(IntStream.of(suggestedFor).boxed().toList())
                .as("by alternative")
                .allMatch(count -> count > 3);
    }

    /** Each way at another site, for another time. */
    private static Document oneOf(String id, int[] sites, Random random) throws Exception {
        var template = AgreementClient.keyOf(client.templates().get(0));
        var earliest = NOW.plus(Duration.ofMinutes(30 + random.nextInt(2_000)));
        Document offer = null;
        for (int site : sites) {
            int minutes = 30 * (1 + random.nextInt(24));
            var need = new Need.Nodes(1 + random.nextInt(16 * (site + 1)));
            var one = OfferWriter.write(
                    template,
                    new OfferContent(
                            id,
                            "",
                            List.of(new Part(Optional.of("s" + site), Optional.empty(), need)),
                            Duration.ofMinutes(minutes),
                            Optional.of(earliest),
                            Optional.of(earliest.plus(Duration.ofMinutes(minutes + random.nextInt(120))))));
            var way = (Element) one.getElementsByTagNameNS("*", "All").item(0);
            var terms = way.getElementsByTagNameNS("*", "ServiceDescriptionTerm");
            for (int i = 0; i < terms.getLength(); i++) {
                var term = (Element) terms.item(i);
                term.setAttribute("wsag:Name", term.getAttribute("wsag:Name") + "_AT_" + site);
            }
            if (offer == null) {
                offer = one;
                var choice = one.createElementNS(way.getNamespaceURI(), "wsag:ExactlyOne");
                var all = one.createElementNS(way.getNamespaceURI(), "wsag:All");
                way.getParentNode().replaceChild(all, way);
                all.appendChild(choice);
                choice.appendChild(way);
            } else {
                offer.getElementsByTagNameNS("*", "ExactlyOne").item(0).appendChild(offer.importNode(way, true));
            }
        }
        return offer;
    }

    private static void grantAndGiveBack(JsonNode suggestion, List<String> words) throws Exception {
        var command = StreamSupport.stream(suggestion.path("command").spliterator(), false)
                .map(JsonNode::asText)
                .skip(1)
                .toArray(String[]::new);
        assertThat(command).as(suggestion.toString()).isNotEmpty();
        var made = run(with(List.of(command), "--json"));
        assertThat(made.exit())
                .as("%s\nwas refused; suggested: %s\n%s", words, suggestion, made.err())
                .isZero();
        client.terminate(
                new ObjectMapper().readTree(made.out()).path("agreementId").asText());
    }

    /** One of many kinds, most of them too much for the sites as they are. */
    private static List<String> request(Random random) {
        var words = new ArrayList<>(List.of("reserve"));
        boolean open = random.nextBoolean();
        if (open) {
            String where = List.of(
                            "",
                            ",Requirements=Memory >= " + 1024 * (2 + random.nextInt(8)),
                            ",Requirements=Arch == \"X86_64\" && Memory > " + 1024 * random.nextInt(6),
                            ",Requirements=Arch == \"SPARC\"")
                    .get(random.nextInt(4));
            words.addAll(List.of(
                    "--need", "cpu:nodes=" + (1 + random.nextInt(96)) + ",sites=" + (1 + random.nextInt(4)) + where));
        } else {
            for (int site = random.nextInt(3); site < SITES; site += 1 + random.nextInt(3)) {
                words.addAll(List.of("--site", "s" + site + ":nodes=" + (1 + random.nextInt(16 * (site + 1)))));
            }
            if (random.nextInt(4) == 0) {
                words.addAll(List.of("--site", "s0:licences=" + (1 + random.nextInt(2)) + ",feature=solver"));
            }
        }
        int minutes = 30 * (1 + random.nextInt(24));
        var earliest = NOW.plus(Duration.ofMinutes(30 + random.nextInt(2_000)));
        var deadline = earliest.plus(Duration.ofMinutes(minutes + random.nextInt(240)));
        words.addAll(List.of("--duration", Duration.ofMinutes(minutes).toString()));
        words.addAll(List.of("--earliest", earliest.toString(), "--deadline", deadline.toString()));
        words.addAll(List.of("--server", server.base().toString()));
        return words;
    }

    private static String[] with(List<String> words, String more) {
        return Stream.concat(words.stream(), Stream.of(more)).toArray(String[]::new);
    }

    private static Ran run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exit = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Ran(exit, out.toString(), err.toString());
    }
}
