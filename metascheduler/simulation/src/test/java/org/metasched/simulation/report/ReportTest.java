package org.metasched.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.simulation.RunEvaluation;
import org.metasched.simulation.RunProgress;
import org.metasched.simulation.SiteChooser;
import org.metasched.simulation.SiteWire;
import org.metasched.simulation.report.HtmlReport.Window;
import org.metasched.simulation.result.RunFiles;
import org.metasched.simulation.scenario.ScenarioReader;

/** Six small runs: three shares, two seeds. */
class ReportTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void run() throws Exception {
        var file = folder.resolve("s.yaml");
        Files.writeString(file, """
                length: 10d
                sites: {a: {workload: synthetic, nodes: 16, jobs: 1000, load: 0.5}, b: {workload: none, nodes: 16}}
                streams: {meta: {share: 0.1, nodes: 2..8, duration: 1h..3h}}
                """);
        var reader = ScenarioReader.open(file, Map.of());
        for (var share : new String[] {"0", "0.1", "0.2"}) {
            for (var seed : new String[] {"1", "2"}) {
                var scenario = reader.read(Map.of("streams.meta.share", share, "seed", seed));
                RunEvaluation.of(scenario, SiteWire.NONE, SiteChooser.NONE, RunProgress.NONE)
                        .write(folder.resolve("runs").resolve(share + "-" + seed));
            }
        }
    }

    private RunComparison comparison() throws IOException {
        return new RunComparison(CompletedRun.readAll(folder.resolve("runs")), Optional.empty());
    }

    @Test
    void runsThatDifferByTheirSeedOnlyAreOneGroupWithAnInterval() throws Exception {
        var groups = comparison().groups();

        assertThat(groups)
                .hasSize(3)
                .allSatisfy(group -> assertThat(group.runs()).hasSize(2));
        var wait = groups.get(1).estimate(RunMetric.ALL.get(0));
        double one = groups.get(1).runs().get(0).figure("local.wait").orElseThrow() / 60;
        double two = groups.get(1).runs().get(1).figure("local.wait").orElseThrow() / 60;
        assertThat(wait.mean()).isCloseTo((one + two) / 2, within(1e-9));
        assertThat(wait.halfWidth()).isFinite();
    }

    @Test
    void differencesArePairedBySeed() throws Exception {
        var groups = comparison().groups();
        var wait = RunMetric.ALL.get(0);
        var paired = groups.get(2).differenceFrom(groups.get(0), wait);
        double one = wait(groups.get(2), 0) - wait(groups.get(0), 0);
        double two = wait(groups.get(2), 1) - wait(groups.get(0), 1);

        assertThat(paired.estimate().mean()).isCloseTo((one + two) / 2, within(1e-9));
        assertThat(paired.estimate().count()).isEqualTo(2);
        assertThat(paired.p()).isEqualTo(0.5);
        var table = comparison().differences().get(1);
        assertThat(comparison().differences()).hasSize(2);
        assertThat(table).extracting(row -> row.get(1)).element(0).isEqualTo("Mean wait of local jobs (min)");
        assertThat(table)
                .extracting(row -> row.get(0))
                .containsExactly(
                        "share=0.2 less share=0",
                        "difference",
                        "95 % by seeds",
                        "p",
                        "n",
                        "95 % by weeks",
                        "seeds for 5 %");
        assertThat(table.get(3).get(1)).isEqualTo("0.500");
        assertThat(table.get(4).get(1)).isEqualTo("2");
        assertThat(comparison()
                        .json()
                        .at("/groups/2/lessFirst")
                        .get("local.wait")
                        .get("n")
                        .asInt())
                .isEqualTo(2);
        assertThat(comparison().json().at("/groups/0").has("lessFirst")).isFalse();
    }

    @Test
    void sitesAreApartAndNamesMayHaveDots() throws Exception {
        var file = Files.writeString(folder.resolve("two.yaml"), """
                length: 35d
                sites: {a.x: {workload: synthetic, nodes: 8, jobs: 2000, load: 0.8}, a: {workload: synthetic, nodes: 64, jobs: 2000, load: 0.4}}
                streams: {meta: {share: 0.1, nodes: 1..4, duration: 1h..3h}}
                """);
        var scenario = ScenarioReader.open(file, Map.of()).read(Map.of());
        RunEvaluation.of(scenario, SiteWire.NONE, SiteChooser.NONE, RunProgress.NONE)
                .write(folder.resolve("two"));
        var group = new RunComparison(CompletedRun.readAll(folder.resolve("two")), Optional.empty())
                .groups()
                .get(0);

        var json = group.json().path("metrics");
        double small = json.path("sites.a.x.local.wait").path("mean").asDouble();
        double large = json.path("sites.a.local.wait").path("mean").asDouble();
        double jobs = json.path("local.wait").path("mean").asDouble();
        assertThat(small).isPositive().isNotEqualTo(large);
        assertThat(json.path("siteMeans.wait").path("mean").asDouble()).isCloseTo((small + large) / 2, within(1e-6));
        assertThat(jobs).isBetween(Math.min(small, large), Math.max(small, large));
        assertThat(json.path("local.wait").path("weeksLow").asDouble()).isLessThan(jobs);
        assertThat(json.path("local.wait").path("weeksHigh").asDouble()).isGreaterThan(jobs);
        assertThat(json.path("meta.wait").has("weeksLow")).isFalse();
    }

    @Test
    void runsOfOneSeedInTwoFoldersAreTwoGroups() throws Exception {
        var runs = new ArrayList<CompletedRun>();
        for (var name : List.of("other", "runs")) {
            for (var seed : List.of("1", "2")) {
                var to = Files.createDirectories(folder.resolve(name).resolve("0.1-" + seed));
                if (name.equals("other")) {
                    Files.copy(folder.resolve("runs/0.2-" + seed + "/run.json"), to.resolve("run.json"));
                    var figures = Files.readString(to.resolve("run.json"));
                    Files.writeString(
                            to.resolve("run.json"),
                            figures.replace("\"streams.meta.share\" : \"0.2\"", "\"streams.meta.share\" : \"0.1\""));
                }
                runs.add(CompletedRun.read(to));
            }
        }
        runs.add(runs.get(0));

        var groups = RunGroup.of(runs);

        assertThat(groups)
                .extracting(
                        group -> group.runs().size(),
                        group -> group.parameters().get("folder"))
                .containsExactly(
                        tuple(2, folder.resolve("other").toString()),
                        tuple(2, folder.resolve("runs").toString()));
        assertThat(groups.get(1)
                        .differenceFrom(groups.get(0), RunMetric.ALL.get(0))
                        .estimate()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void eachPartOfAWorkflowIsDrawnOverItsOwnTime() throws Exception {
        var file = Files.writeString(folder.resolve("chain.yaml"), """
                length: 2d
                sites: {a: {workload: none, nodes: 8}, b: {workload: none, nodes: 8}}
                streams: {meta: {per-day: 1, nodes: 8, duration: 6h, order: chain}}
                """);
        var scenario = ScenarioReader.open(file, Map.of()).read(Map.of());
        RunEvaluation.of(scenario, SiteWire.NONE, SiteChooser.NONE, RunProgress.NONE)
                .write(folder.resolve("chain"));
        var run = CompletedRun.read(folder.resolve("chain"));

        var widths = Pattern.compile("width=\"([0-9.]+)\"[^>]*fill=\"#d1495b\"")
                .matcher(new NodeUsageChart(run, 0, 4 * 24 * 3600).svg())
                .results()
                .map(found -> Double.parseDouble(found.group(1)))
                .toList();

        // 810 points are four days, so that a part of six hours has 50.6 of them.
        assertThat(widths)
                .hasSizeGreaterThan(1)
                .allSatisfy(width -> assertThat(width).isCloseTo(50.6, within(0.1)));
    }

    private static double wait(RunGroup group, int run) {
        return group.runs().get(run).figure("local.wait").orElseThrow() / 60;
    }

    @Test
    void thePageIsWholeAndHasNoScripts() throws Exception {
        HtmlReport.write(folder.resolve("page"), comparison(), new Window(24 * 3600, 72 * 3600));

        var page = Files.readString(folder.resolve("page/report.html"));
        assertThat(page).contains("<table>", "<svg", "Nodes over time").doesNotContain("<script", "href=\"http");
        var names = new ArrayList<String>();
        try (var files = Files.list(folder.resolve("page"))) {
            for (var file : files.filter(f -> f.toString().endsWith(".svg")).toList()) {
                names.add(String.valueOf(file.getFileName()));
                var svg = Files.readString(file, StandardCharsets.UTF_8);
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
                assertThat(svg).contains(">").doesNotContain("NaN", "Infinity");
            }
        }
        assertThat(folder.resolve("page/comparison.json")).content().contains("\"axis\" : \"streams.meta.share\"");
        assertThat(Files.readString(folder.resolve("page/local-wait.svg")))
                .contains("work asked for, as a share of the capacity (0 to 1), meta");
        assertThat(names).contains("local-slowdown.svg", "ecdf-local.svg", "ecdf-meta.svg", "gantt.svg");
    }

    @Test
    void anAxisThatNoRunHasIsRefused() {
        assertThatThrownBy(
                        () -> new RunComparison(CompletedRun.readAll(folder.resolve("runs")), Optional.of("nothing")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(nothing)")
                .hasMessageContaining("streams.meta.share");
    }

    @Test
    void aFolderWithoutACompleteRunIsNamed() throws Exception {
        Files.createDirectories(folder.resolve("empty/0001.partial"));

        assertThatThrownBy(() -> CompletedRun.readAll(folder.resolve("empty")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds no complete run");
    }

    @Test
    void aLineThatIsCutShortIsNamed() throws Exception {
        var whole = CompletedRun.readAll(folder.resolve("runs")).get(0).folder();
        var cut = Files.createDirectories(folder.resolve("cut"));
        for (String name : List.of("run.json", "meta-jobs.csv")) {
            Files.copy(whole.resolve(name), cut.resolve(name));
        }
        var file = Files.writeString(
                cut.resolve("local-jobs.csv"), Files.readString(whole.resolve("local-jobs.csv")) + "7,1");
        var comparison = new RunComparison(CompletedRun.readAll(cut), Optional.empty());

        assertThatThrownBy(() -> HtmlReport.write(folder.resolve("cut-page"), comparison, new Window(0, 9)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ":")
                .hasMessageEndingWith("this is no line of a run's file.");
    }

    @Test
    void aRunThatBeganIsPartialUntilItIsWritten() throws Exception {
        var scenario = ScenarioReader.open(folder.resolve("s.yaml"), Map.of()).read(Map.of());
        var out = folder.resolve("new");
        RunFiles.begin(out);
        assertThat(folder.resolve("new.partial")).isEmptyDirectory();

        RunEvaluation.of(scenario, SiteWire.NONE, SiteChooser.NONE, RunProgress.NONE)
                .write(out);

        assertThat(folder.resolve("new.partial")).doesNotExist();
        assertThat(RunFiles.isComplete(out)).isTrue();
    }

    @Test
    void resultsThatCannotBeWrittenLeaveNoFolderOfThatName() throws Exception {
        var inTheWay = Files.writeString(folder.resolve("file"), "");
        var scenario = ScenarioReader.open(folder.resolve("s.yaml"), Map.of()).read(Map.of());
        var evaluation = RunEvaluation.of(scenario, SiteWire.NONE, SiteChooser.NONE, RunProgress.NONE);

        assertThatThrownBy(() -> evaluation.write(inTheWay.resolve("run")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("The results cannot be written to")
                .hasMessageContaining("file");
        assertThat(Files.exists(inTheWay.resolve("run"))).isFalse();
    }
}
