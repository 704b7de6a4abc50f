package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.metasched.dag.run.DagRun.Ending;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;
import org.metasched.dag.slurm.DagSlurmCommands;
import org.metasched.dag.slurm.DagmanPlan;
import org.metasched.dag.slurm.DagmanRun;
import org.metasched.dag.slurm.SlurmClient;
import org.metasched.dag.slurm.SlurmProcesses;
import org.metasched.dag.slurm.UnsupportedFeaturesException;

/**
 * Runs DAGs with given exit codes through Slurm's commands, live ones or a stand-in's, and compares states, attempts, events, order of
 * submission and of nodes, limits, what FINAL was told, exit code and rescue file. A cycle is to be refused. Thread-safe.
 */
public final class PlayedDags {

    private final Path folder;
    private final List<String> sbatch;
    private final Clock clock;
    private final Duration poll;

    /**
     * @param folder in which each case gets one of its own
     * @param sbatch how it is called; {@code @} in it stands for the folder of the case
     * @param clock by which submissions are repeated and scripts deferred
     */
    public PlayedDags(Path folder, List<String> sbatch, Clock clock, Duration poll) {
        this.folder = folder;
        this.sbatch = List.copyOf(sbatch);
        this.clock = clock;
        this.poll = poll;
    }

    /** @param events scripts and jobs that ran */
    public record Played(Optional<String> difference, int events) {}

    /** Plays a case. */
    public Played play(JsonNode one) throws Exception {
        String id = one.path("id").asText();
        Path top = Files.createDirectories(folder.resolve(id));
        write(one, top);
        String difference;
        try {
            difference = played(one, top);
        } catch (UnsupportedFeaturesException e) {
            difference = id.startsWith("cycle") && e.getMessage().contains("cycle") ? "" : e.getMessage();
        }
        return new Played(Optional.of(id + ": " + difference).filter(text -> !text.equals(id + ": ")), log(top).size());
    }

