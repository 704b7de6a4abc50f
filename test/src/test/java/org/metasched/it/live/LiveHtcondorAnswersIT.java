package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.CliProcess;

/**
 * Damaged DAGs and submit descriptions, read by us and by HTCondor 23.9.6: both take a text or both refuse it, and their job ads are the
 * same, but for the differences of {@code docs/dag-quirks.md}. {@code -Dmetasched.live.mutants=N} for more or fewer than a thousand of
 * each, {@code -Dmetasched.live.seed=N} for others.
 */
@ResourceLock("htcondor")
@Execution(ExecutionMode.CONCURRENT)
class LiveHtcondorAnswersIT {

    private static final int CASES = Integer.getInteger("metasched.live.mutants", 1000);
    private static final long SEED = Long.getLong("metasched.live.seed", 34);

    /** Of the machine, the account, the moment or the pool's configuration. */
    private static final Set<String> NOT_COMPARED =
            Set.of("TransferInputSizeMB", "ImageSize", "ExecutableSize", "DiskUsage", "ScheddInterval", "QDate");
    /** From 25.12 on a job asks for disk only where the machine is older; that part alone is a difference. */
    private static final String DISK = "(TARGET.Disk >= RequestDisk)";

    private static final String NEWER_DISK = "(versionGE(split(TARGET.CondorVersion)[1],\"25.12.0\") || " + DISK + ")";

    private final HtcondorPool pool;

    LiveHtcondorAnswersIT() throws IOException {
        pool = new HtcondorPool();
    }

    /** condor_submit_dag -no_submit reads few commands only; condor_dagman -DumpRescue parses all and ends. */
    @LiveTest
    void dagsAreTakenOrRefusedAsByCondorDagman() throws Exception {
        dagFiles();
        Map<String, String> mutants = mutants("dags.txt", 0, ".dag");
        Map<String, String> theirs = answers("""
                version=$(condor_version | head -n 1)
                for dag in "$@"; do
                  condor_submit_dag -no_submit $dag.dag >$dag.log 2>&1 </dev/null || { echo "$dag $?"; continue; }
                  _CONDOR_DAGMAN_LOG=$dag.log timeout 30 condor_dagman -p 0 -f -l . -Dag $dag.dag -Lockfile $dag.lock \\
                    -CsdVersion "$version" -DumpRescue -AutoRescue 0 >$dag.out 2>&1 </dev/null
                  echo "$dag $?"
                done
                """, mutants.keySet(), ".log");
        var differences = new NamedDifferences(DagDifferences.ALL);
        int refused = 0;
        for (var mutant : mutants.entrySet()) {
            String there = theirs.get(mutant.getKey());
            CliProcess.Ended ended = HtcondorPool.ours(
                    "dag",
                    "check",
                    pool.folder().resolve(mutant.getKey() + ".dag").toString());
            String here = ended.exit() == 0 ? "" : ended.err() + ended.out();
            refused += there.isEmpty() ? 0 : 1;
            if (there.isEmpty() != here.isEmpty()) {
                differences.add(mutant.getKey(), there, here, mutant.getValue());
            }
        }
        judge("DAGs", refused, differences);
    }

    @LiveTest
    void submitDescriptionsMakeTheAdsOfCondorSubmit() throws Exception {
        submitFiles();
        Map<String, String> mutants = mutants("submits.txt", 1, ".sub");
        Map<String, String> theirs = answers("""
                for sub in "$@"; do
                  timeout 30 condor_submit -dry-run $sub.ads $sub.sub >$sub.out 2>&1 </dev/null
                  echo "$sub $?"
                done
                """, mutants.keySet(), ".out");
        var differences = new NamedDifferences(SubmitDifferences.ALL);
        int refused = 0;
        for (var mutant : mutants.entrySet()) {
            String there = theirs.get(mutant.getKey());
            CliProcess.Ended ended = HtcondorPool.ours(
                    "submit",
                    "expand",
                    "--clean-env",
                    "--env",
                    "HOME=/home/gridalice",
                    "--env",
                    "USER=gridalice",
                    pool.folder().resolve(mutant.getKey() + ".sub").toString());
            String here = ended.exit() == 0 ? "" : ended.err() + " ";
            refused += there.isEmpty() ? 0 : 1;
            if (there.isEmpty() != here.isEmpty()) {
                differences.add(mutant.getKey(), there, here, mutant.getValue());
            } else if (there.isEmpty()) {
                Path printed = pool.folder().resolve(mutant.getKey() + ".ads");
                List<Map<String, String>> ads = Files.exists(printed) ? ads(Files.readString(printed)) : List.of();
                compare(mutant.getKey(), ads, ads(ended.out()), mutant.getValue(), differences);
            }
        }
        judge("submit descriptions", refused, differences);
    }

    private static void judge(String what, int refused, NamedDifferences differences) throws IOException {
        System.out.println(CASES + " " + what + ", " + refused + " refused by HTCondor, differences named "
                + differences.count() + " " + differences.seen() + ", unnamed "
                + differences.unnamed().size());
        assertThat(differences.unnamed()).isEmpty();
        assertThat(refused).isBetween(CASES / 10, CASES * 9 / 10);
        if (CASES >= 1000) {
            differences.areListedAndSeen();
        }
    }

