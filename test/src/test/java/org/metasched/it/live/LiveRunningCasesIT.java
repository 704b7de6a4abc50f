package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.PlayedDags;
import org.metasched.it.PlayedDags.Played;

/**
 * DAGs with the exit codes of their scripts and jobs, run on live Slurm: node states, attempts, events, order, exit code and rescue file
 * as condor_dagman's rules want them. {@code -Dmetasched.live.cases=60} for more than twelve. Left to {@code RunningCasesIT}, which
 * plays all of them on a stand-in: nodes of several procs, submissions that fail, sub-DAGs, provisioners, a DAG that is halted or a cycle.
 */
@ResourceLock("slurm")
class LiveRunningCasesIT {

    private static final int AT_ONCE = 6;
    private static final Set<String> NOT_HERE =
            Set.of("multi", "tolerance", "submitfail", "subdag", "special", "halted", "cycle");

    @TempDir
    private Path folder;

    private final LiveSite live = LiveSite.named("slurm");

    @LiveTest
    void statesAttemptsEventsExitCodesAndRescueFilesAreAsExpected() throws Exception {
        Path file = Path.of(System.getProperty("metasched.shared", "../shared"), "dag", "running-cases.jsonl");
        assumeTrue(Files.isReadable(file), "There are no cases of running DAGs at " + file + ".");
        List<JsonNode> cases = chosen(file, Integer.getInteger("metasched.live.cases", 12));
        var pool = Executors.newFixedThreadPool(AT_ONCE);
        try {
            var differences = new ArrayList<String>();
            int events = 0;
            var dags = new PlayedDags(folder, words(), Clock.systemUTC(), Duration.ofMillis(500));
            for (Future<Played> played : pool.invokeAll(cases.stream()
                    .<Callable<Played>>map(one -> () -> dags.play(one))
                    .toList())) {
                played.get().difference().ifPresent(differences::add);
                events += played.get().events();
            }
            System.out.println(cases.size() + " DAGs on live Slurm, " + events + " scripts and jobs ran, "
                    + differences.size() + " DAGs differ");
            assertThat(differences).isEmpty();
            assertThat(events).isPositive();
            assertThat(live.command("squeue", "--noheader", "--format=%j")).doesNotContain("metasched-0");
        } finally {
            pool.shutdownNow();
        }
    }

    /** Spread over all kinds that can be played here. */
    private static List<JsonNode> chosen(Path file, int most) throws IOException {
        var fit = new ArrayList<JsonNode>();
        for (String line : Files.readAllLines(file)) {
            JsonNode one = new ObjectMapper().readTree(line);
            String kind = one.path("id").asText().replaceAll("-.*", "");
            if (!NOT_HERE.contains(kind) && onlyPlainCodes(one.path("codes"))) {
                fit.add(one);
            }
        }
        assertThat(fit).hasSizeGreaterThanOrEqualTo(most);
        return Stream.iterate(0, i -> i + 1)
                .limit(most)
                .map(i -> fit.get(i * fit.size() / most))
                .toList();
    }

    private static boolean onlyPlainCodes(JsonNode codes) {
        for (JsonNode node : codes) {
            for (JsonNode job : node.path("job")) {
                if (!job.isArray() || job.size() != 1 || !job.get(0).isInt()) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<String> words() throws IOException {
        var words = new ArrayList<>(List.of("env"));
        live.environment().forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(List.of("sbatch", "--mem=10"));
        return words;
    }
}
