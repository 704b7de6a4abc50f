package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.Need;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.w3c.dom.Document;

/** The same random steps through REST at one server and through SOAP at another: both end in the same states. */
@Tag("full")
class RestBesideSoapTest {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
    private static final int STEPS = 8;
    private static final String NONE = "";

    @TempDir
    private Path folder;

    /** Of one sequence: by number what was asked for, and the id at each server, or none where it was refused. */
    private final List<OfferContent> contents = new ArrayList<>();

    private final List<String> byRest = new ArrayList<>();

    private final List<String> bySoap = new ArrayList<>();

    @Test
    void theSameStepsLeadToTheSameStates() throws Exception {
        int sequences = Integer.getInteger("metasched.sequences", 60);
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        int granted = 0;
        int refused = 0;
        int renegotiated = 0;
        try (var rest = new RestDoor(Files.createDirectory(folder.resolve("rest")), clock);
                var other = new RestDoor(Files.createDirectory(folder.resolve("soap")), clock)) {
            var soap = other.soap("alice");
            var key = AgreementClient.keyOf(soap.templates().get(0));
            for (int seed = 0; seed < sequences; seed++) {
                var random = new Random(seed);
                contents.clear();
                byRest.clear();
                bySoap.clear();
                for (int step = 0; step < STEPS; step++) {
                    String name = "s" + seed + "-" + step;
                    int kind = byRest.isEmpty() ? 0 : random.nextInt(4);
                    if (kind < 2) {
                        var content = content(random, name);
                        contents.add(content);
                        byRest.add(make(rest, content));
                        bySoap.add(make(soap, key, content));
                    } else if (kind == 2) {
                        end(rest, soap, random.nextInt(byRest.size()));
                    } else if (renegotiate(rest, soap, key, name, random)) {
                        renegotiated++;
                    }
                }
                assertThat(states(soap)).as("sequence %d", seed).isEqualTo(states(rest));
                refused += (int) byRest.stream().filter(NONE::equals).count();
                granted += (int) byRest.stream().filter(id -> !id.equals(NONE)).count();
                for (int i = 0; i < byRest.size(); i++) {
                    end(rest, soap, i);
                }
            }
        }
        assertThat(granted).isPositive();
        assertThat(refused).isPositive();
        assertThat(renegotiated).isPositive();
        System.out.printf(
                "%d sequences, %d granted, %d of them in the place of another, %d refused%n",
                sequences, granted, renegotiated, refused);
    }

