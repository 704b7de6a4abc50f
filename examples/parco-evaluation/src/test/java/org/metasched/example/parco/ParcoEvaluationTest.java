package org.metasched.example.parco;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.adapter.simulated.Workload;
import org.metasched.simulation.RunEvaluation;
import org.metasched.simulation.RunProgress;
import org.metasched.simulation.SiteChooser;
import org.metasched.simulation.SiteWire;
import org.metasched.simulation.scenario.ScenarioReader;
import org.metasched.simulation.sweep.SweepCell;

/** The scenarios of this folder, a week of each over small traces in place of the archive's. */
class ParcoEvaluationTest {

    private static final Path FOLDER = Path.of(System.getProperty("metasched.root"), "examples/parco-evaluation");

    private final Map<String, Path> traces = new HashMap<>();

    @TempDir
    private Path folder;

    @BeforeEach
    void makeTraces() throws Exception {
        traces.put("kth", trace("kth", 100, 1));
        traces.put("nasa", trace("nasa", 128, 2));
        traces.put("lanl", trace("lanl", 256, 3));
    }

    private Path trace(String name, int processors, int seed) throws Exception {
        var text = new StringBuilder("; MaxProcs: " + processors + "\n");
        for (LocalJob job :
                Workload.synthetic(processors, 1500, seed).withLoad(0.6).jobs()) {
            text.append(String.format(
                    "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 1 1 1 -1 -1%n",
                    job.number(),
                    job.submitSeconds(),
                    job.runSeconds(),
                    job.nodes(),
                    job.nodes(),
                    job.estimateSeconds()));
        }
        return Files.writeString(folder.resolve(name + ".swf"), text);
    }

    @ParameterizedTest
    @CsvSource({"shares.yaml, 25", "policies.yaml, 18", "local.yaml, 60", "load.yaml, 90", "sites.yaml, 18"})
    void everyScenarioRuns(String file, int runs) throws Exception {
        var reader = ScenarioReader.open(FOLDER.resolve(file), traces);
        var cells = SweepCell.of(reader.sweep(), Map.of());

        assertThat(cells).hasSize(runs);
        Map<String, String> shorter = new HashMap<>(Map.of("length", "6d", "warm-up", "1d", "cut", "1d"));
        if (file.equals("shares.yaml") || file.equals("policies.yaml")) {
            shorter.putAll(Map.of("sites.kth.from", "0d", "sites.lanl.from", "0d"));
        } else {
            shorter.put("streams.meta.share", "0.05");
        }
        for (var cell : cells) {
            var altered = new HashMap<>(cell.alterations());
            altered.putAll(shorter);
            reader.read(altered);
        }
        var last = new HashMap<>(cells.get(runs - 1).alterations());
        last.putAll(shorter);
        if (file.equals("policies.yaml") || file.equals("sites.yaml")) {
            // Policies that choose sites need what the command line brings: SimulateCommandTest runs those.
            last.putAll(Map.of("policy", "padded", "padding", "4"));
        }
        var figures = RunEvaluation.of(reader.read(last), SiteWire.NONE, SiteChooser.NONE, RunProgress.NONE)
                .figures();
        assertThat(figures.at("/meta/granted").asInt()).isPositive();
        assertThat(figures.at("/local/jobs").asInt()).isPositive();
    }
}
