package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wrapper as a POSIX shell runs it. */
class WrapperScriptTest {

    @TempDir
    Path temp;

    private Path top;

    @BeforeEach
    void makeHostileDirectory() throws IOException {
        top = Files.createDirectories(temp.resolve("it's $(touch pwned) \"here\" `id` %j"));
        program("show.sh", "#!/bin/sh\nfor word; do echo \"[$word]\"; done\necho \"A=$A\"\ncat\n");
        Files.writeString(top.resolve("node.sub"), "executable = show.sh\noutput = out\nqueue\n");
    }

    @Test
    void wordsReachTheProgramAsTheyAre() throws Exception {
        Files.writeString(top.resolve("in put;"), "from the input\n");
        Files.writeString(top.resolve("node.sub"), """
                executable = show.sh
                arguments = "$(JOB) 'two words' 'it''s' '$(DOLLAR)(touch pwned)' ""x"" '' -n * ; `id`"
                environment = "A='b c$(DOLLAR)HOME ""d""' _=x"
                input = in put;
                output = o'ut $x
                queue
                """);

        int exit = run("JOB A;$x`id` node.sub\n");

        assertThat(exit).isZero();
        assertThat(top.resolve("o'ut $x"))
                .content()
                .isEqualTo("[A;$x`id`]\n[two words]\n[it's]\n[$(touch pwned)]\n[\"x\"]\n[]\n[-n]\n[*]\n[;]\n[`id`]\n"
                        + "A=b c$HOME \"d\"\nfrom the input\n");
        assertThat(top.resolve("pwned")).doesNotExist();
        assertThat(temp.resolve("pwned")).doesNotExist();
    }

    @Test
    void jobsOfANodeRunOneAfterAnotherAndThePostScriptDecides() throws Exception {
        program("fails.sh", "#!/bin/sh\necho \"ran $1\"\n[ \"$1\" != 1 ] || exit 9\n");
        program("post.sh", "#!/bin/sh\necho \"$@\" > posted\n");
        Files.writeString(
                top.resolve("node.sub"),
                "executable = fails.sh\narguments = $(Process)\noutput = out.$(Process)\nqueue 3\n");

        int exit = run("JOB A node.sub\nSCRIPT POST A post.sh $JOB $RETURN x=$RETURN $RETRY $MAX_RETRIES $JOB_COUNT\n");

        assertThat(exit).isZero();
        assertThat(top.resolve("out.0")).hasContent("ran 0");
        assertThat(top.resolve("out.1")).hasContent("ran 1");
        assertThat(top.resolve("out.2")).doesNotExist();
        assertThat(top.resolve("posted")).hasContent("A 9 x=$RETURN 0 0 3");
    }

    @Test
    void aNodeIsTriedAgainAsOftenAsRetrySays() throws Exception {
        program("show.sh", "#!/bin/sh\necho x >> tries\n[ $(wc -l < tries) -ge 3 ]\n");

        int exit = run("JOB A node.sub\nRETRY A 2\n");

        assertThat(exit).isZero();
        assertThat(top.resolve("tries")).content().hasLineCount(3);
    }

    @Test
    void aNodeThatKeepsFailingFails() throws Exception {
        program("show.sh", "#!/bin/sh\necho x >> tries\nexit 4\n");

        int exit = run("JOB A node.sub\nRETRY A 2\n");

        assertThat(exit).isOne();
        assertThat(top.resolve("tries")).content().hasLineCount(3);
        assertThat(top.resolve(RunFolder.NAME + "/failed/000001-A")).hasContent("4");
    }

    @Test
    void anExitCodeCanEndTheRetries() throws Exception {
        program("show.sh", "#!/bin/sh\necho x >> tries\nexit 4\n");

        int exit = run("JOB A node.sub\nRETRY A 5 UNLESS-EXIT 4\n");

        assertThat(exit).isOne();
        assertThat(top.resolve("tries")).content().hasLineCount(1);
    }

