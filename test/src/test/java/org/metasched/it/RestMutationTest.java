package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that are nearly right. */
@Tag("full")
class RestMutationTest {

    @TempDir
    private static Path folder;

    @AutoClose
    private static RestDoor door;

    @BeforeAll
    static void serve() throws Exception {
        door = new RestDoor(folder);
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A body of an operation that takes one. */
    private record Sent(String method, String path, String body) {}

    private static final String STAGES =
            "{\"parts\":[{\"requirements\":\"other.x > 1\",\"nodes\":8,\"cores\":2,\"properties\":[\"gpu\"],"
                    + "\"split\":{\"leastPiece\":2,\"mostPieces\":3},\"stage\":\"a\"},{\"site\":\"fzj\",\"licences\":1,"
                    + "\"feature\":\"m\",\"stage\":\"b\"}],\"stages\":[{\"name\":\"a\"},{\"name\":\"b\",\"after\":[{\"stage\":\"a\","
                    + "\"lag\":\"PT1M\",\"within\":\"PT2H\"}]}],\"duration\":\"PT1H\",\"earliest\":\"2030-01-01T00:00:00Z\","
                    + "\"deadline\":\"2030-01-02T00:00:00Z\",\"prefer\":\"cost\",\"ifDegraded\":\"end\"}";
    private static final String PEOPLE =
            "{\"parts\":[{\"site\":\"fzj\",\"nodes\":1}],\"duration\":\"PT1M\",\"label\":\"beam\","
                    + "\"users\":[\"bob\"],\"project\":\"p\",\"prefer\":\"start\"}";
    private static final String PROGRAM =
            "{\"parts\":[{\"site\":\"fzj\",\"nodes\":1}],\"duration\":\"PT1M\",\"program\":{\"command\":"
                    + "[\"/bin/true\",\"x\"],\"perNode\":1,\"together\":\"PT1M\"},\"deadline\":\"2030-01-02T00:00:00Z\"}";
    private static final List<Sent> SENT = List.of(
            new Sent("POST", "/agreements", STAGES),
            new Sent("POST", "/plans?most=1", STAGES),
            new Sent("POST", "/plans?most=1", PROGRAM),
            new Sent("POST", "/agreements", PEOPLE),
            new Sent("PATCH", "/agreements/x", "{\"duration\":\"PT2H\",\"nodes\":3,\"earliest\":null,\"label\":\"y\"}"),
            new Sent(
                    "POST",
                    "/notices",
                    "{\"to\":\"https://hooks.example.org/x\",\"events\":[\"soon\",\"ended\"],\"lead\":\"PT1H\",\"agreement\":\"x\"}"),
            new Sent("POST", "/me/calendars", "{\"site\":\"fzj\"}"),
            new Sent("POST", "/matches", "{\"site\":\"fzj\",\"holder\":\"x\"}"),
            new Sent("PATCH", "/matches/00000000-0000-0000-0000-000000000000", "{\"confirmed\":true}"));

    @Test
    void aMutatedBodyIsNeverAFailureOfTheService() throws Exception {
        var random = new Random(38);
        var seen = new TreeMap<String, Integer>();
        String changed = RestDoor.body(door.send("alice", "POST", "/agreements", RestDoor.HOUR))
                .path("agreementId")
                .asText();
        var odd = List.of(
                "null",
                "-1",
                "0",
                "1e99",
                "99999999999",
                "\"\"",
                "\"\\u0000\"",
                "\"\\ud800\"",
                "[]",
                "{}",
                "true",
                "\"PT-1H\"",
                "\"+999999999-12-31T23:59:59Z\"",
                "\"P9999999D\"",
                "\"]]>&<\"",
                "[[[[]]]]");
        for (int i = 0; i < Integer.getInteger("metasched.mutations", 2000); i++) {
            var plain = SENT.get(i % SENT.size());
            var one = new Sent(
                    plain.method(),
                    plain.path(),
                    plain.body().replace("\"agreement\":\"x\"", "\"agreement\":\"" + changed + "\""));
            String sent = random.nextInt(3) == 0
                    ? cut(one.body(), random)
                    : swapped(JSON.readTree(one.body()), odd, random).toString();
            var answer =
                    door.send("alice", one.method(), one.path().replace("/x", "/" + changed), sent, "If-Match", "*");
            assertThat(answer.statusCode())
                    .as(sent + "\n" + answer.body())
                    .isIn(200, 201, 400, 404, 409, 412, 422, 503);
            seen.merge(one.method() + " " + one.path() + " " + answer.statusCode(), 1, Integer::sum);
            if (one.method().equals("PATCH")
                    && answer.statusCode() < 300
                    && one.path().contains("/x")) {
                changed = RestDoor.body(answer).path("agreementId").asText();
            } else if (answer.statusCode() == 201) {
                String made = answer.headers().firstValue("Location").orElseThrow();
                door.send("alice", "DELETE", made.substring("/api/v1".length()), "");
            }
        }
        System.out.println("RestMutation: " + seen);
    }

    private static String cut(String text, Random random) {
        int at = random.nextInt(text.length());
        return text.substring(0, at) + (char) (32 + random.nextInt(90)) + text.substring(at + random.nextInt(2));
    }

    /** Another value somewhere. */
    private static JsonNode swapped(JsonNode tree, List<String> odd, Random random) throws Exception {
        var objects = new ArrayList<ObjectNode>();
        collect(tree, objects);
        var object = objects.get(random.nextInt(objects.size()));
        var names = new ArrayList<String>();
        object.fieldNames().forEachRemaining(names::add);
        object.set(names.get(random.nextInt(names.size())), JSON.readTree(odd.get(random.nextInt(odd.size()))));
        return tree;
    }

    private static void collect(JsonNode node, List<ObjectNode> objects) {
        if (node instanceof ObjectNode object && !object.isEmpty()) {
            objects.add(object);
        }
        node.forEach(child -> collect(child, objects));
    }
}
