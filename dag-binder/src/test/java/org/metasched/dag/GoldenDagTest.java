package org.metasched.dag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.submit.GoldenCases;

/** Each command of DAGMan in its forms, right and wrong; needs nothing beside the repository. */
class GoldenDagTest {

    @TempDir
    Path folder;

    @Test
    void everyCommandIsTakenOrRefused() throws IOException {
        write("inner.dag", "JOB I1 i.sub\nJOB I2 i.sub\nPARENT I1 CHILD I2\n");
        write("pins.dag", "JOB I i.sub\nPIN_IN I 1\nPIN_OUT I 1\n");
        write("pins2.dag", "JOB I i.sub\nPIN_IN I 1\nPIN_IN I 2\n");
        write("gap.dag", "JOB I i.sub\nPIN_IN I 2\nPIN_OUT I 2\n");
        write("pinsfree.dag", "JOB I i.sub\nJOB J i.sub\nPIN_IN I 1\n");
        write("c.conf", "");
        Files.createDirectory(folder.resolve("d1"));

        GoldenCases.check(GoldenDagTest.class, "dag-cases.txt", this::judge);
    }

    private List<String> judge(String dag) throws IOException {
        ParsedDag parsed = new DagParser().parse(write("d.dag", dag + "\n"));
        List<String> said = new ArrayList<>();
        parsed.errors().forEach(problem -> said.add("error " + text(problem)));
        parsed.warnings().forEach(problem -> said.add("warning " + text(problem)));
        Dag graph = parsed.dag();
        if (parsed.isSound()) {
            said.add("nodes " + graph.nodeCount() + ", edges " + graph.edgeCount() + ", arcs " + graph.arcCount()
                    + ", joins " + graph.joinCount());
        }
        return said;
    }

    private String text(DagProblem problem) {
        return (problem.line() + ":" + problem.column() + " " + problem.reason())
                .replace(folder.toString(), "DIR")
                .replace("\n", " ");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
