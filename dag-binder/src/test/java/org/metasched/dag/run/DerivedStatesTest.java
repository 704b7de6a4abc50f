package org.metasched.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        var parser = new DagParser();

        var states = DerivedStates.of(
                parser.nodes(file), Optional.of(parser.parse(file).dag()), Set.of("S+X"), Set.of("A"), Map.of());

        assertThat(states).containsEntry("B", expected);
    }
}
