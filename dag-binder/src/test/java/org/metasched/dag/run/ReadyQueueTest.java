package org.metasched.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.DagParser;

class ReadyQueueTest {

    @Test
    void theLeastPriorityOfAllGoesLast(@TempDir Path folder) throws IOException {
        Path dag = Files.writeString(
                folder.resolve("d.dag"), "JOB A a.sub\nPRIORITY A " + Integer.MIN_VALUE + "\nJOB B b.sub\n");
        var queue = new ReadyQueue();

        new DagParser()
                .nodes(dag)
                .all()
                .forEach(node -> queue.put(new RunNode(node, new int[RunState.values().length]), false));

        assertThat(queue.takeFirst(node -> true).map(RunNode::name)).contains("B");
    }
}
