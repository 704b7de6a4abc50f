package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdapterCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private String config(String scheduler) throws Exception {
        return Files.writeString(folder.resolve("site.yaml"), "site: fzj\nscheduler:\n" + scheduler.indent(2))
                .toString();
    }

    @Test
    void checkPrintsEveryRuleAsJson() throws Exception {
        String config = config("type: simulated\nnodes: 64\nworkload: synthetic\n");

        int exit = run("adapter", "check", "--config", config, "--nodes", "4", "--json");

        JsonNode rules = new ObjectMapper().readTree(out.toString()).get("rules");
        assertThat(rules.findValuesAsText("outcome")).containsOnly("passed", "skipped");
        assertThat(rules.findValuesAsText("id")).startsWith("A1", "A2", "A3").contains("R2", "C1", "S1", "F1", "W1");
        assertThat(rules.get(0).fieldNames()).toIterable().containsExactly("id", "title", "outcome", "detail");
        assertThat(exit).isZero();
    }

    @Test
    void withoutRoomForTheRequestNoRuleIsTried() throws Exception {
        String config = config("type: simulated\nnodes: 4\n");

        int exit = run("adapter", "check", "--config", config, "--nodes", "5");

        assertThat(exit).isEqualTo(1);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .contains("No rule was tried: the site has no start for 5 nodes for PT10M between", "Maybe it is full");
    }

    @Test
    void aSiteThatCannotBeAskedIsNotBlamedRuleByRule() throws Exception {
        String config = config("type: slurm\npartition: p\nrun: {path: [" + folder + "]}\n");

        int exit = run("adapter", "check", "--config", config);

        assertThat(exit).isEqualTo(3);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("No rule was tried: the site could not be asked.", "Site fzj");
    }

    @Test
    void aSiteThatBreaksARuleEndsWithExitCodeOne() throws Exception {
        String config = config("type: simulated\nbandwidth: 1000\nmishaps: {share: 1, seed: 1}\n");

        int exit = run("adapter", "check", "--config", config, "--bandwidth", "10", "--rule", "R1");

        assertThat(exit).isEqualTo(1);
        assertThat(out.toString()).contains("R1  failed");
    }

    /** A simulated site knows no others: the program is asked, and both rules end as they do where nothing is overlooked. */
    @Test
    void othersArePlayedByAProgramAndAPageTellsHowItEnded() throws Exception {
        String config = config("type: simulated\nnodes: 4\n");
        Path others = Files.writeString(
                folder.resolve("others"),
                "#!/bin/sh\necho \"$*\" >> " + folder
                        + "/said\ncase $1 in holdings) echo 'a <job>' ;; hold) echo soon ;; esac\n");
        Files.setPosixFilePermissions(others, PosixFilePermissions.fromString("rwx------"));
        Path page = folder.resolve("report.html");

        run("adapter", "check", "--config", config, "--only", "A1,O1", "--others", others + "", "--report", page + "");

        assertThat(Files.readAllLines(folder.resolve("said"))).containsExactly("holdings", "hold a <job>", "leave");
        assertThat(out.toString())
                .contains("A1  passed", "O1  skipped", "must print an instant such as 2026-01-05T09:30:00Z, not (soon)")
                .doesNotContain("A2");
        assertThat(Files.readString(page))
                .contains("<td>A1</td><td>PASSED</td>", "could not bring about a &lt;job&gt;");
    }

    @Test
    void aReportThatCannotBeWrittenHidesNoResult() throws Exception {
        String config = config("type: simulated\nnodes: 4\n");

        assertThat(run("adapter", "check", "--config", config, "--only", "A1", "--json", "--report", "/dev/full"))
                .isEqualTo(3);
        assertThat(out.toString()).startsWith("{\"rules\":[{\"id\":\"A1\"");
        assertThat(err.toString()).contains("/dev/full: No space left on device");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type: simulatd        | 3:9: type: there is no adapter (simulatd)
            nods: 12              | 4:3: there is no setting 'nods'
            nodes: many           | 4:10: the setting 'nodes' must be a whole number
            nodes: -1             | 4:10: nodes: expected 0 to 100000
            backfilling: sometimes | backfilling: expected conservative, easy or first-fit
            grid: 1500ms          | grid: The time grid (PT1.5S) must be whole seconds
            load: 1e9             | load: expected a number from 0 to 10
            workload: missing.swf | workload: the trace (missing.swf) cannot be read
            speed: 0              | speed: expected 1 to 1000000
            """)
    void aSettingThatCannotBeUsedIsNamedByItsPlace(String setting, String message) throws Exception {
        String type = setting.startsWith("type") ? "" : "type: simulated\n";
        String nodes = setting.startsWith("nod") ? "" : "nodes: 4\n";
        String config = config(type + setting + "\n" + nodes);

        int exit = run("adapter", "check", "--config", config);

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("site.yaml:").contains(message);
    }

    @Test
    void aBrokenTraceIsNamedByFileLineAndColumn() throws Exception {
        var trace = Files.writeString(folder.resolve("t.swf"), "; Version: 2.2\n1 0 5 x\n");
        String config = config("type: simulated\nworkload: " + trace + "\n");

        int exit = run("adapter", "check", "--config", config);

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("t.swf:2:7: field 4 (x) must be a number");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            most-nodes: 8, longest: 12h | R4,Y1          | 2 passed
            look-ahead: 12h             | A1,A2,A3,W1,W2 | 5 passed
            """)
    void aSiteThatGrantsLessThanItHasPassesToo(String limits, String rules, String outcome) throws Exception {
        String config = Files.writeString(
                        folder.resolve("policed.yaml"),
                        "site: policed\nscheduler: {type: simulated, nodes: 16}\npolicy: {rules: [{name: small, "
                                + limits + "}]}\n")
                .toString();

        int exit = run("adapter", "check", "--config", config, "--rule", rules);

        assertThat(out + "" + err).contains(outcome);
        assertThat(exit).isZero();
    }

    @Tag("full")
    @Test
    void theEndOfAShortSlotIsWaitedFor() throws Exception {
        String config = config("type: simulated\nnodes: 4\n");

        run("adapter", "check", "--config", config, "--only", "S3");
        assertThat(out.toString()).contains("S3  skipped", "waits for a slot that ends within PT5M only");
        int ended = run("adapter", "check", "--config", config, "--only", "S3", "--lead", "PT1S", "--duration", "PT2S");

        assertThat(out + "" + err).contains("S3  passed", "1 passed, 0 failed, 0 skipped");
        assertThat(ended).isZero();
    }

    @Tag("full")
    @Test
    void programsRunWhereTheirSlotBeginsSoon() throws Exception {
        String config = config("type: simulated\nnodes: 4\nprograms: {folder: " + folder + "/jobs}\n");
        String[] check = {
            "adapter", "check", "--config", config, "--nodes", "2", "--verbose", "--only", "J4,J5,J6,J7,J8"
        };

        int skipped = run(check);
        assertThat(out + "" + err).contains("with --lead PT5S it does", "0 passed, 0 failed, 5 skipped");
        var waiting = new ArrayList<>(List.of(check));
        waiting.addAll(List.of("--lead", "PT1S"));
        int ran = run(waiting.toArray(String[]::new));

        assertThat(out + "" + err)
                .contains("4 processes, 2 on a node, ran once each.", "5 passed, 0 failed, 0 skipped");
        assertThat(List.of(skipped, ran)).containsOnly(0);
    }
}
