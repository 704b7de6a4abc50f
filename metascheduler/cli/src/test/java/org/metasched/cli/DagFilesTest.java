package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that the jobs of a bound DAG read: linked, copied, or listed. */
class DagFilesTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void aDagWithFiles() throws Exception {
        write("p/d.dag", "JOB A a.sub\nVARS A infile=\"in/a.dat\"\nSCRIPT POST A after.sh\n");
        write(
                "p/a.sub",
                "executable = run.sh\ntransfer_input_files = $(infile), more/\narguments = $ENV(Area)\nqueue\n");
        write("p/run.sh", "#!/bin/sh\n");
        write("p/after.sh", "#!/bin/sh\nexit 0\n");
        write("p/in/a.dat", "alpha\n");
        write("p/more/b.dat", "beta\n");
        Files.createDirectories(folder.resolve("p/more/empty"));
        assertThat(folder.resolve("p/run.sh").toFile().setExecutable(true)).isTrue();
        write("s.ads", site("oak") + "\n" + site("elm"));
    }

    private static String site(String name) {
        return "Name = \"" + name + "\"\nMaxMatches = 2\nRequirements = CurMatches < MaxMatches\n"
                + "SiteEnvironment = \"Area=/" + name + "\"\n";
    }

    private void write(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private int run(String line) {
        return Main.execute(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                line.replace("@", folder.toString()).split(" "));
    }

    private void bind(String files) {
        assertThat(run("dag bind @/p/d.dag --sites @/s.ads --ledger @/ledger --out @/bound" + files))
                .as(err.toString())
                .isZero();
    }

    private List<String> bound(java.util.function.Predicate<Path> kind) throws Exception {
        Path bound = folder.resolve("bound");
        try (Stream<Path> paths = Files.walk(bound)) {
            return paths.filter(kind)
                    .map(path -> bound.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aDamagedRecordHidesNoOtherDag() throws Exception {
        bind("");
        assertThat(run("dag bind @/p/d.dag --sites @/s.ads --ledger @/ledger --out @/bound.at-elm"))
                .isZero();
        write("bound/metasched-binding.json", "{");

        assertThat(run("dag list @")).isEqualTo(2);

        assertThat(out.toString())
                .containsPattern("bound +- +unknown")
                .containsPattern("bound.at-elm +(oak|elm) +bound");
        assertThat(err.toString()).contains("metasched-binding.json:1) cannot be read");
    }

    @Test
    void aSiteThatIsFullDoesNotMatchThoughItsRequirementsDo() throws Exception {
        write("s.ads", site("oak").replace("CurMatches < MaxMatches", "true") + "CurMatches = 2\n");

        for (String how : List.of(" --out @/bound", " --dry-run")) {
            assertThat(run("dag bind @/p/d.dag --sites @/s.ads --ledger @/ledger" + how))
                    .isEqualTo(1);
        }

        assertThat(err.toString()).contains("No site of 1 matches and has room for the DAG (");
    }

    @Test
    void anAdWithoutANameTakesNoMatch() throws Exception {
        write("s.ads", site("oak") + "\n" + site("elm").replaceFirst("Name = .*", "Nmae = 1"));

        assertThat(run("dag bind @/p/d.dag --sites @/s.ads --ledger @/ledger --out @/bound"))
                .isEqualTo(2);

        assertThat(err.toString()).contains("s.ads) has an ad without a string as Name");
        assertThat(folder.resolve("bound")).doesNotExist();
    }

    @Test
    void aJobAdMayBeginWithAByteOrderMark() throws Exception {
        write("j.ad", "\uFEFF[Requirements = TARGET.Name == \"elm\"]");

        bind(" --job-ad @/j.ad");

        assertThat(out.toString()).contains("site elm");
    }

    @Test
    void linksAreMadeUnlessToldOtherwise() throws Exception {
        bind("");

        assertThat(bound(Files::isSymbolicLink)).containsExactly("after.sh", "in/a.dat", "more/b.dat", "run.sh");
        assertThat(out.toString()).contains("2 files, 4 links");
        assertThat(folder.resolve("bound/more/empty")).isDirectory();
    }

    /** The names of the issue: each was left out without a word. */
    @Test
    void namesFromMacrosComeAlongAndOneThatLeadsOutIsRefused() throws Exception {
        write("p/d.dag", "JOB A a.sub\nVARS A exe=\"run.sh\" infile=\"in/a.dat\"\n");
        write("p/a.sub", "executable = $(exe)\ntransfer_input_files = $(infile), more/b.dat, $ENV(Q:c.txt)\nqueue\n");
        write("p/c.txt", "gamma\n");

        bind("");

        assertThat(bound(Files::isSymbolicLink)).containsExactly("c.txt", "in/a.dat", "more/b.dat", "run.sh");

        write("lib.tgz", "");
        write("p/a.sub", "executable = run.sh\ntransfer_input_files = ../lib.tgz\nqueue\n");
        assertThat(run("dag bind @/p/d.dag --sites @/s.ads --ledger @/ledger --out @/deep/other"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("a.sub:2: transfer_input_files of node A: the file (../lib.tgz) leads out of the directory");
    }

    @Test
    void aContainerIsForSitesThatStartSuch() throws Exception {
        write("p/image.sif", "");
        write("p/a.sub", "executable = run.sh\ncontainer_image = image.sif\nqueue\n");

        assertThat(run("dag bind @/p/d.dag --sites @/s.ads --ledger @/ledger --out @/bound"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("a.sub:2: container_image of node A: the site starts no containers");
        assertThat(folder.resolve("bound")).doesNotExist();

        write("s.ads", site("oak") + "HasApptainer = true\n");
        bind("");
        assertThat(Files.isSymbolicLink(folder.resolve("bound/image.sif"))).isTrue();
        assertThat(folder.resolve("bound/metasched-binding.json")).content().contains("MATCH_HasApptainer=true");
    }

    @Test
    void aLinkToADirectoryComesWithItsFiles() throws Exception {
        Files.move(folder.resolve("p/more"), folder.resolve("shared"));
        Files.createSymbolicLink(folder.resolve("p/more"), folder.resolve("shared"));

        bind("");

        assertThat(folder.resolve("bound/more")).isDirectory();
        assertThat(Files.isSymbolicLink(folder.resolve("bound/more"))).isFalse();
        assertThat(folder.resolve("bound/more/b.dat")).hasContent("beta\n");
    }

    @Test
    void copiesStandAlone() throws Exception {
        bind(" --files copy --json");

        assertThat(bound(Files::isSymbolicLink)).isEmpty();
        assertThat(folder.resolve("bound/in/a.dat")).isRegularFile().hasContent("alpha\n");
        assertThat(folder.resolve("bound/more/b.dat")).isRegularFile().hasContent("beta\n");
        assertThat(Files.isExecutable(folder.resolve("bound/run.sh"))).isTrue();
        assertThat(folder.resolve("bound/more/empty")).isDirectory();
        var json = new ObjectMapper().readTree(out.toString());
        assertThat(json.get("links")).isEmpty();
        assertThat(json.get("copies")).hasSize(4);
    }

    @Test
    void aManifestListsThemSortedWithSizeAndDigest() throws Exception {
        Files.move(folder.resolve("p/in/a.dat"), folder.resolve("elsewhere"));
        Files.createSymbolicLink(folder.resolve("p/in/a.dat"), folder.resolve("elsewhere"));

        bind(" --files manifest");

        assertThat(folder.resolve("bound/metasched-inputs"))
                .content()
                .isEqualTo(line("after.sh", "#!/bin/sh\nexit 0\n")
                        + line("in/a.dat", "alpha\n")
                        + line("more/b.dat", "beta\n")
                        + line("run.sh", "#!/bin/sh\n"));
        assertThat(bound(Files::isRegularFile))
                .containsExactly(
                        "a.sub", "d.dag", "metasched-binding.json", "metasched-inputs", "metasched-match.json");
        assertThat(out.toString()).contains("4 listed");
    }

    private static String line(String name, String content) throws Exception {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return bytes.length + ":"
                + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)) + " " + name + "\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "copy", "manifest"})
    void aMissingFileFailsWithNodeFileAndLine(String files) throws Exception {
        Files.delete(folder.resolve("p/in/a.dat"));

        int exit = run("dag bind @/p/d.dag --sites @/s.ads --ledger @/ledger --out @/bound --files " + files);

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString())
                .contains("a.sub:2: transfer_input_files of node A: the file (in/a.dat) is not there");
        assertThat(folder.resolve("bound")).doesNotExist();
        assertThat(run("matches list --ledger @/ledger --json")).isZero();
        assertThat(new ObjectMapper().readTree(out.toString()).get("matches")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "manifest"})
    void rebindAndReleaseKeepTheChoice(String files) throws Exception {
        bind(" --files " + files);
        write("p/run.sh", "#!/bin/sh\nexit 7\n");
        write("bound/d.dag.rescue001", "");
        write("bound/result", "made by a job");
        boolean isListed = files.equals("manifest");
        if (isListed) {
            write("bound/in/a.dat", "brought\n");
        }

        assertThat(run("dag rebind @/bound --sites @/s.ads --ledger @/ledger"))
                .as(err.toString())
                .isZero();
        assertThat(run("dag release @/bound")).isZero();

        assertThat(bound(Files::isSymbolicLink)).isEmpty();
        assertThat(folder.resolve("bound/result")).hasContent("made by a job");
        if (isListed) {
            assertThat(folder.resolve("bound/in/a.dat")).hasContent("brought\n");
            assertThat(folder.resolve("bound/metasched-inputs"))
                    .content()
                    .contains(line("run.sh", "#!/bin/sh\nexit 7\n"));
        } else {
            assertThat(folder.resolve("bound/run.sh")).hasContent("#!/bin/sh\nexit 7\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dag bind @/open.dag --sites @/s.ads --ledger @/ledger --out @/new/of/this",
                "dag bind @/open.dag @/p/d.dag --sites @/none.ads --ledger @/new/ledger --out @/new/of/these",
                "dag bind @/bound/open.dag --at-pre --out @/new/of/this",
                "dag queue --queue @/waiting --bind --sites @/s.ads --ledger @/ledger",
            })
    void whatIsRefusedLeavesNoDirectoryBehind(String line) throws Exception {
        write("none.ads", "Name = \"none\"\nRequirements = false\n");
        write("open.dag", "JOB A open.sub\n");
        write("open.sub", "executable = /bin/true\narguments = $ENV(Unknown)\nqueue\n");
        bind("");
        write("bound/open.dag", "JOB A ../open.sub\n");
        assertThat(run("dag queue @/open.dag --queue @/waiting --out @/new/of")).isZero();

        assertThat(run(line)).as("%s", err).isIn(1, 2);

        assertThat(folder.resolve("new")).doesNotExist();
    }

    @Test
    void aDirectoryThatAnotherFillsMeanwhileStays() throws Exception {
        write("open.dag", "JOB A open.sub\n");
        write("open.sub", "executable = /bin/true\narguments = $ENV(Unknown)\nqueue\n");
        Files.createDirectories(folder.resolve("new/of"));

        assertThat(run("dag bind @/open.dag --sites @/s.ads --ledger @/ledger --out @/new/of/this/one"))
                .isEqualTo(2);

        assertThat(folder.resolve("new/of")).isEmptyDirectory();
    }

    @Test
    void aFileThatWasBroughtIsNotThrownAway() throws Exception {
        bind(" --files manifest");
        write("bound/in/a.dat", "brought\n");

        int exit = run("dag bind @/p/d.dag --sites @/s.ads --ledger @/ledger --out @/bound --files link");

        assertThat(exit).isEqualTo(2);
        assertThat(folder.resolve("bound/in/a.dat")).hasContent("brought\n");
    }

    @Test
    void aQueuedDagKeepsTheChoice() throws Exception {
        assertThat(run("dag queue @/p/d.dag --out @/q --queue @/waiting --files copy"))
                .as(err.toString())
                .isZero();

        assertThat(run("dag queue --queue @/waiting --bind --sites @/s.ads --ledger @/ledger"))
                .as(err.toString())
                .isZero();

        assertThat(Files.isSymbolicLink(folder.resolve("q/d/run.sh"))).isFalse();
        assertThat(folder.resolve("q/d/run.sh")).exists();
    }
}
