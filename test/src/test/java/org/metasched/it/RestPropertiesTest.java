package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each object of a body has the properties of the contract, and no other. */
@Tag("full")
class RestPropertiesTest {

    private static final String CASES = """
            POST /plans {"@":1} /components/schemas/Request
            POST /agreements {"@":1} /components/schemas/Request
            POST /agreements {"parts":[{"nodes":1,"@":1}],"duration":"1h"} /components/schemas/Part
            POST /agreements {"parts":[{"nodes":1,"split":{"@":1}}],"duration":"1h"} /components/schemas/Part/properties/split
            POST /agreements {"parts":[{"nodes":1,"stage":"a"}],"duration":"1h","stages":[{"@":1}]} @stages/items
            POST /agreements {"parts":[{"nodes":1,"stage":"a"}],"duration":"1h","stages":[{"name":"a","after":[{"@":1}]}]} @stages/items/properties/after/items
            POST /agreements {"parts":[{"nodes":1}],"duration":"1h","program":{"@":1}} @program
            PATCH /agreements/@own {"@":1} /components/schemas/Change
            POST /notices {"@":1} /components/schemas/NoticeRequest
            POST /me/calendars {"@":1} /components/schemas/CalendarRequest
            POST /matches {"@":1} /components/schemas/MatchRequest
            PATCH /matches/00000000-0000-0000-0000-000000000000 {"@":1} /paths/~1api~1v1~1matches~1{id}/patch/requestBody/content/application~1json/schema
            """;

    @TempDir
    private static Path folder;

    @AutoClose
    private static RestDoor door;

    @BeforeAll
    static void serve() throws Exception {
        door = new RestDoor(folder);
    }

    @Test
    void eachBodyHasAnExampleThatIsValid() {
        door.contract
                .path("paths")
                .forEach(path -> path.forEach(operation -> {
                    String id = operation.path("operationId").asText();
                    examples(id, operation.path("requestBody"));
                    operation.path("responses").fields().forEachRemaining(answer -> {
                        examples(id + " " + answer.getKey(), door.resolved(answer.getValue()));
                    });
                }));
    }

    private static void examples(String what, JsonNode body) {
        body.path("content").fields().forEachRemaining(media -> {
            var example = media.getValue().path("example");
            assertThat(example.isMissingNode()).as(what).isFalse();
            if (media.getKey().endsWith("json")) {
                door.valid(what + ", example", media.getValue().path("schema"), example);
            }
        });
    }

    @Test
    void thePageShowsEachOperationWithItsExamplesAndLoadsNothing() throws Exception {
        var answer = RestDoor.HTTP.send(
                HttpRequest.newBuilder(URI.create(door.server.base() + "/api")).build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("default-src 'none'");
        String page = answer.body();
        assertThat(page).doesNotContain("<script", "src=", "@import", "url(http");
        door.contract
                .path("paths")
                .fields()
                .forEachRemaining(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(verb -> assertThat(page)
                                .contains("<code>" + verb.toUpperCase(Locale.ROOT) + " " + path.getKey() + "</code>")));
        assertThat(page).contains("other.Memory &gt;= 64", "ag-525gthit2efdyhpmy8pd", "fewer: 64 nodes at fzj instead");
    }

    @Test
    void anUnlistedPropertyIsRefusedByItsNameAndEachListedOneIsTaken() throws Exception {
        String own = RestDoor.body(door.send("alice", "POST", "/agreements", RestDoor.HOUR))
                .path("agreementId")
                .asText();
        Set<Set<String>> taken = new HashSet<>();
        for (String line : CASES.lines().toList()) {
            var words = line.split(" ", -1);
            var answer = door.send(
                    "alice",
                    words[0],
                    words[1].replace("@own", own),
                    words[2].replace("@", "surprise"),
                    "If-Match",
                    "*");
            String detail = RestDoor.problem(answer, 422, "OFFER_INVALID")
                    .path("detail")
                    .asText();
            assertThat(detail).as(line).contains(" (surprise) is not known; expected ");
            var said = new TreeSet<>(Arrays.asList(
                    detail.replaceFirst("(?s).*; expected (.*)\\.", "$1").split(", ", -1)));
            var schema = door.contract.at(words[3].replace("@", "/components/schemas/Request/properties/"));
            assertThat(said).as(line).isEqualTo(names(schema));
            taken.add(said);
        }
        Set<Set<String>> written = new HashSet<>();
        door.contract
                .path("paths")
                .forEach(path ->
                        path.forEach(operation -> collect(door.contract, operation.path("requestBody"), written)));
        assertThat(taken).isEqualTo(written);
    }

    private static TreeSet<String> names(JsonNode schema) {
        var names = new TreeSet<String>();
        schema.path("properties").fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The properties of each object in it, examples aside. */
    private static void collect(JsonNode contract, JsonNode node, Set<Set<String>> all) {
        if (node.has("$ref")) {
            collect(contract, contract.at(node.path("$ref").asText().substring(1)), all);
        } else {
            if (node.path("type").asText().equals("object") && node.has("properties")) {
                assertThat(node.path("additionalProperties").isBoolean())
                        .as(node.toString())
                        .isTrue();
                all.add(names(node));
            }
            node.fields().forEachRemaining(field -> {
                if (!field.getKey().startsWith("example")) {
                    collect(contract, field.getValue(), all);
                }
            });
            if (node.isArray()) {
                node.forEach(one -> collect(contract, one, all));
            }
        }
    }
}
