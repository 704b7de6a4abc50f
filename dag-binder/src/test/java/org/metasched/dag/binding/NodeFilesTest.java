package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.dag.DagLimits;

/** After binding each file that a job needs is there under its name, or the bind has failed and named it. */
class NodeFilesTest {

    @TempDir
    private Path folder;

    private Path in = Path.of("");

    @BeforeEach
    void directory() throws Exception {
        in = Files.createDirectory(folder.resolve("in"));
    }

    private void write(String name, String text) throws Exception {
        Files.createDirectories(in.resolve(name).getParent());
        Files.writeString(in.resolve(name), text);
    }

    private BoundDag bind() throws Exception {
        NestedDag dag = NestedDag.read(in.resolve("g.dag"), DagLimits.DEFAULT);
        DagJobAd job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        ClassAd site = ClassAd.parseOld("Name = \"s\"\nRequirements = true\nSiteEnvironment = \"R=c.txt\"\n");
        var match = new RankedMatchmaker().match(job.ad(), List.of(site)).orElseThrow();
        return new DagBinder(DagBinder.Options.of(Map.of("PATH", "/usr/bin:/bin")))
                .bind(dag, job, match, folder.resolve("out"));
    }

    @Test
    void namesAreExpandedNodeByNode() throws Exception {
        for (String file :
                List.of("run.sh", "one.dat", "two.dat", "a.txt", "b.txt", "c.txt", "lib.tgz", "d1/x.in", "e.dat")) {
            write(file, "");
        }
        write("n.sub", "executable = $(exe)\ntransfer_input_files = $(infile), a.txt, $ENV(Q:b.txt), $ENV(R)\nqueue\n");
        write("sub/m.sub", "executable = /bin/true\ntransfer_input_files = ../lib.tgz\nqueue\n");
        write("i.sub", "executable = /bin/true\ninitialdir = d$(Number)\ninput = x.in\nqueue\n");
        write(
                "g.dag",
                "JOB A n.sub\nVARS A exe=\"run.sh\" infile=\"one.dat\"\nJOB B n.sub\n"
                        + "VARS B exe=\"run.sh\" infile=\"two.dat\"\nJOB C m.sub DIR sub\n"
                        + "JOB D i.sub\nVARS D Number=\"1\"\n"
                        + "JOB E {\nexecutable = /bin/true\ntransfer_input_files = $(JOB)$(suffix)\n}\nVARS E JOB=\"e\" suffix=\".dat\"\n");

        BoundDag bound = bind();

        assertThat(bound.record().links())
                .containsExactlyInAnyOrder(
                        "run.sh", "one.dat", "two.dat", "a.txt", "b.txt", "c.txt", "lib.tgz", "d1/x.in", "e.dat");
        assertThat(folder.resolve("out/sub/../lib.tgz")).exists();
    }

    @Test
    void aFileThatIsNotThereIsNamedWithItsNodeAndLine() throws Exception {
        write("n.sub", "executable = /bin/true\ntransfer_input_files = a.txt, $(infile)\nqueue\n");
        write("g.dag", "JOB A n.sub\nVARS A infile=\"none.dat\"\n");
        write("a.txt", "");

        assertThatThrownBy(this::bind)
                .hasMessageContaining("n.sub:2: transfer_input_files of node A: the file (none.dat) is not there");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aNameThatLeadsOutIsRefusedAndOneThatAnEarlierNodeMakesIsNot() throws Exception {
        write("n.sub", "executable = /bin/true\ntransfer_input_files = made.dat\nqueue\n");
        write("o.sub", "executable = /bin/true\ntransfer_input_files = ../lib.tgz\nqueue\n");
        Files.writeString(folder.resolve("lib.tgz"), "");
        write("g.dag", "JOB A { \nexecutable = /bin/true\n}\nJOB B n.sub\nPARENT A CHILD B\n");

        assertThat(bind().warnings())
                .anyMatch(text -> text.contains("n.sub:2: transfer_input_files of node B, made.dat"));
        write("g.dag", "JOB A o.sub\n");
        OutputTree.delete(folder.resolve("out"));
        Files.move(
                folder.resolve("lib.tgz"),
                Files.createDirectory(folder.resolve("x")).resolve("lib.tgz"));
        assertThatThrownBy(this::bind)
                .hasMessageContaining("o.sub:2: transfer_input_files of node A: the file (../lib.tgz) leads out");
    }

    @Test
    void scriptsOfANodeAreThoseOfItsDirectory() throws Exception {
        write("sub/n.sub", "executable = /bin/true\nqueue\n");
        write("sub/pre.sh", "");
        write("g.dag", "JOB A n.sub DIR sub\nSCRIPT PRE A pre.sh 1\nSCRIPT POST A true\n");

        assertThat(bind().record().links()).containsExactly("sub/pre.sh");

        Files.move(in.resolve("sub/pre.sh"), in.resolve("pre.sh"));
        OutputTree.delete(folder.resolve("out"));
        assertThatThrownBy(this::bind)
                .hasMessageContaining("g.dag:2: SCRIPT of node A: the file (pre.sh) is not there")
                .hasMessageContaining("sub/pre.sh");
    }
}
