package org.metasched.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.dag.DagNode.Defer;
import org.metasched.dag.DagNode.Tolerance;

/** What the nodes run is read together with the graph, by the same rules. */
class DagNodesTest {

    @TempDir
    Path folder;

    private DagNodes read(String... lines) throws IOException {
        return new DagParser().nodes(Files.writeString(folder.resolve("d.dag"), String.join("\n", lines) + "\n"));
    }

    @Test
    void numbersBeginATokenWhereverTheyStandAsInCondor() throws IOException {
        DagNodes nodes = read(
                "JOB A a.sub",
                "PRIORITY A 7x",
                "ABORT-DAG-ON A 3.9 RETURN 4z",
                "SCRIPT DEFER 2nd 10s PRE A p.sh",
                "RETRY A 5times UNLESS-EXIT 6.",
                "MAXJOBS c 2.5",
                "CATEGORY A c",
                "TOLERANCE A 4x");

        DagNode.Rules rules = nodes.all().get(0).rules();
        assertThat(nodes.parsed().errors()).isEmpty();
        assertThat(rules.priority()).isEqualTo(7);
        assertThat(rules.abort()).contains(new DagNode.Abort(3, OptionalInt.of(4)));
        assertThat(nodes.all().get(0).pre().orElseThrow().defer()).contains(new Defer(2, 10));
        assertThat(rules.retry()).isEqualTo(new DagNode.Retry(5, OptionalInt.of(6)));
        assertThat(nodes.throttles()).containsEntry("c", 2);
        assertThat(rules.tolerance()).contains(new Tolerance(4, false, false));
    }

    @ParameterizedTest
    @CsvSource({"50%, 2", "50.9%, 2", "50 %, 2", "3 WAIT, 3", "200% FAIL-FAST, 10"})
    void aToleranceMayBeAPercentage(String words, int ofFive) throws IOException {
        DagNode node = read("JOB A a.sub", "TOLERANCE A " + words).all().get(0);

        assertThat(node.rules().tolerance().orElseThrow().of(5)).isEqualTo(ofFive);
        assertThat(node.rules().tolerance().orElseThrow().isWaiting()).isEqualTo(words.contains("WAIT"));
    }

    @Test
    void nodesOfASpliceStandWhereTheSpliceDoes() throws IOException {
        Files.writeString(
                folder.resolve("s.dag"),
                "JOB X x.sub\nVARS X a=\"1\"\nPARENT X CHILD Y\nJOB Y D\n"
                        + "SUBMIT-DESCRIPTION D {\nexecutable = run\n}\n");

        DagNodes nodes = read("JOB A a.sub", "SPLICE S s.dag", "VARS A APPEND b=2", "JOB B b.sub", "DONE A");

        assertThat(nodes.all()).extracting(DagNode::name).containsExactly("A", "S+X", "S+Y", "B");
        assertThat(nodes.find("A").orElseThrow().variables()).containsExactly(new DagNode.Variable("b", "2", true));
        assertThat(nodes.find("A").orElseThrow().isDone()).isTrue();
        assertThat(nodes.find("S+Y").orElseThrow().inlineDescription()).contains("executable = run\n");
        assertThat(nodes.families()).containsExactly(new DagNodes.Family(List.of("S+X"), List.of("S+Y"), false));
    }

    @Test
    void whatIsSaidOfAllNodesIsSaidOfJobsAndNestedDags() throws IOException {
        DagNodes nodes = read(
                "FINAL F f.sub",
                "RETRY ALL_NODES 2",
                "JOB A a.sub",
                "SUBDAG EXTERNAL B b.dag",
                "SCRIPT DEBUG o ALL POST ALL_NODES p.sh x");

        assertThat(nodes.find("F").orElseThrow().rules().retry()).isEqualTo(DagNode.Retry.NONE);
        assertThat(nodes.find("A").orElseThrow().rules().retry().times()).isEqualTo(2);
        assertThat(nodes.find("B").orElseThrow().rules().retry().times()).isEqualTo(2);
        assertThat(nodes.find("A").orElseThrow().post().orElseThrow().words()).containsExactly("p.sh", "x");
        assertThat(nodes.runnerCommands())
                .extracting(DagNodes.RunnerCommand::command)
                .containsExactly("SCRIPT DEBUG");
    }

    @Test
    void aNodeThatACommandMarksDoneIsDoneInTheGraphToo() throws IOException {
        assertThat(read("DONE A", "JOB A a.sub").parsed().dag().isDone(0)).isTrue();
        assertThat(read("JOB A a.sub", "DONE A").parsed().dag().isDone(0)).isTrue();
    }

    @Test
    void eachSpliceHasCategoriesOfItsOwnUnlessTheyBeginWithAPlus() throws IOException {
        Files.writeString(
                folder.resolve("s.dag"),
                "JOB X x.sub\nJOB Y x.sub\nCATEGORY X c\nMAXJOBS c 1\nCATEGORY Y +g\nMAXJOBS +g 2\n");

        DagNodes nodes = read("JOB A a.sub", "CATEGORY A c", "MAXJOBS c 5", "SPLICE S s.dag");

        assertThat(nodes.throttles()).containsOnly(Map.entry("c", 5), Map.entry("S+c", 1), Map.entry("+g", 2));
        assertThat(nodes.all()).extracting(node -> node.rules().category()).containsExactly("c", "S+c", "+g");
    }

    @Test
    void theErrorsAreThoseOfTheGraph() throws IOException {
        DagNodes nodes = read("JOB A a.sub", "RETRY A x");

        assertThat(nodes.parsed().isSound()).isFalse();
        assertThat(nodes.parsed().errors())
                .isEqualTo(new DagParser().parse(folder.resolve("d.dag")).errors());
    }
}
