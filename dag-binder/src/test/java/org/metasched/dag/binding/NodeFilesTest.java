package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.dag.DagParser;

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
        NestedDag dag = NestedDag.read(in.resolve("g.dag"));
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

        assertThat(bound.record().inputs())
                .containsExactlyInAnyOrder(
                        "run.sh", "one.dat", "two.dat", "a.txt", "b.txt", "c.txt", "lib.tgz", "d1/x.in", "e.dat");
        assertThat(folder.resolve("out/sub/../lib.tgz")).exists();
    }

    /** Nodes are expanded together only if nothing but plain words of their arguments tells them apart. */
    @Test
    void aVariableThatNamesAFileByAnyWayCounts() throws Exception {
        for (String file : List.of("a.dat", "b.dat", "c.dat", "d.dat", "x1", "x2", "y1", "y2")) {
            write(file, "");
        }
        write("n.sub", "executable = /bin/true\narguments = $(k) $(v)\nfile = $(v)\ninput = $(file)\nqueue\n");
        write("m.sub", "executable = /bin/true\narguments = $(k)\ninput = $(x_$(k))\nqueue\n");
        write("o.sub", "executable = /bin/true\narguments = $(input)\nqueue\n");
        write("p.sub", "executable = /bin/true\narguments = $(k)\ninput = $(arguments)\nqueue\n");
        write(
                "g.dag",
                "JOB A n.sub\nVARS A k=\"1\" v=\"a.dat\"\nJOB B n.sub\nVARS B k=\"1\" v=\"b.dat\"\n"
                        + "JOB C m.sub\nVARS C k=\"1\" x_1=\"x1\"\nJOB D m.sub\nVARS D k=\"1\" x_1=\"x2\"\n"
                        + "JOB E o.sub\nVARS E input=\"c.dat\"\nJOB F o.sub\nVARS F input=\"d.dat\"\n"
                        + "JOB G p.sub\nVARS G k=\"y1\"\nJOB H p.sub\nVARS H k=\"y2\"\n");

        assertThat(bind().record().inputs())
                .containsExactlyInAnyOrder("a.dat", "b.dat", "c.dat", "d.dat", "x1", "x2", "y1", "y2");
    }

    /** What separates the words counts: a second word is no part of an environment variable's value. */
    @Test
    void nodesWhosePlainWordsAreSeparatedAlikeAreExpandedTogether() throws Exception {
        write("n.sub", "executable = /bin/true\narguments = $(k)\noutput = o.$(k)\nenvironment = \"A=$(e)\"\nqueue\n");
        write(
                "g.dag",
                "JOB A n.sub\nVARS A k=\"one two\" e=\"1\"\nJOB B n.sub\nVARS B k=\"three four\" e=\"2\"\n"
                        + "JOB C n.sub\nVARS C k=\"five\" e=\"1\"\nJOB D n.sub\nVARS D k=\"one two\" e=\"1 2\"\n"
                        + "JOB E n.sub\nVARS E k=\"d e/two\" e=\"1\"\nJOB F n.sub\nVARS F k=\"one  two\" e=\"1\"\n"
                        + "JOB G n.sub\nVARS G k=\"-n1 a,b,c\" e=\"1\"\nJOB H n.sub\nVARS H k=\"-m2 d,e,f\" e=\"3\"\n"
                        + "JOB I n.sub\nVARS I k=\",1 a,b,c\" e=\"1\"\n");
        var descriptions = new NodeDescriptions(Map.of());
        var expanded = new ArrayList<String>();
        for (var node : new DagParser().nodes(in.resolve("g.dag")).all()) {
            descriptions.firstOfItsKind(node, in, false).ifPresent(text -> expanded.add(node.name()));
        }

        assertThat(expanded).containsExactly("A", "C", "D", "E", "F", "G", "I");
        assertThat(NodeDescriptions.refused(in.resolve("g.dag"), Map.of()))
                .singleElement()
                .asString()
                .contains("condor_submit refuses node D: n.sub:4: ");
    }

    /** Nodes that are expanded together are accepted or refused together. */
    @Test
    void valuesOfOneShapeAreAcceptedTogether() throws Exception {
        write(
                "n.sub",
                "executable = /bin/true\narguments = $(a)\nenvironment = A=$(b);B=2\noutput = $(c)\nlog = l$(c)\nqueue\n");
        write(
                "m.sub",
                "executable = /bin/true\narguments = \"x $(a)\"\nenvironment = \"A=$(b)\"\nerror = e.$(c)\nqueue\n");
        var random = new Random(20261130);
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            String vars = "";
            String others = "";
            for (String name : List.of("a", "b", "c")) {
                String value = text(random, "a1_./+-b,@%   ", 1 + random.nextInt(8));
                vars += " " + name + "=\"" + value + "\"";
                others += " " + name + "=\""
                        + Pattern.compile("[a1_./+b-]+")
                                .matcher(value)
                                .replaceAll(word -> text(random, "za0_./+-", 1 + random.nextInt(3)))
                        + "\"";
            }
            String file = i % 2 == 0 ? "n.sub" : "m.sub";
            write("g.dag", "JOB A " + file + "\nVARS A" + vars + "\n");
            write("h.dag", "JOB A " + file + "\nVARS A" + others + "\n");
            var first = NodeDescriptions.refused(in.resolve("g.dag"), Map.of());
            assertThat(NodeDescriptions.refused(in.resolve("h.dag"), Map.of()))
                    .as(file + vars + others)
                    .hasSameSizeAs(first);
            refused += first.size();
        }
        assertThat(refused).isBetween(40, 360);
    }

    private static String text(Random random, String letters, int length) {
        return random.ints(length, 0, letters.length())
                .mapToObj(i -> letters.substring(i, i + 1))
                .collect(Collectors.joining());
    }

    /** The node that comes first in the file may wait for its input; the one that must have it is another. */
    @Test
    void aNodeThatBeginsNeedsItsFilesThoughALaterOneIsLikeIt() throws Exception {
        write("n.sub", "executable = /bin/true\narguments = $(k)\ninput = none.dat\nqueue\n");
        write("g.dag", "JOB B n.sub\nVARS B k=\"2\"\nJOB A n.sub\nVARS A k=\"1\"\nPARENT A CHILD B\n");

        assertThatThrownBy(this::bind).hasMessageContaining("n.sub:3: input of node A: the file (none.dat) is not");
    }

    /** condor_submit makes no directory: those of outputs are in the copy if they are in the source, and no others. */
    @Test
    void directoriesOfOutputsAreInTheCopy() throws Exception {
        List<String> names = List.of(
                "run1/out",
                "run2",
                "run3/err",
                "log/7",
                "a",
                "b",
                "e1",
                "e2",
                "sw",
                "tw",
                "x/y",
                "r/s",
                "sub/w/o",
                "v");
        for (String name : names) {
            Files.createDirectories(in.resolve(name));
        }
        write("i.sub", "executable = /bin/true\ninitialdir = run1\noutput = out/j.log\nqueue\n");
        write(
                "q.sub",
                "executable = /bin/true\ninitialdir = run$(Item)\nerror = err/$(Process).e\nlog = ../log/7/l\nqueue Item in (2 3)\n");
        write("m.sub", "executable = /bin/true\noutput = $(d)/j.log\nerror = e$(k)/$(JOB).err\nqueue\n");
        write("j.sub", "executable = /bin/true\narguments = $(n)\noutput = $(d)$(f)\nqueue\n");
        write("o.sub", "executable = /bin/true\nlog = $(n)\nqueue\n");
        write(
                "r.sub",
                "executable = /bin/true\ntransfer_output_remaps = \"a=r/s/a; b = none/b\"\nerror = /none/e\nqueue\n");
        write("sub/n.sub", "executable = /bin/true\ninitialdir = w\noutput = o/f\nqueue\n");
        write(
                "g.dag",
                "JOB I i.sub\nJOB Q q.sub\nJOB A m.sub\nVARS A d=\"a\" k=\"1\"\nJOB B m.sub\nVARS B d=\"b\" k=\"2\"\n"
                        + "JOB S j.sub\nVARS S d=\"s\" f=\"w/f\" n=\"1\"\nJOB T j.sub\nVARS T d=\"t\" f=\"w/f\" n=\"1\"\n"
                        + "JOB X o.sub\nVARS X n=\"none/l\"\nJOB Y o.sub\nVARS Y n=\"x/y/l\"\nJOB R r.sub\n"
                        + "JOB N n.sub DIR sub\nJOB V {\nexecutable = /bin/true\nerror = v/e\n}\n");

        bind();

        assertThat(names)
                .allMatch(name -> Files.isDirectory(folder.resolve("out").resolve(name)));
        assertThat(folder.resolve("out/none")).doesNotExist();
    }

    @Test
    void aLinkLoopAmongInputsIsNamed() throws Exception {
        write("data/x", "");
        Files.createSymbolicLink(in.resolve("data/self"), Path.of("."));
        write("n.sub", "executable = /bin/true\ntransfer_input_files = data\nqueue\n");
        write("g.dag", "JOB A n.sub\n");

        assertThatThrownBy(this::bind)
                .isInstanceOf(FileSystemLoopException.class)
                .hasMessage(in.resolve("data/self").toString());
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void anUnescapedQuoteInOneOfManyNodesIsRefused() throws Exception {
        write("n.sub", "executable = /bin/true\narguments = \"$(k)\"\nqueue\n");
        write("s.sub", "executable = /bin/true\narguments = \"$(k)$ENV(S)\"\nqueue\n");
        write(
                "g.dag",
                "JOB A n.sub\nVARS A k=\"one\"\nJOB B n.sub\nVARS B k=\"two\"\nJOB C n.sub\nVARS C k=\"it\\\"s\"\n"
                        + "JOB D s.sub\nVARS D k=\"it\\\"s\"\n");

        assertThat(NodeDescriptions.refused(in.resolve("g.dag"), Map.of()))
                .singleElement()
                .asString()
                .contains("g.dag:5: JOB: condor_submit refuses node C: n.sub:2: ");
    }

    @Test
    void aVariableMayNameItsFormerValueAsInCondor() throws Exception {
        write("n.sub", "executable = /bin/true\ntransfer_input_files = $(job).dat,$(out)\nout = a\nqueue\n");
        for (String file : List.of("A.dat", "B.dat", "a", "a.b")) {
            write(file, "");
        }
        write(
                "g.dag",
                "JOB A n.sub\nJOB B n.sub\nVARS A job=\"$(JOB)\"\nVARS B job=\"$(JOB)\"\n"
                        + "VARS A APPEND out=\"$(out).b\"\n");

        assertThat(NodeDescriptions.refused(in.resolve("g.dag"), Map.of())).isEmpty();
        assertThat(bind().record().inputs()).containsExactly("A.dat", "B.dat", "a", "a.b");
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
    void aDescriptionThatIsNotThereIsAnErrorUnlessAnEarlierNodeOrAScriptMayWriteIt() throws Exception {
        write("n.sub", "executable = /bin/true\nqueue\n");
        write("pre.sh", "");
        write(
                "g.dag",
                "JOB A n.sub\nJOB B later.sub\nJOB C made.sub\nSCRIPT PRE C pre.sh\nPARENT A CHILD B\n"
                        + "SUBMIT-DESCRIPTION d {\nexecutable = /bin/true\n}\nJOB D d\nJOB E d\nJOB F n.sub\n");
        assertThat(bind().warnings()).hasSize(2).allMatch(text -> text.endsWith("is not there."));
        OutputTree.delete(folder.resolve("out"));

        write("g.dag", "JOB A n.sub\nJOB B none.sub\n");
        assertThatThrownBy(this::bind)
                .hasMessageContaining(
                        "g.dag:2: JOB of node B: the file (" + in.resolve("none.sub") + ") is not there.");
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

        assertThat(bind().record().inputs()).containsExactly("sub/pre.sh");

        Files.move(in.resolve("sub/pre.sh"), in.resolve("pre.sh"));
        OutputTree.delete(folder.resolve("out"));
        assertThatThrownBy(this::bind)
                .hasMessageContaining("g.dag:2: SCRIPT of node A: the file (pre.sh) is not there")
                .hasMessageContaining("sub/pre.sh");
    }
}
