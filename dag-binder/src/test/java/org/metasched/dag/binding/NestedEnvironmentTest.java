package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.RankedMatchmaker;

/** Each DAG of a nest has its own ENV lines and its own directory; a file outside is followed to what it includes. */
class NestedEnvironmentTest {

    @TempDir
    Path folder;

    @TempDir
    Path elsewhere;

    private Path in;
    private Path out;

    @BeforeEach
    void directories() throws IOException {
        in = Files.createDirectory(folder.resolve("in"));
        out = folder.resolve("out");
    }

    private void write(String name, String text) throws IOException {
        Files.createDirectories(in.resolve(name).getParent());
        Files.writeString(in.resolve(name), text);
    }

    private void bind(String dag) throws Exception {
        NestedDag nested = NestedDag.read(in.resolve(dag));
        Map<String, String> user = Map.of("PATH", "/usr/bin:/bin", "TOKEN", "secret");
        DagJobAd job = DagJobAd.of(nested.file(), Optional.empty(), List.of(), user);
        ClassAd site = ClassAd.parseOld(
                "Name = \"hep\"\nRequirements = true\nArch = \"X86_64\"\nSiteEnvironment = \"SITE=hep;WHERE=site\"\n");
        Match match = new RankedMatchmaker().match(job.ad(), List.of(site)).orElseThrow();
        new DagBinder(DagBinder.Options.of(user)).bind(nested, job, match, out);
    }

    private String bound(String name) throws IOException {
        return Files.readString(out.resolve(name));
    }

    @Test
    void theNodesOfADagSeeWhatItSets() throws Exception {
        write("outer.sub", "executable = /bin/$ENV(WHERE)\nqueue\n");
        write("inner.sub", "executable = /bin/$ENV(WHERE)\narguments = $ENV(INNER) $ENV(OUTER) $ENV(SITE)\nqueue\n");
        write("outer.dag", "ENV SET OUTER=o;WHERE=outer\nJOB a outer.sub\nSUBDAG EXTERNAL b inner.dag\n");
        write(
                "inner.dag",
                "ENV SET INNER=i;WHERE=inner\nJOB a inner.sub\nJOB c {\n  executable = /bin/c\n  arguments = $ENV(WHERE)\n}\n"
                        + "SUBDAG EXTERNAL d innermost.dag\n");
        write("innermost.dag", "JOB a {\n  executable = /bin/c\n  arguments = $ENV(INNER) $ENV(WHERE)\n}\n");

        bind("outer.dag");

        assertThat(bound("outer.sub")).contains("executable = /bin/outer\n");
        assertThat(bound("inner.sub")).contains("executable = /bin/inner\narguments = i o hep\n");
        assertThat(bound("inner.dag")).contains("arguments = inner\n");
        assertThat(bound("innermost.dag")).contains("arguments = i inner\n");
    }

    @Test
    void theNodesOfADagMayBeLeftWhatItGets() throws Exception {
        write("inner.sub", "executable = /bin/true\narguments = $ENV(TOKEN)\nqueue\n");
        write("outer.dag", "SUBDAG EXTERNAL b inner.dag\n");
        write("inner.dag", "ENV GET TOKEN\nJOB a inner.sub\n");

        bind("outer.dag");

        assertThat(bound("inner.sub")).contains("arguments = $ENV(TOKEN)\n");
    }

    @Test
    void envGetTakesPatternsInAnyCase() throws Exception {
        write(
                "inner.sub",
                "executable = /bin/true\narguments = $ENV(TOKEN:none) $ENV(PATH:none) $ENV(MISSING:none)\nqueue\n");
        write("outer.dag", "ENV GET tok* !path\nJOB a inner.sub\n");

        bind("outer.dag");

        assertThat(bound("inner.sub")).contains("arguments = $ENV(TOKEN:none) none none\n");
    }

