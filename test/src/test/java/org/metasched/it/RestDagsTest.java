package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.RestDoor.body;
import static org.metasched.it.RestDoor.problem;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.binding.BindingRecord;

/** Bound DAGs as the REST door shows them. */
@Tag("full")
class RestDagsTest {

    @TempDir
    private static Path folder;

    @AutoClose
    private static RestDoor door;

    @BeforeAll
    static void serve() throws Exception {
        door = new RestDoor(folder, Clock.systemUTC(), 1000, ConsoleServer.mayRebind(folder));
    }

    @Test
    @Tag("full")
    void aBoundDagIsSeenByItsOwnerAndByThoseWhoLookAfterTheServer() throws Exception {
        Path bound = door.server.bind("alice");
        String me = body(get("alice", "/me")).path("subject").asText();

        var listed = body(get("alice", "/dags")).path("dags");

        assertThat(listed).hasSize(1);
        var dag = listed.get(0);
        assertThat(dag.path("directory").asText()).isEqualTo(bound.toString());
        assertThat(dag.path("site").asText())
                .isEqualTo(BindingRecord.find(bound).orElseThrow().site());
        assertThat(dag.path("owner").asText()).isEqualTo(me);
        assertThat(dag.path("confirmed").asBoolean()).isTrue();
        assertThat(dag.has("state")).as("a list looks into no directory").isFalse();
        String path = "/dags/" + dag.path("id").asText();
        for (String who : List.of("alice", "op", "auditor")) {
            var one = body(get(who, path));
            assertThat(one.path("state").asText()).as(who).isEqualTo("bound");
            assertThat(one.path("nodes").asInt()).isEqualTo(2);
            int counted = 0;
            for (JsonNode count : one.path("states")) {
                counted += count.asInt();
            }
            assertThat(counted).as("nodes with a state").isEqualTo(2);
        }
        assertThat(body(get("bob", "/dags")).path("dags")).isEmpty();
        problem(get("bob", path), 404, "NOT_FOUND");

        String wish = "{\"site\":\"" + dag.path("site").asText() + "\",\"holder\":\"" + bound + "\"}";
        var others = body(door.send("bob", "POST", "/matches", wish)).path("id").asText();
        var seen = get("bob", "/dags/" + others);
        assertThat(seen.statusCode()).isEqualTo(200);
        assertThat(body(seen).has("state")).as("the DAG of another").isFalse();
        assertThat(door.send("bob", "DELETE", "/matches/" + others, "").statusCode())
                .isEqualTo(204);

        String match = path.replace("/dags", "/matches");
        assertThat(body(get("alice", match)).path("holder").asText()).isEqualTo(bound.toString());
        assertThat(door.send("alice", "DELETE", match, "").statusCode()).isEqualTo(204);
        problem(get("alice", path), 404, "NOT_FOUND");
    }

    @Test
    void pagesHaveTheDagsAmongThePersonsMatchesAndNoOther() throws Exception {
        for (String holder : List.of("/dags/1", "/dags/2", "job 7", "/dags/3")) {
            String wish = "{\"site\":\"fzj\",\"holder\":\"" + holder + "\",\"nodes\":1}";
            assertThat(door.send("bob", "POST", "/matches", wish).statusCode()).isEqualTo(201);
        }

        assertThat(all("/matches?limit=3", "matches", "holder"))
                .containsExactlyInAnyOrder("/dags/1", "/dags/2", "job 7", "/dags/3");
        assertThat(all("/dags?limit=2", "dags", "directory"))
                .containsExactlyInAnyOrder("/dags/1", "/dags/2", "/dags/3");
        for (JsonNode match : body(get("bob", "/matches")).path("matches")) {
            var dag = get("bob", "/dags/" + match.path("id").asText());
            if (match.path("holder").asText().startsWith("/")) {
                assertThat(body(dag).has("state")).as("a directory elsewhere").isFalse();
            } else {
                problem(dag, 404, "NOT_FOUND");
            }
        }
    }

    /** Of bob, over all pages. */
    private static List<String> all(String first, String title, String key) throws Exception {
        List<String> all = new ArrayList<>();
        String path = first;
        while (!path.isEmpty()) {
            var page = get("bob", path);
            body(page).path(title).forEach(one -> all.add(one.path(key).asText()));
            var link = Pattern.compile("<.*?/api/v1(.*)>; rel=\"next\"")
                    .matcher(page.headers().firstValue("Link").orElse(""));
            path = link.matches() ? link.group(1) : "";
        }
        return all;
    }

    private static HttpResponse<String> get(String who, String path) throws Exception {
        return door.send(who, "GET", path, "");
    }
}
