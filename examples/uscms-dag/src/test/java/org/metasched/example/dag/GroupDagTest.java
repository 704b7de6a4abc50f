package org.metasched.example.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.NestedDag;

class GroupDagTest {

    @TempDir
    Path folder;

    @Test
    void hasTheValuesOfTheLeastLoadedSiteInEveryNode() throws Exception {
        NestedDag dag = NestedDag.read(Path.of("group.dag"));
        DagJobAd job = DagJobAd.of(
                dag.file(), Optional.of(Path.of("group.ad")), dag.root().dag().jobAttributes(), Map.of());
        List<ClassAd> sites = ClassAd.parseAll(Files.readString(Path.of("sites.ads")), ReadOptions.OLD);
        Match match = new RankedMatchmaker().match(job.ad(), sites).orElseThrow();

        BoundDag bound = new DagBinder(DagBinder.Options.of(Map.of())).bind(dag, job, match, folder.resolve("bound"));

        assertThat(bound.record().site()).isEqualTo("birch");
        assertThat(bound.warnings()).isEmpty();
        assertThat(lines("simulate.sub"))
                .contains(
                        "executable  = /sw/simulation/bin/simulate",
                        "arguments   = \"--config /wn/tmp/group.conf --events $(events) --seed $(seed)\"",
                        "environment = \"SCRATCH=/wn/tmp SPOOL=/wn/spool\"",
                        "request_memory = 8000");
        assertThat(lines("fetch.sub")).contains("arguments  = \"/data/birch/input/group.conf /wn/tmp/group.conf\"");
        assertThat(lines("bring.sub")).contains("arguments  = \"/wn/tmp/events.out /data/birch/output/events.out\"");
        assertThat(lines("tidy.sub")).contains("arguments  = \"/wn/tmp\"");
        assertThat(lines("group.dag")).isEqualTo(Files.readAllLines(Path.of("group.dag")));
    }

    @Test
    void takesTheDefaultWhereASiteSaysNothing() throws Exception {
        NestedDag dag = NestedDag.read(Path.of("group.dag"));
        DagJobAd job = DagJobAd.of(dag.file(), Optional.of(Path.of("group.ad")), List.of(), Map.of());
        ClassAd alder = ClassAd.parseAll(Files.readString(Path.of("sites.ads")), ReadOptions.OLD)
                .get(0);
        Match match = new RankedMatchmaker().match(job.ad(), List.of(alder)).orElseThrow();

        new DagBinder(DagBinder.Options.of(Map.of())).bind(dag, job, match, folder.resolve("bound"));

        assertThat(lines("simulate.sub")).contains("environment = \"SCRATCH=/scratch/prod SPOOL=/var/spool\"");
    }

    private List<String> lines(String file) throws Exception {
        return Files.readAllLines(folder.resolve("bound").resolve(file));
    }
}
