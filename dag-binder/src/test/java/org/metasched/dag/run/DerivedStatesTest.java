package org.metasched.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.dag.DagParser;

class DerivedStatesTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "WEAK PARENT A CHILD B,READY",
        "PARENT A CHILD B,FUTILE",
        "'WEAK PARENT A CHILD B\nPARENT A CHILD B',FUTILE"
    })
    void aWeakArcStaysWeakBesideASplice(String arcs, RunState expected) throws Exception {
        Files.writeString(folder.resolve("s.dag"), "JOB X x.sub\n");
        Path file = Files.writeString(
                folder.resolve("d.dag"), "JOB A a.sub\nJOB B b.sub\nSPLICE S s.dag\n" + arcs + "\nPARENT S CHILD B\n");

        var states = DerivedStates.of(new DagParser().nodes(file), Set.of("S+X"), Set.of("A"), Map.of());

        assertThat(states).containsEntry("B", expected);
    }

    @Test
    void aNodeWaitsForThoseWithWhichItsPinConnectsIt() throws Exception {
        Files.writeString(folder.resolve("out.dag"), "JOB X x.sub\nPIN_OUT X 1\n");
        Files.writeString(folder.resolve("in.dag"), "JOB Y y.sub\nPIN_IN Y 1\n");
        Path file = Files.writeString(folder.resolve("d.dag"), "SPLICE S out.dag\nSPLICE T in.dag\nCONNECT S T\n");

        var states = DerivedStates.of(new DagParser().nodes(file), Set.of(), Set.of(), Map.of());

        assertThat(states).containsEntry("S+X", RunState.READY).containsEntry("T+Y", RunState.NOT_READY);
    }

    @Test
    void allNodesOfALongChainBehindAFailedOneAreFutile() throws Exception {
        int nodes = 50_000;
        var text = new StringBuilder("JOB n0 n.sub\n");
        for (int i = 1; i < nodes; i++) {
            text.append("JOB n")
                    .append(i)
                    .append(" n.sub\nPARENT n")
                    .append(i - 1)
                    .append(" CHILD n")
                    .append(i)
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("d.dag"), text);

        var states = DerivedStates.of(new DagParser().nodes(file), Set.of(), Set.of("n0"), Map.of());

        assertThat(states).containsEntry("n" + (nodes - 1), RunState.FUTILE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SPLICE S splice.dag\n"})
    void aLineWithManyParentsAndChildrenTakesMemoryInProportionToItsNames(String splice) throws Exception {
        Files.writeString(folder.resolve("splice.dag"), "JOB x n.sub\n");
        // 4 * 10^8 pairs would not fit into the memory.
        int nodes = 20_000;
        var text = new StringBuilder(splice);
        var parents = new StringBuilder("PARENT");
        var children = new StringBuilder(" CHILD");
        for (int i = 0; i < nodes; i++) {
            text.append("JOB p%d n.sub\nJOB c%d n.sub\n".formatted(i, i));
            parents.append(" p").append(i);
            children.append(" c").append(i);
        }
        Path file =
                Files.writeString(folder.resolve("d.dag"), text.append(parents).append(children));
        var allButOne = new HashSet<String>();
        for (int i = 1; i < nodes; i++) {
            allButOne.add("p" + i);
        }

        var dag = new DagParser().nodes(file);

        assertThat(DerivedStates.of(dag, allButOne, Set.of(), Map.of()))
                .containsEntry("p0", RunState.READY)
                .containsEntry("c0", RunState.NOT_READY);
        assertThat(DerivedStates.of(dag, allButOne, Set.of("p0"), Map.of())).containsEntry("c7", RunState.FUTILE);
        allButOne.add("p0");
        assertThat(DerivedStates.of(dag, allButOne, Set.of(), Map.of())).containsEntry("c7", RunState.READY);
    }
}
