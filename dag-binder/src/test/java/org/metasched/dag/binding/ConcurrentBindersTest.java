package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;

/**
 * Eight processes bind at once and some of them are killed: no site ever has more matches than it allows, and
 * afterwards every bound DAG holds its match and every match has its DAG. {@code -Dmetasched.dags=1000} for more.
 */
@Tag("full")
class ConcurrentBindersTest {

    private static final int BINDERS = 8;
    private static final int SITES = 20;
    private static final int KILLS = 4;

    @TempDir
    private Path folder;

    @Test
    void neverTooManyMatchesAndNoneLostWhenBindersAreKilled() throws Exception {
        int dags = Integer.getInteger("metasched.dags", 120);
        int most = Math.max(1, dags / SITES - 1);
        long seed = Long.getLong("metasched.seed", 20261121L);
        System.out.println("metasched.seed=" + seed);
        writeDags(dags);
        writeSites(most);
        var random = new Random(seed);

        List<Process> binders = new ArrayList<>();
        for (int i = 0; i < BINDERS; i++) {
            binders.add(binder(i, dags));
        }
        int kills = 0;
        while (binders.stream().anyMatch(Process::isAlive)) {
            assertThat(countBySite().values()).allMatch(count -> count <= most);
            int one = random.nextInt(BINDERS);
            if (kills < KILLS
                    && boundDags().size() > kills * dags / 10
                    && binders.get(one).isAlive()) {
                binders.get(one).destroyForcibly().waitFor();
                binders.set(one, binder(one, dags));
                kills++;
            }
            binders.get(one).waitFor(20, TimeUnit.MILLISECONDS);
        }

        assertThat(kills).isEqualTo(KILLS);
        assertThat(binders).allMatch(binder -> binder.exitValue() == 0);
        var notes = new HashSet<String>();
        for (Path bound : boundDags()) {
            notes.add(MatchNote.find(bound).orElseThrow().match());
        }
        var held = ledger().held();
        assertThat(held).allMatch(Lease::committed);
        assertThat(held.stream().map(match -> match.id().toString())).containsExactlyInAnyOrderElementsOf(notes);
        assertThat(countBySite().values()).allMatch(count -> count == most).hasSize(SITES);
        System.out.println(dags + " DAGs, " + SITES + " sites with at most " + most + ": " + held.size() + " bound, "
                + kills + " binders killed");
    }

    private Process binder(int index, int dags) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Binder.class.getName(),
                        folder.toString(),
                        Integer.toString(index),
                        Integer.toString(dags))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(new File(folder.toFile(), "binder-" + index + ".log"))
                .start();
    }

    private void writeDags(int dags) throws Exception {
        Path directory = Files.createDirectories(folder.resolve("dags"));
        for (int i = 0; i < dags; i++) {
            Path own = Files.createDirectories(directory.resolve("d" + i));
            Files.writeString(own.resolve("run.sh"), "");
            Files.writeString(
                    own.resolve("step.sub"), "executable = run.sh\narguments = $ENV(SiteWorkingArea)\nqueue\n");
            Files.writeString(own.resolve("group.dag"), "JOB A step.sub\nJOB B step.sub\nPARENT A CHILD B\n");
        }
    }

    private void writeSites(int most) throws Exception {
        var ads = new StringBuilder();
        for (int i = 0; i < SITES; i++) {
            ads.append("[Name=\"site")
                    .append(i)
                    .append("\"; MyType=\"Machine\"; CurMatches=0; MaxMatches=")
                    .append(most);
            ads.append("; Requirements=CurMatches<MaxMatches; SiteEnvironment=\"SiteWorkingArea=/scratch/")
                    .append(i);
            ads.append("\"]\n");
        }
        Files.writeString(folder.resolve("sites.ads"), ads.toString());
    }

    private FileLeases ledger() throws Exception {
        return new FileLeases(folder.resolve("ledger"), Clock.systemUTC(), new BindingEvidence());
    }

    private Map<String, Integer> countBySite() throws Exception {
        var counts = new TreeMap<String, Integer>();
        ledger().held().forEach(match -> counts.merge(match.site(), 1, Integer::sum));
        return counts;
    }

    private List<Path> boundDags() throws Exception {
        Path out = folder.resolve("out");
        if (!Files.isDirectory(out)) {
            return List.of();
        }
        try (var entries = Files.list(out)) {
            return entries.filter(path -> Files.exists(path.resolve(BindingRecord.FILE)))
                    .filter(path -> !path.getFileName().toString().startsWith("."))
                    .toList();
        }
    }

    /** Binds every eighth DAG that is not bound yet. */
    static final class Binder {
        private Binder() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            int dags = Integer.parseInt(arguments[2]);
            List<ClassAd> ads = ClassAd.parseAll(Files.readString(folder.resolve("sites.ads")), ReadOptions.NEW);
            var locator = LeaseLocator.onThisMachine(Clock.systemUTC());
            var binder = new LeasingBinder(
                    new DagBinder(DagBinder.Options.of(Map.of())), locator.settle(folder.resolve("ledger")), locator);
            for (int i = Integer.parseInt(arguments[1]); i < dags; i += BINDERS) {
                Path out = folder.resolve("out").resolve("d" + i);
                if (!Files.exists(out)) {
                    var dag = NestedDag.read(
                            folder.resolve("dags").resolve("d" + i).resolve("group.dag"));
                    var job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
                    binder.bind(dag, job, ads, out);
                }
            }
        }
    }
}
