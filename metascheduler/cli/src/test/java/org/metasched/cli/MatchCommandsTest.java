package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatchCommandsTest {

    private static final String JOB =
            "[ Type = \"Job\"; Name = \"j\"; Ports = { [ Label = cpu; Constraint = cpu.Type == \"Machine\" ],"
                    + " [ Label = license; Host = cpu.Name; Constraint = license.Type == \"License\" ] } ]";
    private static final String MACHINE = "[ Type = \"Machine\"; Name = \"m\"; Ports = {"
            + " [ Label = requester; Constraint = requester.Type == \"Job\" ] } ]";
    private static final String LICENSE = "[ Type = \"License\"; Name = \"l\"; Ports = {"
            + " [ Label = requester; Constraint = requester.Host == \"m\" ] } ]";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path dir;

    @Test
    void gangMatchListsWhoIsInWhichGang() throws Exception {
        Path ads = file("ads", JOB + "\n" + MACHINE + "\n" + LICENSE + "\n");

        int exit = run("gang", "match", "--ads", ads.toString(), "--list", "--json");

        assertThat(exit).isZero();
        JsonNode json = json();
        assertThat(json.get("roots").asInt()).isEqualTo(1);
        assertThat(json.get("gangs").asInt()).isEqualTo(1);
        assertThat(json.get("algorithm").asText()).isEqualTo("dynamic");
        assertThat(json.get("assignments").toString())
                .isEqualTo(
                        "[{\"root\":\"j\",\"ports\":[{\"label\":\"cpu\",\"ad\":\"m\"},{\"label\":\"license\",\"ad\":\"l\"}]}]");
    }

    @Test
    void noGangIsExitCodeOneAndTheExplanationSaysWhy() throws Exception {
        Path ads = file("ads", JOB + "\n" + MACHINE + "\n");

        int exit = run("gang", "match", "--ads", ads.toString(), "--explain");

        assertThat(exit).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "Port license: nothing in the pool can ever satisfy license.Type == \"License\"",
                        "license.Type is \"Machine\" || license.Type == \"License\" would let 1 match");
    }

    @Test
    void theExplanationOfGangsIsAlsoJson() throws Exception {
        Path ads =
                file("ads", JOB + "\n" + MACHINE.replace("\"Job\"", "\"Task\"") + "\n" + LICENSE + "\n[ Ports = 3 ]\n");

        int exit = run("gang", "match", "--ads", ads.toString(), "--explain", "--json");

        assertThat(exit).isEqualTo(1);
        JsonNode json = json();
        JsonNode cpu = json.get("explanations").get(0).get("ports").get(0);
        assertThat(cpu.get("clauses").get(0).get("met").asInt()).isEqualTo(1);
        assertThat(cpu.get("refusals").get(0).get("expression").asText()).isEqualTo("requester.Type == \"Task\"");
        assertThat(cpu.get("refusals").get(0).get("because").asText()).isEqualTo("Type is \"Job\"");
        assertThat(json.get("refused").get(0).get("place").asText()).isEqualTo("ad 4 of " + ads);
    }

    @Test
    void adsThatBeginNoGangAreBadInput() throws Exception {
        Path ads = file("ads", MACHINE);

        assertThat(run("gang", "match", "--ads", ads.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("begins a gang");
    }

    @Test
    void classAdMatchPrintsTheBestAndWithAllTheOthers() throws Exception {
        Path job = file("job", "[ Requirements = TARGET.Memory >= 2; Rank = TARGET.Memory ]");
        Path machines = file(
                "machines",
                "[ Name = \"a\"; Memory = 1; Requirements = true ] [ Name = \"b\"; Memory = 2; Requirements = true ]"
                        + " [ Name = \"c\"; Memory = 4; Requirements = true ]");

        int exit = run("classad", "match", job.toString(), machines.toString(), "--all", "--explain", "--json");

        assertThat(exit).isZero();
        JsonNode json = json();
        assertThat(json.get("matches").findValuesAsText("ad")).containsExactly("c", "b");
        assertThat(json.get("explain").get("clauses").get(0).get("met").asInt()).isEqualTo(2);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name + ".ads"), text);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    private int run(String... arguments) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}