    @Test
    void aChangeOfAnAgreementAddsNoneToAFullQuota() throws Exception {
        try (var door = new RestDoor(Files.createDirectory(folder.resolve("full")), Clock.fixed(NOW, ZoneOffset.UTC))) {
            String small = "{\"parts\":[{\"site\":\"fzj\",\"nodes\":1}],\"duration\":\"PT1H\"}";
            String id = "";
            for (int i = 0; i < RestDoor.LIVING_AGREEMENTS; i++) {
                var made = door.send("alice", "POST", "/agreements", small);
                assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
                id = RestDoor.body(made).path("agreementId").asText();
            }
            RestDoor.problem(door.send("alice", "POST", "/agreements", small), 503, "BUSY");

            var answer = door.send("alice", "PATCH", "/agreements/" + id, "{\"duration\":\"PT2H\"}", "If-Match", "*");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    /** JSON has no guarantees, so a change over REST would drop them. */
    @Test
    void anAgreementWithGuaranteesIsNotRenegotiatedOverRest() throws Exception {
        try (var door = new RestDoor(Files.createDirectory(folder.resolve("both")), Clock.fixed(NOW, ZoneOffset.UTC))) {
            var soap = door.soap("alice");
            String offer = AgreementClient.text(OfferWriter.write(
                    AgreementClient.keyOf(soap.templates().get(0)), content(new Random(0), "guaranteed")));
            String promise = """
                    <w:GuaranteeTerm xmlns:w="http://schemas.ggf.org/graap/2007/03/ws-agreement" w:Name="WHOLE"
                        w:Obligated="ServiceProvider">
                    <w:ServiceLevelObjective><w:CustomServiceLevel>LostNodes == 0</w:CustomServiceLevel></w:ServiceLevelObjective>
                    <w:BusinessValueList/></w:GuaranteeTerm>
                    """;
            String id = soap.create(AgreementClient.offer(
                            "offer", offer.replaceFirst("</([a-z]+:)?All>", promise + "</$1All>")))
                    .agreementId();

            var answer = door.send("alice", "PATCH", "/agreements/" + id, "{\"duration\":\"PT1H\"}", "If-Match", "*");

            RestDoor.problem(answer, 422, "OFFER_INVALID");
            assertThat(answer.body()).contains("guarantees", "over SOAP only");
        }
    }

    private static OfferContent content(Random random, String id) {
        List<Part> parts = new ArrayList<>();
        int which = random.nextInt(3);
        if (which != 1) {
            parts.add(new Part(Optional.of("fzj"), Optional.empty(), new Need.Nodes(1 + random.nextInt(64))));
        }
        if (which != 0) {
            parts.add(new Part(Optional.of("scai"), Optional.empty(), new Need.Nodes(1 + random.nextInt(8))));
        }
        var earliest = NOW.plus(Duration.ofHours(1 + random.nextInt(5)));
        var length = Duration.ofHours(1 + random.nextInt(3));
        return new OfferContent(
                id,
                "",
                parts,
                length,
                Optional.of(earliest),
                Optional.of(earliest.plus(length).plus(Duration.ofHours(random.nextInt(3)))));
    }

    private static String make(RestDoor rest, OfferContent content) throws Exception {
        var parts = new StringBuilder();
        for (var part : content.stages().get(0).parts()) {
            parts.append(parts.isEmpty() ? "" : ",")
                    .append("{\"site\":\"%s\",\"nodes\":%d}"
                            .formatted(part.site().orElseThrow(), ((Need.Nodes) part.need()).count()));
        }
        var answer = rest.send(
                "alice",
                "POST",
                "/agreements",
                "{\"parts\":[%s],\"duration\":\"%s\",\"earliest\":\"%s\",\"deadline\":\"%s\"}"
                        .formatted(
                                parts,
                                content.stages().get(0).duration(),
                                content.earliest().orElseThrow(),
                                content.deadline().orElseThrow()),
                "Idempotency-Key",
                content.agreementId());
        assertThat(answer.statusCode()).as(answer.body()).isIn(201, 409);
        return RestDoor.body(answer).path("agreementId").asText();
    }

    private static String make(AgreementClient soap, TemplateKey key, OfferContent content) throws Exception {
        try {
            return soap.create(OfferWriter.write(key, content)).agreementId();
        } catch (AgreementFaultException e) {
            return NONE;
        }
    }

    /** Both make a longer or shorter one in its place, or neither. */
    private boolean renegotiate(RestDoor rest, AgreementClient soap, TemplateKey key, String name, Random random)
            throws Exception {
        int number = random.nextInt(byRest.size());
        if (byRest.get(number).equals(NONE)) {
            return false;
        }
        var length = Duration.ofHours(1 + random.nextInt(4));
        var answer = rest.send(
                "alice",
                "PATCH",
                "/agreements/" + byRest.get(number),
                "{\"duration\":\"" + length + "\"}",
                "If-Match",
                "*");
        // Too long for the time up to the deadline is no offer at all.
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 409, 422);
        var old = contents.get(number);
        var content = new OfferContent(
                name,
                "",
                old.stages().get(0).parts(),
                length,
                soap.show(bySoap.get(number)).start(),
                old.deadline());
        contents.add(content);
        byRest.add(answer.headers()
                .firstValue("Content-Location")
                .map(there -> there.replaceFirst(".*/", ""))
                .orElse(NONE));
        bySoap.add(replace(soap, bySoap.get(number), OfferWriter.write(key, content)));
        return answer.statusCode() == 200;
    }

    private static String replace(AgreementClient soap, String old, Document offer) throws Exception {
        try (var negotiation = soap.renegotiate(old)) {
            return negotiation
                    .accept(negotiation.solicit(offer, Optional.empty()))
                    .agreementId();
        } catch (AgreementFaultException e) {
            return NONE;
        }
    }

    /** Both end it, or neither may. */
    private void end(RestDoor rest, AgreementClient soap, int number) throws Exception {
        if (byRest.get(number).equals(NONE)) {
            return;
        }
        int status = rest.send("alice", "DELETE", "/agreements/" + byRest.get(number), "")
                .statusCode();
        boolean ended = true;
        try {
            soap.terminate(bySoap.get(number));
        } catch (AgreementFaultException e) {
            ended = false;
        }
        assertThat(ended).isEqualTo(status < 300);
    }

    private List<String> states(RestDoor rest) throws Exception {
        List<String> states = new ArrayList<>();
        for (String id : byRest) {
            JsonNode one = id.equals(NONE) ? null : RestDoor.body(rest.send("alice", "GET", "/agreements/" + id, ""));
            states.add(one == null ? NONE : one.path("state").asText() + sites(one));
        }
        return states;
    }

    private static List<String> sites(JsonNode agreement) {
        List<String> sites = new ArrayList<>();
        agreement
                .path("sites")
                .forEach(site -> sites.add(site.path("site").asText() + " "
                        + Instant.parse(site.path("start").asText()) + " "
                        + Instant.parse(site.path("end").asText()) + " "
                        + site.path("state").asText()));
        return sites;
    }

    private List<String> states(AgreementClient soap) throws Exception {
        List<String> states = new ArrayList<>();
        for (String id : bySoap) {
            if (id.equals(NONE)) {
                states.add(NONE);
            } else {
                var one = soap.show(id);
                states.add(one.state()
                        + one.sites().stream()
                                .map(site -> site.site() + " " + site.start() + " " + site.end() + " " + site.state())
                                .toList());
            }
        }
        return states;
    }
}
