package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SettableClock;
import org.metasched.dag.run.RunOptions;

/** What reaches the programs of a node through the shells between. */
class NodeScriptTest {

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

    @Test
    void aNestedDagHasItsOwnEnvironmentToo() throws Exception {
        program("pre.sh", "#!/bin/sh\necho \"$SITE,$A,$B\" > seen\n");
        Files.writeString(
                top.resolve("node.sub"),
                "executable = show.sh\narguments = $ENV(B)\ngetenv = A\noutput = out.$(JOB)\nqueue\n");
        String inner = "JOB B node.sub\nSCRIPT PRE B pre.sh\nENV SET A=own;B=$ENV(A) $(DOLLAR)\nENV SET |C=;\n";
        Files.writeString(top.resolve("inner.dag"), inner);

        int exit = run("SUBDAG EXTERNAL S inner.dag\nJOB A node.sub\nPARENT S CHILD A\n");

        assertThat(exit).isZero();
        assertThat(top.resolve("seen")).hasContent("the 'site',own,given $");
        assertThat(top.resolve("out.B")).hasContent("[given]\n[$]\nA=own");
        assertThat(top.resolve("out.A")).hasContent("[UNDEFINED]\nA=given");

        Files.writeString(top.resolve("inner.dag"), inner.replace("A=own", "own"));
        assertThatThrownBy(() -> run("SUBDAG EXTERNAL S inner.dag\n"))
                .isInstanceOf(UnsupportedFeaturesException.class)
                .hasMessageContaining("inner.dag")
                .hasMessageContaining("Missing '=' after environment variable 'own'");
    }

    @Test
    void inputsElsewhereAreInTheDirectoryOfTheJobAndAnotherFileOfThatNameStopsIt() throws Exception {
        Path input = Files.writeString(temp.resolve("it's $(touch pwned);"), "from elsewhere");
        program("show.sh", "#!/bin/sh\ncat ./it*\n");
        Files.writeString(
                top.resolve("node.sub"),
                "executable = show.sh\noutput = out\ntransfer_input_files = " + input + "\nqueue 2\n");

        assertThat(run("JOB A node.sub\n")).isZero();
        assertThat(top.resolve("out")).hasContent("from elsewhere");

        Path name = top.resolve(input.getFileName());
        Files.delete(name);
        Files.writeString(name, "the user's own");
        assertThat(run("JOB B node.sub\n")).isOne();
        assertThat(name).hasContent("the user's own");
        assertThat(temp.resolve("pwned")).doesNotExist();
    }

    @Test
    void aPreScriptWritesTheDescriptionOfEachTryForOneJob() throws Exception {
        program(
                "pre.sh",
                "#!/bin/sh\necho \"executable = show.sh\narguments = $1\noutput = out.$1\nqueue $2\" > new.sub\n");
        program("show.sh", "#!/bin/sh\necho try $1\n[ $1 = 1 ]\n");

        assertThat(run("JOB A new.sub\nSCRIPT PRE A pre.sh $RETRY 1\nRETRY A 1\n"))
                .isZero();
        assertThat(top.resolve("out.0")).hasContent("try 0");
        assertThat(top.resolve("out.1")).hasContent("try 1");

        Files.delete(top.resolve("new.sub"));
        assertThat(run("JOB B new.sub\nSCRIPT PRE B pre.sh $RETRY 2\n")).isOne();
    }

    private void program(String name, String text) throws IOException {
        assertThat(Files.writeString(top.resolve(name), text).toFile().setExecutable(true))
                .isTrue();
    }

    private int run(String text) throws Exception {
        Path dag = Files.writeString(top.resolve("d.dag"), text);
        DagmanPlan plan = DagmanPlan.of(
                dag,
                Map.of("PATH", System.getenv("PATH"), "SITE", "the 'site'", "A", "given"),
                DagmanPlan.Demands.NONE,
                Instant.EPOCH);
        var clock = new SettableClock(Instant.EPOCH);
        var run =
                new DagmanRun(plan, new LocalSlurm(), LocalSlurm.COMMANDS, Optional.empty(), RunOptions.DEFAULT, clock);
        var ticks = Executors.newSingleThreadScheduledExecutor();
        try {
            ticks.scheduleAtFixedRate(() -> clock.advance(Duration.ofSeconds(1)), 5, 5, TimeUnit.MILLISECONDS);
            return run.toTheEnd(Duration.ofMillis(5)).exit();
        } finally {
            ticks.shutdownNow();
        }
    }
}