    @Test
    void aFailedPreScriptKeepsTheJobFromRunning() throws Exception {
        program("pre.sh", "#!/bin/sh\nexit 5\n");

        int exit = run("JOB A node.sub\nSCRIPT PRE A pre.sh\nSCRIPT POST A show.sh\n");

        assertThat(exit).isOne();
        assertThat(top.resolve("out")).doesNotExist();
        assertThat(top.resolve(RunFolder.NAME + "/failed/000001-A")).hasContent("5");
    }

    @Test
    void aPreScriptCanSaveTheJob() throws Exception {
        program("pre.sh", "#!/bin/sh\nexit 5\n");

        int exit = run("JOB A node.sub\nSCRIPT PRE A pre.sh\nPRE_SKIP A 5\n");

        assertThat(exit).isZero();
        assertThat(top.resolve("out")).doesNotExist();
        assertThat(top.resolve(RunFolder.NAME + "/done/000001-A")).exists();
    }

    @Test
    void theReturnOfAJobThatASignalEndedIsNegative() throws Exception {
        program("show.sh", "#!/bin/sh\nkill -9 $$\n");
        program("post.sh", "#!/bin/sh\necho \"$@\" > posted\nexit 2\n");

        int exit = run("JOB A node.sub\nSCRIPT POST A post.sh $RETURN $FAILED_COUNT $DAG_STATUS\n");

        assertThat(exit).isOne();
        assertThat(top.resolve("posted")).hasContent("-9 0 0");
    }

    @Test
    void aNodeInADirectoryOfItsOwnRunsThereWithItsVariables() throws Exception {
        Path sub = Files.createDirectory(top.resolve("sub"));
        Files.move(top.resolve("show.sh"), sub.resolve("show.sh"));
        Files.writeString(
                sub.resolve("in.sub"), "arguments = $(a) $(b)\nb = file\nexecutable = show.sh\noutput = out\nqueue\n");
        Files.writeString(
                sub.resolve("inner.dag"),
                "VARS ALL_NODES a=\"all\" b=\"before\"\nJOB A in.sub\nVARS A APPEND b=\"one\"\nJOB B in.sub DONE\n");
        Files.writeString(top.resolve("more.inc"), "RETRY ALL_NODES 1\n");

        int exit = run("JOB T in.sub DIR sub DONE\nSPLICE S inner.dag DIR sub\nINCLUDE more.inc\n");

        assertThat(exit).isZero();
        assertThat(sub.resolve("out")).content().startsWith("[all]\n[one]\n");
    }

    @Test
    void scriptsAndJobsWithGetenvSeeTheEnvironmentOfTheSite() throws Exception {
        program("post.sh", "#!/bin/sh\necho \"$SITE\" > posted\n");
        Files.writeString(top.resolve("node.sub"), "executable = show.sh\ngetenv = A, B\noutput = out\nqueue\n");

        int exit = run("JOB A node.sub\nSCRIPT POST A post.sh\n");

        assertThat(exit).isZero();
        assertThat(top.resolve("posted")).hasContent("the 'site'");
        assertThat(top.resolve("out")).hasContent("A=given");
    }

    private void program(String name, String text) throws IOException {
        assertThat(Files.writeString(top.resolve(name), text).toFile().setExecutable(true))
                .isTrue();
    }

    /** Plans the DAG and runs the wrapper of its first running node as Slurm would. */
    private int run(String text) throws Exception {
        Path dag = Files.writeString(top.resolve("d.dag"), text);
        SlurmPlan plan = SlurmPlan.of(dag, Map.of("SITE", "the 'site'", "A", "given"), Set.of(), Instant.EPOCH);
        RunFolder folder = new RunFolder(top);
        folder.prepare(plan.nodes());
        PlannedNode node =
                plan.nodes().stream().filter(PlannedNode::runs).findFirst().orElseThrow();
        Process shell = new ProcessBuilder("/bin/sh", folder.script(node.key()).toString())
                .directory(top.toFile())
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve("log").toFile())
                .start();
        shell.getOutputStream().close();
        assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return shell.exitValue();
    }
}
