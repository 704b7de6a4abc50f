package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.RestDoor.body;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What would be refused is planned with the reasons and suggestions of the refusal. One site for two parts is left out: no plan knows. */
class RestReasonsTest {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

    @TempDir
    private static Path folder;

    @AutoClose
    private static RestDoor door;

    @BeforeAll
    static void serve() throws Exception {
        door = new RestDoor(folder, Clock.fixed(NOW, ZoneOffset.UTC));
        var taken = door.send(
                "op",
                "POST",
                "/agreements",
                "{\"parts\":[{\"site\":\"scai\",\"nodes\":8},{\"site\":\"fzj\",\"nodes\":60}],\"duration\":\"2h\"}");
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{'site':'scai','nodes':1}],'duration':'1h','deadline':'2026-01-05T09:30:00Z'",
                "[{'site':'scai','nodes':1},{'site':'fzj','nodes':8}],'duration':'1h','deadline':'2026-01-05T09:30:00Z'",
                "[{'site':'scai','nodes':1},{'nodes':8}],'duration':'1h','deadline':'2026-01-05T09:30:00Z'",
                "[{'nodes':8}],'duration':'1h','deadline':'2026-01-05T09:30:00Z'",
                "[{'requirements':'other.Site == \"x\"','nodes':8}],'duration':'1h'",
                "[{'requirements':'other.TotalNodes > 1000','nodes':8},{'site':'fzj','nodes':1}],'duration':'1h'",
                "[{'site':'fzj','nodes':65}],'duration':'1h'",
                "[{'site':'scai','nodes':9}],'duration':'1h'",
                "[{'site':'scai','nodes':1}],'duration':'1h','earliest':'2040-01-01T00:00:00Z'",
                "[{'site':'fzj','nodes':1,'properties':['gold']}],'duration':'1h'",
                "[{'site':'fzj','bandwidth':10}],'duration':'1h'",
                "[{'nodes':100,'split':{'mostPieces':2}}],'duration':'1h'",
                "[{'site':'fzj','nodes':1,'stage':'a'},{'site':'scai','nodes':1,'stage':'b'}],'stages':[{'name':'a'},{'name':'b',"
                        + "'after':[{'stage':'a'}]}],'duration':'1h','deadline':'2026-01-05T09:30:00Z'",
                "[{'site':'fzj','nodes':1}],'duration':'1h','program':{'command':['/bin/true']},'deadline':'2026-01-05T09:30:00Z'",
                "[{'site':'fzj','nodes':1}],'duration':'1h','users':['CN=Bob'],'project':'P1','deadline':'2026-01-05T07:30:00Z'",
                "[{'site':'fzj','nodes':1}],'duration':'2h','deadline':'2026-01-05T09:00:00Z'"
            })
    void aPlanSaysWhatTheOfferSays(String parts) throws Exception {
        String asked = ("{'parts':" + parts + "}").replace('\'', '"').replace("\"x\"", "\\\"x\\\"");

        var plan = door.send("alice", "POST", "/plans", asked);
        var offer = door.send("alice", "POST", "/agreements", asked);
        assertThat(told(body(plan))).isEqualTo(told(body(offer)));
    }

    /** How soon a start can be depends on how long sites took to answer. */
    private static List<String> told(JsonNode answer) {
        assertThat(answer.path("code").asText()).as(answer.toString()).isNotEmpty();
        return Stream.of("code", "reasons", "suggestions")
                .map(key -> answer.path(key).toString().replaceAll("2026-01-05T08:00:\\d\\dZ", "soon"))
                .toList();
    }
}
