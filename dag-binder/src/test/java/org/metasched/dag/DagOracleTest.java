package org.metasched.dag;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.submit.SharedData;

/** Every public DAG file and every probe, against condor_dag_checker and condor_dagman. */
class DagOracleTest {

    @TempDir
    Path directory;

    @Test
    void realDagsAreJudgedAndCountedAsByCondor() throws IOException {
        Path dags = SharedData.dags().resolve("dags-public");
        List<String> differences = new ArrayList<>();

        for (JsonNode row : SharedData.rows("oracle-dag-public.jsonl")) {
            compare(dags.resolve(row.get("file").asText()), row.get("file").asText(), row, differences);
        }

        assertThat(differences).isEmpty();
    }

    @Test
    void probesOfOneFeatureAreJudgedAndCountedAsByCondor() throws IOException {
        Files.writeString(directory.resolve("probe_inner.dag"), "JOB I1 i.sub\nJOB I2 i.sub\nPARENT I1 CHILD I2\n");
        List<String> differences = new ArrayList<>();

        for (JsonNode row : SharedData.rows("oracle-probes-dag.jsonl")) {
            Path probe = directory.resolve("probe.dag");
            Files.writeString(probe, row.get("dag").asText());
            compare(probe, row.get("dag").asText(), row, differences);
        }

        assertThat(differences).isEmpty();
    }

    private static void compare(Path file, String name, JsonNode row, List<String> differences) throws IOException {
        ParsedDag parsed = new DagParser().parse(file);
        Dag dag = parsed.dag();
        JsonNode stats = row.get("stats");
        boolean refused =
                row.get("checker_rc").asInt() != 0 || row.get("dagman_rc").asInt() != 0;

        if (refused == parsed.isSound()) {
            differences.add(name + ": condor refuses it: " + refused + ", we say " + parsed.errors());
        }
        // condor counts join nodes of splices as if they were the user's.
        if (dag.nodeCount() + dag.joinCount() != stats.path("TotalNodes").asInt()) {
            differences.add(
                    name + ": nodes " + dag.nodeCount() + " and " + dag.joinCount() + " for joins, not " + stats);
        }
        if (dag.arcCount() != stats.path("NumArcs").asInt()) {
            differences.add(name + ": arcs " + dag.arcCount() + ", not " + stats);
        }
        for (JsonNode error : row.get("errors")) {
            int line =
                    error.isArray() ? error.get(0).asInt() : error.get("line").asInt();
            String reason = error.isArray()
                    ? error.get(2).asText()
                    : error.get("reason").asText();
            String said = reason.contains("<CWD>") ? reason.substring(0, reason.indexOf("<CWD>")) : reason;
            boolean found = parsed.errors().stream()
                    .anyMatch(e -> e.line() == line && e.reason().startsWith(said));
            if (!found) {
                differences.add(name + ": condor says on line " + line + " " + reason + ", we say " + parsed.errors());
            }
        }
    }
}
