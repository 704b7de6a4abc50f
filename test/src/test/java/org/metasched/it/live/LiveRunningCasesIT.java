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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.dag.run.DagRun.Ending;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.slurm.FollowedPlan;
import org.metasched.dag.slurm.FollowedRun;
import org.metasched.dag.slurm.SlurmCommands;
import org.metasched.dag.slurm.SlurmProcesses;

/**
 * DAGs with the exit codes of their scripts and jobs, run on live Slurm: node states, attempts, events, order, exit code and rescue file
 * as condor_dagman's rules want them. {@code -Dmetasched.live.cases=60} for more than twelve. Left to {@code RunningCasesTest}: nodes of
 * several procs, whose order of ending is given there, submissions that fail, sub-DAGs, provisioners, a DAG that is halted or a cycle.
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
            for (Future<Played> played : pool.invokeAll(cases.stream()
                    .<Callable<Played>>map(one -> () -> played(one))
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

    private record Played(Optional<String> difference, int events) {}

    private Played played(JsonNode one) throws Exception {
        Path top = Files.createDirectory(folder.resolve(one.path("id").asText()));
        write(one, top);
        JsonNode options = one.path("options");
        var run = new FollowedRun(
                FollowedPlan.of(
                        top.resolve("x.dag"),
                        Map.of("PATH", System.getenv("PATH")),
                        Set.of("NODE_STATUS_FILE"),
                        Clock.systemUTC().instant()),
                new SlurmProcesses(),
                SlurmCommands.of(words()),
                Optional.empty(),
                new RunOptions(
                        options.path("always_run_post").asBoolean(),
                        options.path("tolerance").asInt(),
                        options.path("maxjobs").asInt(),
                        options.path("depth_first").asBoolean(),
                        options.path("retry_node_first").asBoolean(),
                        options.path("reset_retries").asBoolean(true)),
                Clock.systemUTC());
        Ending ending = run.toTheEnd(Duration.ofMillis(500));
        List<String> log = Files.exists(top.resolve("log")) ? Files.readAllLines(top.resolve("log")) : List.of();
        Map<String, String> states = new HashMap<>();
        run.states().forEach((node, state) -> states.put(node, state.toString()));
        String difference = difference(one.path("expect"), ending, states, log, run.rescueFile());
        return new Played(
                Optional.of(one.path("id").asText() + ": " + difference).filter(text -> !difference.isEmpty()),
                log.size());
    }

    private List<String> words() throws IOException {
        var words = new ArrayList<>(List.of("env"));
        live.environment().forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(List.of("sbatch", "--mem=10"));
        return words;
    }

    /** A table of codes in a file for each node and part: a line for each attempt, words for each turn. */
    private static void write(JsonNode one, Path top) throws IOException {
        Files.writeString(top.resolve("x.dag"), one.path("dag").asText());
        Files.writeString(
                top.resolve("a.sub"), "executable = job.sh\narguments = \"$(JOB)\"\nrequest_memory = 10\nqueue\n");
        var codes = one.path("codes").fields();
        while (codes.hasNext()) {
            var node = codes.next();
            for (String part : List.of("pre", "job", "post")) {
                var lines = new ArrayList<String>();
                for (JsonNode attempt : node.getValue().path(part)) {
                    var turns = new ArrayList<String>();
                    attempt.forEach(code -> turns.add(code.asText()));
                    lines.add(String.join(" ", turns));
                }
                if (!lines.isEmpty()) {
                    Files.write(top.resolve(node.getKey() + "." + part), lines);
                }
            }
        }
        script(top.resolve("pre.sh"), "part=pre; attempt=${2:-0}\n");
        // Slurm's name of the job ends in the attempt.
        script(top.resolve("job.sh"), "part=job; attempt=${SLURM_JOB_NAME##*.}\n");
        script(top.resolve("post.sh"), "part=post; attempt=${3:-0}\n");
    }

    private static void script(Path file, String which) throws IOException {
        Files.writeString(
                file,
                "#!/bin/bash\n# Scripts of FINAL are told of the DAG instead.\n"
                        + "case $1 in [0-9]*) set -- END 0 0 ;; esac\nnode=$1\n" + which + """
                cd "$(dirname "$0")" || exit 99
                count=$node.$part.$attempt.turns
                turn=$(( $(cat "$count" 2> /dev/null || echo 0) + 1 )); echo $turn > "$count"
                code=0
                if [ -e "$node.$part" ]; then
                  lines=$(wc -l < "$node.$part"); line=$((attempt + 1)); [ $line -gt $lines ] && line=$lines
                  code=$(sed -n "${line}p" "$node.$part" | cut -d' ' -f$turn)
                fi
                exec 9> lock; flock 9
                echo "$node $part:${code:-0}" >> log
                exec 9>&-
                [ "${code:-0}" = -9 ] && kill -9 $$
                exit "${code:-0}"
                """);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static String difference(
            JsonNode expect, Ending ending, Map<String, String> states, List<String> log, Optional<Path> rescue)
            throws IOException {
        if (!texts(expect.path("exit")).contains(Integer.toString(ending.exit()))) {
            return "exit " + ending.exit();
        }
        if (expect.has("dag_status")
                && !texts(expect.path("dag_status"))
                        .contains(Integer.toString(ending.status().ordinal()))) {
            return "status " + ending.status();
        }
        var wanted = expect.path("states").fields();
        while (wanted.hasNext()) {
            var entry = wanted.next();
            if (!texts(entry.getValue()).contains(states.get(entry.getKey()))) {
                return entry.getKey() + " is " + states.get(entry.getKey());
            }
        }
        var seq = expect.path("seq").fields();
        while (seq.hasNext()) {
            var entry = seq.next();
            List<String> want = texts(entry.getValue()).stream()
                    .map(event -> event.toLowerCase(java.util.Locale.ROOT))
                    .toList();
            List<String> got = events(log, entry.getKey());
            // A NOOP's job is counted there and runs nothing.
            if (!got.equals(want)
                    && !got.equals(want.stream()
                            .filter(event -> !event.equals("job:0"))
                            .toList())) {
                return "events of " + entry.getKey() + " are " + got + ", want " + want;
            }
        }
        for (JsonNode pair : expect.path("before")) {
            int first = last(log, pair.get(0).asText());
            int second = first(log, pair.get(1).asText());
            if (first >= 0 && second >= 0 && first > second) {
                return pair.get(1).asText() + " does not come after "
                        + pair.get(0).asText();
            }
        }
        return rescued(expect.path("rescue"), rescue);
    }

    private static String rescued(JsonNode want, Optional<Path> rescue) throws IOException {
        if (want.isNull() || want.isMissingNode()) {
            return rescue.isPresent() ? "a rescue file was written" : "";
        }
        if (rescue.isEmpty()) {
            return want.path("always").asBoolean(true) ? "no rescue file" : "";
        }
        List<String> done = Files.readAllLines(rescue.get()).stream()
                .filter(line -> line.startsWith("DONE "))
                .map(line -> line.substring(5))
                .toList();
        return done.containsAll(texts(want.path("done_must")))
                        && texts(want.path("done_may")).containsAll(done)
                ? ""
                : "the rescue file says done: " + done;
    }

    private static List<String> events(List<String> log, String node) {
        return log.stream()
                .filter(line -> line.startsWith(node + " "))
                .map(line -> line.split(" ")[1])
                .toList();
    }

    private static int first(List<String> log, String node) {
        for (int i = 0; i < log.size(); i++) {
            if (log.get(i).startsWith(node + " ")) {
                return i;
            }
        }
        return -1;
    }

    private static int last(List<String> log, String node) {
        for (int i = log.size() - 1; i >= 0; i--) {
            if (log.get(i).startsWith(node + " ")) {
                return i;
            }
        }
        return -1;
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
    }
}