    private String played(JsonNode one, Path top) throws Exception {
        var plan = DagmanPlan.of(
                top.resolve("x.dag"),
                Map.of("PATH", System.getenv("PATH")),
                DagmanPlan.Demands.NONE,
                Clock.systemUTC().instant());
        JsonNode options = one.path("options");
        JsonNode expect = one.path("expect");
        var watched = new Watched(expect.path("max_running"));
        var run = new DagmanRun(
                plan,
                watched,
                DagSlurmCommands.of(sbatch.stream()
                        .map(word -> word.replace("@", top.toString()))
                        .toList()),
                Optional.empty(),
                new RunOptions(
                        options.path("always_run_post").asBoolean(),
                        options.path("tolerance").asInt(),
                        options.path("maxjobs").asInt(),
                        options.path("depth_first").asBoolean(),
                        options.path("retry_node_first").asBoolean(),
                        options.path("reset_retries").asBoolean(true)),
                clock);
        watched.run.set(run);
        Ending ending = run.toTheEnd(poll);
        Map<String, String> states = new HashMap<>();
        run.states().forEach((node, state) -> states.put(node, state.toString()));
        return Stream.of(
                        watched.complaint,
                        ended(expect, ending, states),
                        events(expect, log(top)),
                        order(expect, log(top), watched.submitted),
                        rescued(expect.path("rescue"), run.rescueFile()))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static List<List<String>> log(Path top) throws IOException {
        Path file = top.resolve("log");
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .map(line -> List.of(line.split(" ", -1)))
                        .toList()
                : List.of();
    }

    /** Notes the order of submissions, and too many nodes with jobs at once. */
    private static final class Watched implements SlurmClient {
        private final SlurmClient commands = new SlurmProcesses();
        private final JsonNode limits;
        private final AtomicReference<DagmanRun> run = new AtomicReference<>();
        private final Set<String> names = new TreeSet<>();
        private final List<String> submitted = new ArrayList<>();
        private String complaint = "";

        private Watched(JsonNode limits) {
            this.limits = limits;
        }

        @Override
        public String run(List<String> words) throws org.metasched.dag.slurm.SlurmException {
            for (String word : words) {
                if (word.startsWith("--job-name=metasched-") && names.add(word)) {
                    submitted.add(word.replaceAll("--job-name=metasched-\\d+-([^.]*)\\..*", "$1"));
                    check();
                }
            }
            return commands.run(words);
        }

        private void check() {
            Map<String, RunState> states = run.get().states();
            limits.fields().forEachRemaining(limit -> {
                long busy = texts(limit.getValue().path("nodes")).stream()
                        .filter(node -> states.get(node) == RunState.SUBMITTED)
                        .count();
                if (busy > limit.getValue().path("max").asInt()) {
                    complaint = "category (" + limit.getKey() + ") has " + busy + " nodes with jobs";
                }
            });
        }
    }

    /** A table of codes in a file for each node and part: a line for each attempt, words for each turn or proc. */
    private static void write(JsonNode one, Path top) throws IOException {
        String dag = one.path("dag").asText();
        Files.writeString(
                top.resolve("x.dag"),
                dag.replaceAll("(?m)^(JOB|FINAL|SERVICE|PROVISIONER) (\\S+) a\\.sub", "$1 $2 $2.sub")
                        .replaceAll("(?m)^(SUBDAG EXTERNAL) (\\S+) in\\.dag", "$1 $2 $2.dag"));
        if (one.path("options").path("halted").asBoolean()) {
            Files.writeString(top.resolve("x.dag.halt"), "");
        }
        for (String line : dag.split("\n")) {
            String[] words = line.split(" ");
            if (Set.of("JOB", "FINAL", "SERVICE", "PROVISIONER", "SUBDAG").contains(words[0])) {
                boolean isInner = words[0].equals("SUBDAG");
                node(words[isInner ? 2 : 1], isInner, one.path("codes"), top);
            }
        }
        script(top.resolve("pre.sh"), "part=pre; attempt=${2:-0}; more=-\n");
        // Slurm's name of the job ends in the attempt; that of a sub-DAG is in the name of its folder.
        script(top.resolve("job.sh"), """
                part=job; attempt=${SLURM_JOB_NAME##*.}; more=${SLURM_ARRAY_TASK_ID:-0}
                script=$(tr '\\0' '\\n' < /proc/$PPID/cmdline | sed -n 2p)
                [ "$2" = inner ] && attempt=$(sed -n "s/^results='.*\\.\\([0-9]*\\)\\/results'$/\\1/p" "$script")
                [ -e "$node.ready" ] && condor_chirp set_job_attr ProvisionerState 2
                """);
        script(top.resolve("post.sh"), "part=post; attempt=${3:-0}; more=${told:-$2}\n");
    }

    private static void node(String name, boolean isInner, JsonNode codes, Path top) throws IOException {
        int procs = 1;
        var own = codes.path(name);
        for (String part : List.of("pre", "job", "post")) {
            var lines = new ArrayList<String>();
            for (JsonNode attempt : own.path(part)) {
                procs = part.equals("job") ? Math.max(procs, attempt.size()) : procs;
                lines.add(attempt.isTextual() ? attempt.asText() : String.join(" ", texts(attempt)));
            }
            if (!lines.isEmpty()) {
                Files.write(top.resolve(name + "." + part), lines);
            }
        }
        if (name.equals("PROV") && own.path("ready").asBoolean(true)) {
            Files.writeString(top.resolve("PROV.ready"), "");
        }
        Files.writeString(
                top.resolve(name + ".sub"),
                "executable = job.sh\narguments = \"%s%s\"\nrequest_memory = 10\nqueue %d\n"
                        .formatted(name, isInner ? " inner" : "", procs));
        if (isInner) {
            // The exit code of condor_dagman is that of its one node.
            Files.writeString(
                    top.resolve(name + ".dag"), "JOB X %1$s.sub\nABORT-DAG-ON X 2 RETURN 2\n".formatted(name));
        }
    }

    private static void script(Path file, String which) throws IOException {
        Files.writeString(
                file,
                "#!/bin/bash\n# Scripts of FINAL are told of the DAG instead.\n"
                        + "case $1 in [0-9]*) told=$1,$2; set -- END 0 0 ;; esac\nnode=$1\n" + which + """
                cd "$(dirname "$0")" || exit 99
                exec 9> lock; flock 9
                if [ $part = job ]; then turn=$((more + 1)); else
                  count=$node.$part.$attempt.turns
                  turn=$(( $(cat "$count" 2> /dev/null || echo 0) + 1 )); echo $turn > "$count"
                fi
                code=0
                if [ -e "$node.$part" ]; then
                  mapfile -t lines < "$node.$part"
                  line=$attempt; [ $line -ge ${#lines[@]} ] && line=$((${#lines[@]} - 1))
                  read -r -a codes <<< "${lines[$line]}"; code=${codes[$((turn - 1))]:-0}
                fi
                echo "$node $part:$code $attempt $more" >> log
                exec 9>&-
                [ "$code" = RM ] && kill -9 $PPID
                [ "$code" = -9 ] && kill -9 $$
                exit "$code"
                """);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static String ended(JsonNode expect, Ending ending, Map<String, String> states) {
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
        return "";
    }

    private static String events(JsonNode expect, List<List<String>> log) {
        var seq = expect.path("seq").fields();
        while (seq.hasNext()) {
            var entry = seq.next();
            List<String> want = texts(entry.getValue()).stream()
                    .map(event -> event.toLowerCase(java.util.Locale.ROOT).replace("rm", "RM"))
                    // Neither a NOOP's job, which is counted there, nor one that is not taken runs.
                    .filter(event -> !event.equals("job:submitfail"))
                    .toList();
            List<String> got = eventsOf(log, entry.getKey());
            if (!got.equals(want)
                    && !got.equals(want.stream()
                            .filter(event -> !event.equals("job:0"))
                            .toList())) {
                return "events of " + entry.getKey() + " are " + got + ", want " + want;
            }
        }
        for (List<String> line : log) {
            JsonNode sees = expect.path("final_sees");
            String[] told = line.get(3).split(",", -1);
            if (line.get(0).equals("END") && told.length == 2 && sees.isObject()) {
                boolean isTrue = texts(sees.path("dag_status")).contains(told[0])
                        && (sees.path("failed_count").isNull()
                                || told[1].equals(sees.path("failed_count").asText()));
                if (!isTrue) {
                    return "FINAL was told " + line.get(3);
                }
            }
        }
        return "";
    }

    /** The procs of one attempt are one event, their codes in the order of the procs. */
    private static List<String> eventsOf(List<List<String>> log, String node) {
        var events = new ArrayList<String>();
        var jobs = new LinkedHashMap<String, Integer>();
        for (List<String> line : log) {
            if (line.get(0).equals(node)) {
                boolean isJob = line.get(1).startsWith("job:");
                Integer first = isJob ? jobs.putIfAbsent(line.get(2), events.size()) : null;
                if (first == null) {
                    events.add(line.get(1));
                } else {
                    events.set(first, events.get(first) + "," + line.get(1).substring(4));
                }
            }
        }
        return events;
    }

    private static String order(JsonNode expect, List<List<String>> log, List<String> submitted) {
        List<String> nodes = log.stream().map(line -> line.get(0)).toList();
        for (JsonNode pair : expect.path("before")) {
            int first = nodes.lastIndexOf(pair.get(0).asText());
            int second = nodes.indexOf(pair.get(1).asText());
            if (first >= 0 && second >= 0 && first > second) {
                return pair.get(1).asText() + " does not come after "
                        + pair.get(0).asText();
            }
        }
        if (expect.path("last").isTextual()
                && nodes.contains(expect.path("last").asText())
                && !nodes.get(nodes.size() - 1).equals(expect.path("last").asText())) {
            return "the last one is " + nodes.get(nodes.size() - 1);
        }
        var counted = submitted.stream()
                .filter(node -> !Set.of("SRV", "END").contains(node))
                .toList();
        return expect.path("submit_order").isArray() && !counted.equals(texts(expect.path("submit_order")))
                ? "submitted as " + counted
                : "";
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

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
    }
}