    @Test
    void aDescriptionOfTwoDagsHasOneMeaning() throws Exception {
        // It includes itself: binding has an end all the same.
        write("a.sub", "executable = /bin/$ENV(SITE)\ninclude : a.sub\nqueue\n");
        write("outer.dag", "JOB a a.sub\nSUBDAG EXTERNAL b inner.dag\n");
        write("inner.dag", "ENV SET DEBUG=1\nJOB a a.sub\n");
        bind("outer.dag");
        assertThat(bound("a.sub")).contains("/bin/hep\n");

        write("inner.dag", "ENV SET SITE=other\nJOB a a.sub\n");
        out = folder.resolve("other");
        assertThatThrownBy(() -> bind("outer.dag"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("inner.dag:2")
                .hasMessageContaining("a.sub");
    }

    /** Two nested DAGs with ENV lines of their own share a file, of which the bound DAG has one copy. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SPLICE s shared.dag          | JOB n {~executable = /bin/true~arguments = $ENV(WHERE)~}~ | b.dag:2    | DAG file (shared.dag)         | a.dag:2 and b.dag:2
            INCLUDE shared.dag           | JOB n {~executable = /bin/true~arguments = $ENV(WHERE)~}~ | b.dag:2    | DAG file (shared.dag)         | a.dag:2 and b.dag:2
            SPLICE s shared.dag          | JOB n plain.sub~VARS n where="$ENV(WHERE)"~               | b.dag:2    | DAG file (shared.dag)         | a.dag:2 and b.dag:2
            SUBDAG EXTERNAL s shared.dag | JOB n {~executable = /bin/true~arguments = $ENV(WHERE)~}~ | b.dag:2    | DAG file (shared.dag)         | a.dag:2 and b.dag:2
            SUBDAG EXTERNAL s shared.dag | JOB n node.sub~                                         | shared.dag:1 | submit description (node.sub) | all runs of this DAG
            SPLICE s shared.dag          | JOB n node.sub~                                         | shared.dag:1 | submit description (node.sub) | all runs of this DAG
            """)
    void aFileOfTwoDagsHasOneMeaning(String use, String shared, String place, String file, String users)
            throws Exception {
        write("node.sub", "executable = /bin/$ENV(WHERE)\nqueue\n");
        write("plain.sub", "executable = /bin/true\nqueue\n");
        write("shared.dag", shared.replace('~', '\n'));
        write("outer.dag", "SUBDAG EXTERNAL a a.dag\nSUBDAG EXTERNAL b b.dag\n");
        write("a.dag", "ENV SET WHERE=here;A=1\n" + use + "\n");
        write("b.dag", "ENV SET WHERE=here;B=1\n" + use + "\n");
        bind("outer.dag");
        assertThat(bound(file.replaceAll(".*\\(|\\)", ""))).contains("here").doesNotContain("$ENV(");

        write("b.dag", "ENV SET WHERE=there\n" + use + "\n");
        out = folder.resolve("other");
        assertThatThrownBy(() -> bind("outer.dag"))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(refusal -> assertThat(refusal.getMessage().replace(in + "/", ""))
                        .isEqualTo(place + ": The " + file + " would not be the same for " + users
                                + ", as the ENV lines around them give $ENV(WHERE) other values."));
    }

    @ParameterizedTest
    @CsvSource({"SPLICE s %s", "INCLUDE %s", "SUBDAG EXTERNAL s %s"})
    void aDagFileElsewhereIsUsedInItsPlaceOrRefusedAsADagFile(String use) throws Exception {
        Path file = elsewhere.resolve("shared.dag");
        // To condor_submit, the name of this node would be an unfinished condition.
        Files.writeString(
                file,
                "JOB if {\n  executable = /bin/true\n}\nPARENT if CHILD end\nJOB end {\n  executable = /bin/true\n}\n");
        write("outer.dag", use.formatted(file) + "\n");
        bind("outer.dag");
        assertThat(bound("outer.dag")).contains(file.toString());

        Files.writeString(file, "JOB n {\n  executable = /bin/true\n  arguments = $$(Arch)\n}\n");
        out = folder.resolve("other");
        assertThatThrownBy(() -> bind("outer.dag"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("outer.dag:1: The DAG file (" + file + ") depends on the site");
    }

    @Test
    void namesInADagAreThoseOfItsDirectory() throws Exception {
        write("node.inc", "arguments = wrong $$(Name)\n");
        write("sub/node.inc", "arguments = right $$(Arch)\n");
        write("sub/inner.sub", "executable = /bin/true\ninclude : node.inc\nqueue\n");
        write("sub/inner.dag", "JOB a inner.sub\n");
        write("outer.dag", "SUBDAG EXTERNAL b inner.dag DIR sub\n");

        bind("outer.dag");

        assertThat(bound("sub/node.inc")).isEqualTo("arguments = right X86_64\n");
        assertThat(out.resolve("node.inc")).doesNotExist();
    }

    @Test
    void aDagThatRunsInSeveralDirectoriesHasTheFilesOfEach() throws Exception {
        String again = "SUBDAG EXTERNAL again " + in.resolve("sample.dag") + " DIR more\n";
        write("sample.dag", "JOB a node.sub\nSCRIPT PRE a pre.sh\n" + again);
        write("outer.dag", "SUBDAG EXTERNAL one ../sample.dag DIR one\nSUBDAG EXTERNAL two ../sample.dag DIR two\n");
        for (String directory : List.of("one", "two", "two/more")) {
            write(directory + "/pre.sh", "#!/bin/sh\n");
            write(directory + "/data", directory);
            write(
                    directory + "/node.sub",
                    "executable = /bin/true\narguments = $ENV(SITE)\ntransfer_input_files = data\nqueue\n");
        }

        bind("outer.dag");

        for (String directory : List.of("one", "two", "two/more")) {
            assertThat(bound(directory + "/node.sub")).contains("arguments = hep\n");
            assertThat(bound(directory + "/data")).isEqualTo(directory);
            assertThat(out.resolve(directory).resolve("pre.sh")).exists();
        }
    }

    /** {@code @} stands for the directory of the DAG. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JOB a @/node.sub                       | outer.dag:2 | node.sub
            JOB a node.sub DIR @/sub               | outer.dag:2 | sub/node.sub
            JOB a plain.sub DIR @/sub              | plain.sub:1 | sub/node.sub
            JOB a absolute.sub                     | absolute.sub:1 | node.sub
            SPLICE s vars.dag DIR @/sub            | outer.dag:2 | sub/vars.dag
            INCLUDE @/sub/vars.dag                 | outer.dag:2 | sub/vars.dag
            SUBDAG EXTERNAL s @/sub/vars.dag       | outer.dag:2 | sub/vars.dag
            SUBDAG EXTERNAL s inner.dag DIR @/sub  | inner.dag:1 | sub/node.sub
            """)
    void anAbsoluteNameOfTheOriginalIsRefusedIfTheFileDependsOnTheSite(String use, String place, String file)
            throws Exception {
        for (String directory : List.of("", "sub/")) {
            write(directory + "node.sub", "executable = /bin/true\narguments = $ENV(SITE)\nqueue\n");
            write(directory + "plain.sub", "include : node.sub\nexecutable = /bin/true\nqueue\n");
            write(directory + "inner.dag", "JOB i node.sub\n");
            write(directory + "vars.dag", "JOB v {\n  executable = /bin/true\n  arguments = $ENV(SITE)\n}\n");
        }
        write("absolute.sub", "include : " + in + "/node.sub\nexecutable = /bin/true\nqueue\n");
        write("outer.dag", "JOB first node.sub\n" + use.replace("@", in.toString()) + "\n");

        assertThatThrownBy(() -> bind("outer.dag"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(place + ": The ")
                .hasMessageContaining(" (" + in.resolve(file) + ") depends on the site");

        write("outer.dag", "JOB first node.sub\n" + use.replace("@/", "") + "\n");
        write("absolute.sub", "include : node.sub\nexecutable = /bin/true\nqueue\n");
        bind("outer.dag");
        assertThat(bound(file)).contains("arguments = hep\n");
    }

    @Test
    void whatADescriptionElsewhereIncludesIsBoundOrRefused() throws Exception {
        Path description = elsewhere.resolve("node.sub");
        Files.writeString(description, "executable = /bin/true\ninclude : common.inc\nqueue\n");
        write("outer.dag", "JOB a " + description + "\n");
        write("common.inc", "arguments = $$(Arch)\n");
        bind("outer.dag");
        assertThat(bound("common.inc")).isEqualTo("arguments = X86_64\n");

        Files.delete(in.resolve("common.inc"));
        Files.writeString(elsewhere.resolve("common.inc"), "arguments = $$(Arch)\n");
        out = folder.resolve("other");
        assertThatThrownBy(() -> bind("outer.dag"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(description + ":2:")
                .hasMessageContaining("depends on the site");
    }

    @Test
    void anIncludeThatLeadsOutIsNamedWithItsLine() throws Exception {
        Files.writeString(elsewhere.resolve("common.inc"), "arguments = 1\n");
        write("node.sub", "executable = /bin/true\n\ninclude : " + elsewhere.resolve("common.inc") + "\nqueue\n");
        write("outer.dag", "JOB a node.sub\n");

        assertThatThrownBy(() -> bind("outer.dag")).hasMessageContaining("node.sub:3: The included file");
    }
}
