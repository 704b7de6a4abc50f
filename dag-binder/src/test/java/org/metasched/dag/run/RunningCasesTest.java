package org.metasched.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.DagParser;
import org.metasched.dag.run.DagRun.Ending;

/**
 * DAGs with the exit codes of their scripts and jobs, and what condor_dagman's rules make of them ({@code -Dmetasched.running=FILE}
 * for others). Whatever runs at once ends in an order drawn at random, several times for each case.
 */
class RunningCasesTest {

    private static final ReadOptions JSON = ReadOptions.NEW.with(Syntax.JSON);
    private static final int ORDERS = 5;

    @TempDir
    private Path folder;

    @Test
    void statesAttemptsExitCodesRescueFilesAndOrderAreAsExpected() throws Exception {
        Path shared = Path.of(System.getProperty("metasched.shared", "../../shared"));
        Path file = Path.of(System.getProperty(
                "metasched.running", shared.resolve("dag/running-cases.jsonl").toString()));
        var lines = new ArrayList<String>();
        // Our own cases, which a model in Python answered.
        try (var own = Objects.requireNonNull(RunningCasesTest.class.getResourceAsStream("running.jsonl"))) {
            new String(own.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(lines::add);
        }
        if (Files.isReadable(file)) {
            lines.addAll(Files.readAllLines(file));
        }
        var wrong = new ArrayList<String>();
        int cases = 0;
        for (String line : lines) {
            cases++;
            // The limit of the whole DAG has an empty name there, which no attribute has.
            ClassAd one = ClassAd.parse(line.replace("\"\":{\"max\"", "\"*\":{\"max\""), JSON);
            for (int order = 0; order < ORDERS; order++) {
                String difference = new Play(one, order).difference();
                if (!difference.isEmpty()) {
                    wrong.add(text(one.evaluate("id")) + " in order " + order + ": " + difference);
                    break;
                }
            }
        }
        System.out.println(cases + " running DAGs in " + ORDERS + " orders each, " + wrong.size() + " wrong");
        assertThat(wrong).isEmpty();
        assertThat(cases).isGreaterThan(200);
    }

    /** One case in one order of endings. */
    private final class Play implements RunExecutor {
        private final ClassAd codes;
        private final ClassAd expected;
        private final Random random;
        private final DagRun run;
        private final boolean isHalted;
        private final List<Runnable> pending = new ArrayList<>();
        private final Map<String, List<String>> seq = new LinkedHashMap<>();
        private final Map<String, List<Long>> returns = new LinkedHashMap<>();
        private final Map<String, int[]> span = new LinkedHashMap<>();
        private final List<String> submitted = new ArrayList<>();
        private final Map<String, Integer> withJobs = new LinkedHashMap<>();
        private Optional<RescueState> rescue = Optional.empty();
        private String complaint = "";
        private int now;

        private Play(ClassAd one, int seed) throws Exception {
            codes = ad(one.evaluate("codes"));
            expected = ad(one.evaluate("expect"));
            random = new Random(seed);
            ClassAd options = ad(one.evaluate("options"));
            Path dag = Files.writeString(folder.resolve("x.dag"), text(one.evaluate("dag")));
            DagNodes nodes = new DagParser().nodes(dag);
            isHalted = flag(options, "halted", false);
            run = new DagRun(
                    nodes,
                    Set.of(),
                    new RunOptions(
                            flag(options, "always_run_post", false),
                            (int) number(options, "tolerance"),
                            (int) number(options, "maxjobs"),
                            flag(options, "depth_first", false),
                            flag(options, "retry_node_first", false),
                            flag(options, "reset_retries", true)),
                    this);
        }

        private String difference() {
            if (isHalted) {
                run.halt();
            }
            run.start();
            for (int step = 0; run.ending().isEmpty(); step++) {
                if (pending.isEmpty() || step > 100_000) {
                    return "stuck: " + run.nodes().values();
                }
                pending.remove(random.nextInt(pending.size())).run();
            }
            return complaint.isEmpty() ? compared(run.ending().orElseThrow()) : complaint;
        }

        private void touch(RunNode node) {
            now++;
            span.computeIfAbsent(node.name(), name -> new int[] {now, now})[1] = now;
        }

        private List<Value> table(RunNode node, String part) {
            if (!codes.has(node.name())) {
                return List.of();
            }
            ClassAd own = ad(codes.evaluate(node.name()));
            return own.has(part) ? list(own.evaluate(part)) : List.of();
        }

        private Optional<Value> entry(RunNode node, String part) {
            List<Value> table = table(node, part);
            return table.isEmpty()
                    ? Optional.empty()
                    : Optional.of(table.get(Math.min(node.attempt(), table.size() - 1)));
        }

        private void note(RunNode node, String event) {
            seq.computeIfAbsent(node.name(), name -> new ArrayList<>()).add(event);
            touch(node);
        }

        @Override
        public void pre(RunNode node) {
            touch(node);
            script(node, "pre", node.node().pre().flatMap(DagNode.Script::defer), 0);
        }

        @Override
        public void post(RunNode node) {
            returns.computeIfAbsent(node.name(), name -> new ArrayList<>()).add((long) node.returned());
            script(node, "post", node.node().post().flatMap(DagNode.Script::defer), 0);
        }

        private void script(RunNode node, String part, Optional<DagNode.Defer> defer, int turn) {
            pending.add(() -> {
                List<Value> turns =
                        entry(node, part).map(RunningCasesTest::list).orElse(List.of());
                int code = turns.isEmpty() ? 0 : (int) whole(turns.get(turn));
                note(node, part.toUpperCase(java.util.Locale.ROOT) + ":" + code);
                if (defer.isPresent() && defer.get().status() == code) {
                    script(node, part, defer, turn + 1);
                } else if (part.equals("pre")) {
                    run.preEnded(node, code);
                } else {
                    run.postEnded(node, code);
                }
            });
        }

        @Override
        public int submit(RunNode node) {
            if (!node.name().equals("SRV") && !node.name().equals("END")) {
                submitted.add(node.name());
            }
            throttled(node, 1);
            boolean isNoop = node.node().isNoop();
            Optional<Value> entry = isNoop ? Optional.empty() : entry(node, "job");
            if (entry.isPresent() && entry.get() instanceof Value.Text) {
                note(node, "JOB:SUBMITFAIL");
                pending.add(() -> {
                    throttled(node, -1);
                    run.notSubmitted(node);
                });
                return 1;
            }
            var procs = new ArrayList<Integer>();
            var words = new ArrayList<String>();
            for (Value value : entry.map(RunningCasesTest::list).orElse(List.of())) {
                boolean isRemoved = value instanceof Value.Text;
                procs.add(isRemoved ? DagRun.REMOVED : (int) whole(value));
                words.add(isRemoved ? "RM" : Long.toString(whole(value)));
            }
            if (procs.isEmpty()) {
                procs.add(0);
                words.add("0");
            }
            note(node, "JOB:" + String.join(",", words));
            if (node.name().equals("PROV")) {
                pending.add(() -> provisioner(node, procs));
            } else {
                pending.add(() -> proc(node, procs, 0));
            }
            return procs.size();
        }

        private void provisioner(RunNode node, List<Integer> procs) {
            ClassAd own = codes.has("PROV") ? ad(codes.evaluate("PROV")) : ClassAd.EMPTY;
            if (flag(own, "ready", true)) {
                pending.add(() -> proc(node, procs, 0));
                run.provisioned();
            } else {
                run.notProvisioned();
            }
        }

        private void proc(RunNode node, List<Integer> procs, int at) {
            boolean isLast = at == procs.size() - 1;
            touch(node);
            if (isLast) {
                throttled(node, -1);
            } else {
                pending.add(() -> proc(node, procs, at + 1));
            }
            run.procEnded(node, procs.get(at), isLast);
        }

        /** Keeps count of nodes with jobs, all and by category, and complains when there are too many. */
        private void throttled(RunNode node, int by) {
            for (var entry : fields("max_running").entrySet()) {
                ClassAd limit = ad(entry.getValue());
                if (texts(limit, "nodes").contains(node.name())) {
                    int count = withJobs.merge(entry.getKey(), by, Integer::sum);
                    if (count > number(limit, "max")) {
                        complaint = "category (" + entry.getKey() + ") has " + count + " nodes with jobs";
                    }
                }
            }
        }

        @Override
        public void removeRest(RunNode node) {
            // The case says in which order they end.
        }

        @Override
        public void removeAll() {
            pending.clear();
            withJobs.clear();
        }

        @Override
        public void rescue(RescueState written) {
            rescue = Optional.of(written);
        }

        private String compared(Ending ending) {
            if (!contains("exit", ending.exit())) {
                return "exit " + ending.exit();
            }
            if (expected.has("dag_status")
                    && !contains("dag_status", ending.status().ordinal())) {
                return "status " + ending.status();
            }
            return firstOf(states(), attempts(), order(), rescued(ending));
        }

        private boolean contains(String list, long value) {
            return list(expected.evaluate(list)).stream().anyMatch(one -> whole(one) == value);
        }

        private static String firstOf(String... complaints) {
            for (String one : complaints) {
                if (!one.isEmpty()) {
                    return one;
                }
            }
            return "";
        }

        private String states() {
            for (var entry : fields("states").entrySet()) {
                String state = run.nodes().get(entry.getKey()).state().name();
                if (list(entry.getValue()).stream().noneMatch(one -> text(one).equals(state))) {
                    return "state of " + entry.getKey() + " is " + state;
                }
            }
            List<String> may = expected.has("free") && hasRescue()
                    ? texts(ad(expected.evaluate("rescue")), "done_may")
                    : List.of();
            for (String free : expected.has("free") ? texts(expected, "free") : List.<String>of()) {
                if (hasRescue() && run.nodes().get(free).state() == RunState.DONE && !may.contains(free)) {
                    return "free node " + free + " is done";
                }
            }
            return "";
        }

        private boolean hasRescue() {
            return expected.has("rescue") && expected.evaluate("rescue") instanceof Value.Record;
        }

        private String attempts() {
            for (var entry : fields("attempts").entrySet()) {
                RunNode node = run.nodes().get(entry.getKey());
                int attempts = node.hasStarted ? node.attempt() + 1 : 0;
                if (attempts != whole(entry.getValue())) {
                    return "attempts of " + entry.getKey() + " are " + attempts;
                }
            }
            for (var entry : fields("seq").entrySet()) {
                List<String> want = list(entry.getValue()).stream()
                        .map(RunningCasesTest::text)
                        .toList();
                List<String> got = seq.getOrDefault(entry.getKey(), List.of());
                if (!got.equals(want)) {
                    return "events of " + entry.getKey() + " are " + got + ", want " + want;
                }
            }
            for (var entry : fields("post_return").entrySet()) {
                List<Long> want = list(entry.getValue()).stream()
                        .map(RunningCasesTest::whole)
                        .toList();
                if (!returns.getOrDefault(entry.getKey(), List.of()).equals(want)) {
                    return "$RETURN of " + entry.getKey() + " is " + returns.get(entry.getKey());
                }
            }
            return "";
        }

        private String order() {
            for (Value pair : expected.has("before") ? list(expected.evaluate("before")) : List.<Value>of()) {
                int[] first = span.get(text(list(pair).get(0)));
                int[] second = span.get(text(list(pair).get(1)));
                if (first == null || second == null || first[1] >= second[0]) {
                    return text(list(pair).get(1)) + " does not come after "
                            + text(list(pair).get(0));
                }
            }
            if (expected.has("submit_order") && !submitted.equals(texts(expected, "submit_order"))) {
                return "submitted as " + submitted;
            }
            return "";
        }

        private String rescued(Ending ending) {
            if (!hasRescue()) {
                return rescue.isPresent() || ending.hasRescue() ? "a rescue file was written" : "";
            }
            ClassAd want = ad(expected.evaluate("rescue"));
            if (rescue.isEmpty()) {
                return flag(want, "always", true) ? "no rescue file" : "";
            }
            List<String> done = rescue.get().done();
            if (!done.containsAll(texts(want, "done_must"))
                    || !texts(want, "done_may").containsAll(done)) {
                return "the rescue file says done: " + done;
            }
            if (want.has("retry")) {
                for (var entry : fields(want, "retry").entrySet()) {
                    if (!Long.valueOf(whole(entry.getValue()))
                            .equals(rescue.get()
                                    .retries()
                                    .getOrDefault(entry.getKey(), -1)
                                    .longValue())) {
                        return "retries of " + entry.getKey() + " in the rescue file: "
                                + rescue.get().retries().get(entry.getKey());
                    }
                }
            }
            return "";
        }

        private Map<String, Value> fields(String name) {
            return fields(expected, name);
        }

        private static Map<String, Value> fields(ClassAd of, String name) {
            var fields = new LinkedHashMap<String, Value>();
            if (of.has(name)) {
                ClassAd ad = ad(of.evaluate(name));
                ad.names().forEach(field -> fields.put(field, ad.evaluate(field)));
            }
            return fields;
        }
    }

    private static ClassAd ad(Value value) {
        return ((Value.Record) value).ad();
    }

    private static List<Value> list(Value value) {
        var list = (Value.ListOf) value;
        return list.elements().stream()
                .map(element -> element.evaluate(list.scope()))
                .toList();
    }

    private static List<String> texts(ClassAd ad, String name) {
        return list(ad.evaluate(name)).stream().map(RunningCasesTest::text).toList();
    }

    private static String text(Value value) {
        return ((Value.Text) value).text();
    }

    private static long whole(Value value) {
        return ((Value.Int) value).value();
    }

    private static long number(ClassAd ad, String name) {
        return ad.has(name) && ad.evaluate(name) instanceof Value.Int value ? value.value() : 0;
    }

    private static boolean flag(ClassAd ad, String name, boolean otherwise) {
        return ad.has(name) && ad.evaluate(name) instanceof Value.Bool flag ? flag.value() : otherwise;
    }
}
