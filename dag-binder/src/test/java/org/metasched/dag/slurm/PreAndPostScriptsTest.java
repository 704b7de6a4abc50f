package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagParser;

class PreAndPostScriptsTest {

    @TempDir
    private Path folder;

    @Test
    void theLogSaysWhyAScriptCannotBeStarted() throws Exception {
        Path file = Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\nSCRIPT PRE A ./missing.sh\n");
        DagNode node = new DagParser().nodes(file).all().get(0);
        Path log = folder.resolve("A.pre.log");
        var code = new CompletableFuture<Integer>();

        new PreAndPostScripts(folder, Map.of()).start(node, node.pre().orElseThrow(), Map.of(), log, code::complete);

        assertThat(code.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(log).content().startsWith(file + ":2: ").contains("missing.sh");
    }
}