    private static void compare(
            String title,
            List<Map<String, String>> theirs,
            List<Map<String, String>> ours,
            String text,
            NamedDifferences differences) {
        if (theirs.size() != ours.size()) {
            differences.add(title, theirs.size() + " ads", ours.size() + " ads", text);
        }
        for (int i = 0; i < Math.min(theirs.size(), ours.size()); i++) {
            for (var there : theirs.get(i).entrySet()) {
                String here = ours.get(i).get(there.getKey());
                if (here != null
                        && !NOT_COMPARED.contains(there.getKey())
                        && !here.replace(NEWER_DISK, DISK).equals(there.getValue())) {
                    differences.add(
                            title + " ad " + i,
                            there.getKey() + " = " + there.getValue(),
                            there.getKey() + " = " + here,
                            text);
                }
            }
        }
    }

    private static List<Map<String, String>> ads(String text) {
        var ads = new ArrayList<Map<String, String>>();
        for (String ad : text.strip().split("\n\\s*\n", -1)) {
            var attributes = new LinkedHashMap<String, String>();
            ad.lines().filter(line -> line.contains("=")).forEach(line -> {
                String[] sides = line.split("=", 2);
                attributes.put(sides[0].strip(), sides[1].strip());
            });
            if (!attributes.isEmpty()) {
                ads.add(attributes);
            }
        }
        return ads;
    }

    /** By name; the good texts and those with a known difference are among them. */
    private Map<String, String> mutants(String resource, int words, String suffix) throws IOException {
        List<String> bases = TextMutants.parts(resource);
        List<String> all =
                List.of(TextMutants.parts("words.txt").get(words).strip().split("\\s+"));
        var whole = new ArrayList<>(bases);
        whole.addAll(TextMutants.parts("known-" + resource));
        var generator = new TextMutants(SEED, bases, all);
        var mutants = new LinkedHashMap<String, String>();
        for (String name :
                IntStream.range(0, CASES).mapToObj("m%05d"::formatted).toList()) {
            mutants.put(name, mutants.size() < whole.size() ? whole.get(mutants.size()) : generator.next());
            Files.writeString(pool.folder().resolve(name + suffix), mutants.get(name));
        }
        return mutants;
    }

    /** What their command says of each text it refuses; empty for the others. */
    private Map<String, String> answers(String script, Set<String> names, String suffix) throws Exception {
        var answers = new HashMap<String, String>();
        for (String line : pool.forEach(script, List.copyOf(names), 25)) {
            String[] words = line.split(" ");
            assertThat(words).as(line).hasSize(2);
            boolean accepts = words[1].equals("0");
            Path said = pool.folder().resolve(words[0] + suffix);
            answers.put(words[0], accepts ? "" : "exit " + words[1] + " " + (Files.exists(said) ? read(said) : ""));
        }
        assertThat(answers.keySet()).isEqualTo(names);
        return answers;
    }

    private static String read(Path file) throws IOException {
        List<String> lines = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .map(line -> line.replaceFirst("^\\d\\d/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d ", ""))
                .filter(line -> !line.isBlank())
                .toList();
        // condor_dagman tells its settings first and how it ends last.
        return lines.stream()
                .skip(lines.indexOf("Parsing 1 dagfiles") + 1L)
                .takeWhile(line -> !line.startsWith("Dumping rescue DAG"))
                .collect(Collectors.joining("\n"));
    }

    private void dagFiles() throws IOException {
        Path folder = pool.folder();
        Files.createDirectory(folder.resolve("sub"));
        for (String name : List.of("a.sub", "b.sub", "sub/a.sub", "sub/b.sub")) {
            Files.writeString(folder.resolve(name), "executable = run.sh\nrequest_memory = 1\nqueue\n");
        }
        Files.writeString(folder.resolve("inner.dag"), "JOB I a.sub\nJOB J b.sub\nPARENT I CHILD J\n");
        Files.copy(folder.resolve("inner.dag"), folder.resolve("sub/inner.dag"));
        Files.writeString(
                folder.resolve("pins.dag"), "JOB I a.sub\nJOB J b.sub\nPARENT I CHILD J\nPIN_IN I 1\nPIN_OUT J 1\n");
        Files.writeString(folder.resolve("more.inc"), "RETRY A 3\nVARS B k=\"v\"\n");
        Files.writeString(folder.resolve("dagman.conf"), "DAGMAN_MAX_JOBS_IDLE = 10\n");
    }

    private void submitFiles() throws IOException {
        Path folder = pool.folder();
        Files.createDirectory(folder.resolve("d1"));
        for (String name : List.of("f1.dat", "f2.dat", "d1/f1.dat", "d1/f2.dat", "d1/f.txt")) {
            Files.writeString(folder.resolve(name), "");
        }
        for (String name : List.of("run.sh", "d1/run.sh")) {
            Path program = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
            assertThat(program.toFile().setExecutable(true, false)).isTrue();
        }
        Files.writeString(folder.resolve("list.txt"), "ann 1 2\nbob, 3\n\ncyn 4 5 6\n");
        Files.writeString(folder.resolve("inc.sub"), "included = fromfile\n+Inc = 1\n");
    }
}
