package org.metasched.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.metasched.cli.Main;

/** The benches as commands: their keys are a contract with scripts. */
class BenchCommandsTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), arguments)
                .execute(arguments);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void gangBenchCountsTheSameInEveryRun() throws Exception {
        int exit = run(
                "gang",
                "bench",
                "--jobs",
                "400",
                "--license-density",
                "50",
                "--selectivity",
                "8",
                "--algorithm",
                "exact",
                "--hard",
                "--seed",
                "1",
                "--json");

        assertThat(exit).isZero();
        JsonNode json = json();
        assertThat(json.get("optimal").asBoolean()).isTrue();
        assertThat(json.get("gangs").asInt())
                .isEqualTo(json.get("bound").asInt())
                .isGreaterThanOrEqualTo(json.get("greedyGangs").asInt());
    }

    @Test
    void benchSlotsNeedsOneRoundWhenSitesListTheirWindows() throws Exception {
        int exit = run("bench", "slots", "--sites", "8", "--load", "0.5", "--runs", "3", "--json");

        var figures = new ObjectMapper().readTree(out.toString());
        assertThat(exit).isZero();
        assertThat(figures.fieldNames()).toIterable().contains("rounds", "calls", "millis", "start", "found", "runs");
        assertThat(figures.get("rounds").asDouble()).isEqualTo(1);
        assertThat(figures.get("calls").asDouble()).isEqualTo(8);
    }

    @Test
    void benchSlotsFindsTheSameStartsByBothAlgorithms() throws Exception {
        run("bench", "slots", "--sites", "4", "--load", "0.7", "--runs", "5", "--json");
        var windows = new ObjectMapper().readTree(out.toString());
        out.getBuffer().setLength(0);

        run("bench", "slots", "--sites", "4", "--load", "0.7", "--runs", "5", "--algorithm", "listing1", "--json");

        var listing1 = new ObjectMapper().readTree(out.toString());
        assertThat(listing1.get("start")).isEqualTo(windows.get("start"));
        assertThat(listing1.get("foundShare")).isEqualTo(windows.get("foundShare"));
    }

    @Test
    void theKeysOfAGangBenchAreThoseOfAMatchAndItsOwn() throws Exception {
        run("gang", "bench", "--jobs", "20", "--json");

        assertThat(json().fieldNames())
                .toIterable()
                .containsExactly(
                        "roots",
                        "gangs",
                        "probes",
                        "evaluations",
                        "backtracks",
                        "millis",
                        "algorithm",
                        "jobs",
                        "licenseDensity",
                        "selectivity",
                        "seed",
                        "hard",
                        "continuous",
                        "probesPerJob",
                        "parseMillis",
                        "indexMillis",
                        "textToGangsMillis",
                        "textBytes",
                        "runs");
    }

    @Test
    void adsThatHaveNothingInCommonAreMeasuredKindByKind() throws Exception {
        int exit = run("bench", "classad", "--diverse", "20,3", "--json");

        assertThat(exit).as(err.toString()).isZero();
        assertThat(json().fieldNames())
                .toIterable()
                .containsExactly("values", "names", "requirements", "condor", "condor_names", "machines", "requests");
    }
}
