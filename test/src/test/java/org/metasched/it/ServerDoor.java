package org.metasched.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.metasched.adapter.Need;
import org.metasched.agreement.TemplateKey;
import org.metasched.choice.Preference;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.AgreementView;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.metasched.client.OfferWriter.Stage;
import org.metasched.soap.collector.RemoteCollector;

/** The door of a server process: offers in SOAP and in JSON, their agreements, and the server's own counts of the questions to sites. */
final class ServerDoor {

    private static final TemplateKey TEMPLATE = new TemplateKey("CO-ALLOCATION", "1");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern SITE_CALLS =
            Pattern.compile("metasched_site_calls_seconds_count\\{.*site=\"([^\"]+)\"} (\\S+)");
    private static final Pattern NEGOTIATIONS = Pattern.compile("metasched_negotiation_(\\w+_(?:sum|count)) (\\S+)");

    private final URI address;
    private final AgreementClient client;

    ServerDoor(URI address) {
        this.address = address;
        this.client = new AgreementClient(address, Duration.ofMinutes(5));
    }

    /** Parts of one slot, from an instant on. */
    record Offer(
            List<Part> parts, Duration duration, Instant earliest, Optional<Instant> deadline, Preference preference) {

        long lastStart(Duration atMost) {
            return deadline.map(end -> end.minus(duration))
                    .orElseGet(() -> earliest.plus(atMost))
                    .getEpochSecond();
        }
    }

    /** The id of an agreement, or the words of a refusal. */
    record Answer(Optional<String> agreement, String refusal) {}

    /**
     * The server's counts since its start.
     *
     * @param negotiations how many there were, and their rounds and calls together, by the names of the metrics
     * @param bySite calls to each site, those of watching agreements among them
     */
    record Questions(Map<String, Double> negotiations, Map<String, Double> bySite) {

        double more(Questions before, String what) {
            return negotiations.getOrDefault(what, 0.0) - before.negotiations.getOrDefault(what, 0.0);
        }

        /** Calls to each site that was called since. */
        Map<String, Double> since(Questions before) {
            var more = new HashMap<>(bySite);
            before.bySite.forEach((site, calls) -> more.merge(site, -calls, Double::sum));
            more.values().removeIf(calls -> calls == 0);
            return more;
        }
    }

    static Part open(String requirements, Optional<String> rank, int nodes) {
        return new Part(Optional.empty(), Optional.of(requirements), rank, nodes(nodes), Optional.empty());
    }

    static Part named(String site, int nodes) {
        return new Part(Optional.of(site), Optional.empty(), nodes(nodes));
    }

    private static Need nodes(int count) {
        return new Need.Nodes(count);
    }

    Answer soap(String id, Offer offer) throws IOException {
        var content = new OfferContent(
                id,
                "CN=bench",
                List.of(new Stage(offer.parts, offer.duration)),
                Optional.of(offer.earliest),
                offer.deadline,
                offer.preference);
        try {
            var made = client.create(OfferWriter.write(TEMPLATE, content));
            return new Answer(Optional.of(made.agreementId()), "");
        } catch (AgreementFaultException e) {
            return new Answer(Optional.empty(), e.code() + " " + e.getMessage());
        }
    }

    Answer rest(Offer offer) throws IOException, InterruptedException {
        var body = JSON.createObjectNode()
                .put("duration", offer.duration.toString())
                .put("earliest", offer.earliest.toString())
                .put("prefer", offer.preference.word());
        offer.deadline.ifPresent(end -> body.put("deadline", end.toString()));
        var parts = body.putArray("parts");
        for (var part : offer.parts) {
            var one = parts.addObject().put("nodes", part.need().amount());
            part.site().ifPresent(site -> one.put("site", site));
            part.constraint().ifPresent(wanted -> one.put("requirements", wanted));
            part.rank().ifPresent(rank -> one.put("rank", rank));
        }
        var request = HttpRequest.newBuilder(address.resolve("/api/v1/agreements"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()));
        var answer = HTTP.send(request.build(), BodyHandlers.ofString());
        JsonNode said = JSON.readTree(answer.body());
        return answer.statusCode() == 201
                ? new Answer(Optional.of(said.path("agreementId").asText()), "")
                : new Answer(Optional.empty(), answer.body());
    }

    /** What a granted offer holds. */
    AgreementView view(Answer answer) throws IOException, AgreementFaultException {
        return client.show(answer.agreement.orElseThrow(() -> new IllegalStateException(answer.refusal)));
    }

    /** Waits until the server has so many ads of sites. */
    void awaitAds(int sites) {
        try (var collector = RemoteCollector.at(address, Duration.ofMinutes(2))) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(10))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() ->
                            collector.query(CollectorQuery.ofType("Machine")).size() >= sites);
        }
    }

    Questions questions() throws IOException, InterruptedException {
        var negotiations = new HashMap<String, Double>();
        var bySite = new HashMap<String, Double>();
        var request = HttpRequest.newBuilder(address.resolve("/metrics")).build();
        try (var lines = HTTP.send(request, BodyHandlers.ofLines()).body()) {
            lines.forEach(line -> {
                var calls = SITE_CALLS.matcher(line);
                var made = NEGOTIATIONS.matcher(line);
                if (calls.matches()) {
                    bySite.merge(calls.group(1), Double.parseDouble(calls.group(2)), Double::sum);
                } else if (made.matches()) {
                    negotiations.put(made.group(1), Double.parseDouble(made.group(2)));
                }
            });
        }
        return new Questions(negotiations, bySite);
    }
}
