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

    @Test
    void whatAScriptHasStartedIsKilledWithIt() throws Exception {
        Path file = Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\nSCRIPT PRE A ./pre.sh\n");
        Path pre = Files.writeString(folder.resolve("pre.sh"), "#!/bin/sh\nsleep 600 &\necho $! > child\nwait\n");
        assertThat(pre.toFile().setExecutable(true)).isTrue();
        DagNode node = new DagParser().nodes(file).all().get(0);
        var code = new CompletableFuture<Integer>();
        var scripts = new PreAndPostScripts(folder, Map.of("PATH", "/usr/bin:/bin"));
        scripts.start(node, node.pre().orElseThrow(), Map.of(), folder.resolve("log"), code::complete);
        Path child = folder.resolve("child");
        for (int i = 0; i < 1000 && (!Files.exists(child) || Files.size(child) == 0); i++) {
            Thread.sleep(10);
        }

        scripts.endAll();

        assertThat(code.get(10, TimeUnit.SECONDS)).isEqualTo(-9);
        var ended = ProcessHandle.of(Long.parseLong(Files.readString(child).strip()));
        for (int i = 0; i < 1000 && ended.filter(ProcessHandle::isAlive).isPresent(); i++) {
            Thread.sleep(10);
        }
        assertThat(ended.filter(ProcessHandle::isAlive)).isEmpty();
    }
}
