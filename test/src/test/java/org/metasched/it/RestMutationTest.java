package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.RestDoor.body;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that are nearly right. */
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

    @Test
    void aMutatedBodyIsNeverAFailureOfTheService() throws Exception {
        var random = new Random(38);
        String whole = "{\"parts\":[{\"requirements\":\"other.x > 1\",\"nodes\":8,\"cores\":2,\"properties\":[\"gpu\"],"
                + "\"split\":{\"leastPiece\":2,\"mostPieces\":3},\"stage\":\"a\"},{\"site\":\"fzj\",\"licences\":1,"
                + "\"feature\":\"m\",\"stage\":\"b\"}],\"stages\":[{\"name\":\"a\"},{\"name\":\"b\",\"after\":[{\"stage\":\"a\","
                + "\"lag\":\"PT1M\",\"within\":\"PT2H\"}]}],\"duration\":\"PT1H\",\"earliest\":\"2030-01-01T00:00:00Z\","
                + "\"deadline\":\"2030-01-02T00:00:00Z\",\"prefer\":\"cost\",\"ifDegraded\":\"end\"}";
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
            String sent = i % 3 == 0
                    ? cut(whole, random)
                    : swapped(JSON.readTree(whole), odd, random).toString();
            var answer = send("alice", "POST", i % 2 == 0 ? "/agreements" : "/plans?most=1", sent);
            assertThat(answer.statusCode()).as(sent + "\n" + answer.body()).isIn(200, 201, 400, 409, 422, 503);
        }
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

    private static HttpResponse<String> send(String who, String method, String path, String body, String... headers)
            throws Exception {
        return door.send(who, method, path, body, headers);
    }
}
