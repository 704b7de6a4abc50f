package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DagCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void aDagAndTwoSites() throws Exception {
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\nJOB B a.sub\nPARENT A CHILD B\n");
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\narguments = $ENV(Area)\nqueue\n");
        Files.writeString(
                folder.resolve("sites.ads"),
                "Name = \"full\"\nCurMatches = 2\nMaxMatches = 2\nRequirements = CurMatches < MaxMatches\n\n"
                        + "Name = \"free\"\nCurMatches = 1\nMaxMatches = 2\nRequirements = CurMatches < MaxMatches\n"
                        + "SiteEnvironment = \"Area=/w\"\n");
    }

    private int run(String... arguments) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private JsonNode json() throws Exception {
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void twoDagsOfOneBaseNameAreToldApart() throws Exception {
        for (String name : List.of("a", "b")) {
            Path home = Files.createDirectory(folder.resolve(name));
            Files.writeString(home.resolve("x.dag"), "JOB A a.sub\n");
            Files.writeString(home.resolve("a.sub"), "executable = /bin/true\nqueue\n");
        }
        Files.writeString(folder.resolve("s.ad"), "MyType = \"Machine\"\nName = \"s\"\nRequirements = true\n");

        int exit = run(
                "dag",
                "bind",
                file("a/x.dag"),
                file("b/x.dag"),
                "--sites",
                file("s.ad"),
                "--ledger",
                file("matches"),
                "--out",
                file("bound"));

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("another DAG of this base name (" + file("a/x.dag") + ")");
        assertThat(Files.readString(folder.resolve("bound/x/metasched-binding.json")))
                .contains(file("a"));
    }

    @Test
    void aDagThatAPreScriptHasWrittenIsBoundToTheSiteOfTheDagAroundIt() throws Exception {
        String[] outer = {
            "dag", "bind", file("d.dag"), "--sites", file("sites.ads"), "--ledger", file("m"), "--out", file("bound")
        };
        assertThat(run(outer)).isZero();
        Path written = Files.createDirectory(folder.resolve("bound/written"));
        Files.writeString(written.resolve("in.dag"), "JOB C c.sub\n");
        Files.writeString(written.resolve("c.sub"), "executable = /bin/true\narguments = $ENV(Area)\nqueue\n");
        String[] inner = {"dag", "bind", written + "/in.dag", "--at-pre", "--out", file("bound/inner")};

        assertThat(run(inner)).isZero();

        assertThat(Files.readString(folder.resolve("bound/inner/c.sub"))).contains("arguments = /w");
        assertThat(folder.resolve("bound/inner/metasched-match.json")).doesNotExist();
        Files.writeString(folder.resolve("bound/inner/in.dag.lock"), "");
        assertThat(run(inner)).isZero();
        assertThat(err.toString()).contains("has begun already");
        assertThat(run("dag", "bind", file("d.dag"), "--at-pre", "--out", file("x")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("lies in no bound DAG");
        assertThat(run("dag", "bind", file("d.dag"), "--out", file("x"))).isEqualTo(2);
    }

    @Test
    void theRecipeForAPreScriptWorksAsItIsPasted() throws Exception {
        String[] outer = {
            "dag", "bind", file("d.dag"), "--sites", file("sites.ads"), "--ledger", file("m"), "--out", file("bound")
        };
        assertThat(run(outer)).isZero();
        String document = Files.readString(
                Path.of(System.getProperty("metasched.root", "../..")).resolve("docs/dag.md"));
        int start = document.indexOf("    #!/bin/sh -e");
        String recipe = document.substring(start, document.indexOf("\n\n", start))
                .replaceAll("(?m)^ {4}", "")
                .replace("/home/prod", folder.toString());
        Files.writeString(
                folder.resolve("make-dag"),
                "mkdir \"$1\" && cd \"$1\" && echo 'JOB C c.sub' > in.dag\n"
                        + "printf 'executable = /bin/true\\narguments = $ENV(Area)\\nqueue\\n' > c.sub\n");
        Files.writeString(folder.resolve("plan.sh"), recipe);
        Path program = Files.createDirectory(folder.resolve("bin")).resolve("metasched");
        Files.writeString(
                program,
                "#!/bin/sh\nexec " + ProcessHandle.current().info().command().orElseThrow() + " -cp '"
                        + System.getProperty("java.class.path") + "' " + Main.class.getName() + " \"$@\"\n");
        for (Path executable : List.of(program, folder.resolve("make-dag"))) {
            assertThat(executable.toFile().setExecutable(true)).isTrue();
        }
        Path in = Files.createDirectory(folder.resolve("bound/in"));
        var script = new ProcessBuilder("/bin/sh", file("plan.sh"))
                .directory(in.toFile())
                .redirectErrorStream(true);
        script.environment().merge("PATH", program.getParent().toString(), (path, first) -> first + ":" + path);

        Process process = script.start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(in.resolve("in.dag")).exists();
        assertThat(in.resolve("c.sub")).content().contains("arguments = /w");
    }

    @Test
    void theEnvironmentThatADagSetsMayNameVariablesOfTheSite() throws Exception {
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\nENV SET X=$ENV(Area)/x\n");
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\narguments = $ENV(X)\nqueue\n");

        assertThat(bindTo(file("bound"))).as("%s", err).isZero();

        assertThat(folder.resolve("bound/a.sub")).content().contains("arguments = /w/x\n");
        assertThat(folder.resolve("bound/d.dag")).content().contains("ENV SET X=/w/x");
    }

    @Test
    void aSiteThatCountsNodesTakesADagOnlyIfAllOfThemFit() throws Exception {
        String site = "Name = \"n\"\nMatchUnit = \"node\"\nMaxMatches = %d\nRequirements = CurMatches < MaxMatches\n"
                + "SiteEnvironment = \"Area=/w\"\n";
        Files.writeString(folder.resolve("n.ads"), site.formatted(3));
        String[] words = {"dag", "bind", file("d.dag"), "--sites", file("n.ads"), "--ledger", file("m"), "--out", ""};

        words[words.length - 1] = file("one");
        assertThat(run(words)).isZero();
        words[words.length - 1] = file("two");
        assertThat(run(words)).isEqualTo(1);
        Files.writeString(folder.resolve("n.ads"), site.formatted(4));
        assertThat(run(words)).isZero();
        assertThat(run("dag", "release", file("two"))).isZero();
    }

    @Test
    void aSiteThatCountsJobsIsFullWhenSoManyRunThereAsItSays() throws Exception {
        String site = "Name = \"j\"\nMatchUnit = \"job\"\nMaxMatches = 10\nRunningJobs = %d\nMyCurrentTime = %d\n"
                + "Requirements = CurMatches < MaxMatches\nSiteEnvironment = \"Area=/w\"\n";
        String[] words = {"dag", "bind", file("d.dag"), "--sites", file("j.ads"), "--ledger", file("m"), "--out", ""};

        Files.writeString(folder.resolve("j.ads"), site.formatted(9, 1));
        words[words.length - 1] = file("one");
        assertThat(run(words)).isZero();
        words[words.length - 1] = file("two");
        assertThat(run(words)).isEqualTo(1);
        long later = java.time.Instant.now().getEpochSecond() + 3600;
        Files.writeString(folder.resolve("j.ads"), site.formatted(9, later));
        assertThat(run(words)).isZero();
        Files.writeString(folder.resolve("j.ads"), site.formatted(10, later));
        words[words.length - 1] = file("three");
        assertThat(run(words)).isEqualTo(1);
    }

    @Test
    void aSoundDagIsCounted() throws Exception {
        int exit = run("dag", "check", file("d.dag"), "--json");

        assertThat(exit).isZero();
        assertThat(json().get("nodes").asInt()).isEqualTo(2);
        assertThat(json().get("edges").asInt()).isEqualTo(1);
        assertThat(json().get("errors")).isEmpty();
    }

    @Test
    void aMistakeHasFileLineAndColumnAndEndsWithTwo() throws Exception {
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\nRETRI A 3\n");

        int exit = run("dag", "check", file("d.dag"), "--json");

        assertThat(exit).isEqualTo(2);
        JsonNode error = json().get("errors").get(0);
        assertThat(error.get("file").asText()).endsWith("d.dag");
        assertThat(error.get("line").asInt()).isEqualTo(2);
        assertThat(error.get("column").asInt()).isEqualTo(1);
        assertThat(error.get("message").asText()).contains("RETRY");
    }

    @Test
    void aDagIsBoundToTheSiteWithRoom() throws Exception {
        int exit = run(
                "dag",
                "bind",
                file("d.dag"),
                "--sites",
                file("sites.ads"),
                "--ledger",
                file("ledger"),
                "--out",
                file("out"),
                "--json");

        assertThat(exit).as(err.toString()).isZero();
        assertThat(json().get("site").asText()).isEqualTo("free");
        assertThat(json().get("environment").get("Area").asText()).isEqualTo("/w");
        assertThat(folder.resolve("out/a.sub")).content().contains("arguments = /w\n");
    }

    @Test
    void aSiteThatDoesNotMatchEndsWithOneAndSaysWhy() {
        int exit = run(
                "dag",
                "bind",
                file("d.dag"),
                "--sites",
                file("sites.ads"),
                "--ledger",
                file("ledger"),
                "--site",
                "full",
                "--out",
                file("out"));

        assertThat(exit).isEqualTo(1);
        assertThat(out.toString()).contains("NOT site CurMatches < MaxMatches -> false");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aDagMovesAndGivesItsMatchBackAndOneThatCannotHoldsUpNoOther() throws Exception {
        Files.writeString(
                folder.resolve("sites.ads"),
                "Name = \"a\"\nMaxMatches = 1\nRequirements = CurMatches < MaxMatches\nSiteEnvironment = \"Area=/a\"\n\n"
                        + "Name = \"b/..\"\nMaxMatches = 1\nRequirements = CurMatches < MaxMatches\n"
                        + "SiteEnvironment = \"Area=/b\"\n");
        String bound = file("bound");
        assertThat(bindTo(bound)).isZero();
        assertThat(bindTo(file("second"))).isZero();

        assertThat(run("dag", "rebind", bound, "--sites", file("sites.ads"), "--ledger", file("ledger")))
                .as("the other site is full")
                .isEqualTo(1);
        assertThat(run("dag", "release", file("second"), file("none"))).isEqualTo(2);
        for (int i = 0; i < 3; i++) {
            assertThat(run(
                            "dag",
                            "rebind",
                            file("none"),
                            bound,
                            "--sites",
                            file("sites.ads"),
                            "--ledger",
                            file("ledger")))
                    .isEqualTo(2);
        }

        assertThat(err.toString()).contains("none) is not a bound DAG");
        assertThat(out.toString())
                .contains(
                        "bound moved from a to b/..",
                        "bound moved from b/.. to a",
                        "second gave its match back to b/..");
        assertThat(folder.resolve("bound.at-b_..")).isDirectory();
        assertThat(folder.resolve("bound").resolve("a.sub")).content().contains("arguments = /b");
        assertThat(run("dag", "release", bound)).isZero();
        assertThat(run("dag", "release", bound)).isEqualTo(1);
    }

    @Test
    void aNoteThatCannotBeReadStopsNoneOfTheOtherDags() throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("damaged")).resolve("metasched-match.json"), "{");
        Files.createDirectory(folder.resolve("whole"));

        assertThat(run("dag", "release", file("damaged"), file("whole"))).isEqualTo(3);

        assertThat(err.toString()).contains("the note of the match cannot be read", "whole holds no match.");
    }

    @Test
    void aNoteThatNamesNoMatchIsBadInput() throws Exception {
        Path bound = Files.createDirectory(folder.resolve("bound"));
        Files.writeString(
                bound.resolve("metasched-match.json"),
                "{\"Match\":\"../x\",\"Site\":\"s\",\"Where\":\""
                        + folder.resolve("ledger").toUri() + "\"}");

        assertThat(run("dag", "release", bound.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("The match (../x)");
    }

    @Test
    void adsFromStandardInputAreForAllTheDags() throws Exception {
        Files.copy(folder.resolve("d.dag"), folder.resolve("e.dag"));
        InputStream in = System.in;
        String ads = "Name = \"s\"\nRequirements = true\nSiteEnvironment = \"Area=/w\"\n";
        System.setIn(new ByteArrayInputStream(ads.getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(run(
                            "dag",
                            "bind",
                            file("d.dag"),
                            file("e.dag"),
                            "--sites",
                            "-",
                            "--ledger",
                            file("m"),
                            "--out",
                            file("both")))
                    .as(err.toString())
                    .isZero();
        } finally {
            System.setIn(in);
        }

        assertThat(folder.resolve("both/e/a.sub")).content().contains("arguments = /w");
    }

    @Test
    void adsOfStandardInputNeedALedger() throws Exception {
        var in = System.in;
        try {
            System.setIn(Files.newInputStream(folder.resolve("sites.ads")));
            assertThat(run("dag", "bind", file("d.dag"), "--sites", "-", "--out", file("none")))
                    .isEqualTo(2);
        } finally {
            System.setIn(in);
        }
        assertThat(err.toString()).contains("(--sites -) need --ledger DIR");
    }

    @Test
    void aFileIsNoPlaceOfABindingAndNoBinding() throws Exception {
        assertThat(bindTo(file("a.sub"))).isEqualTo(2);
        assertThat(err.toString()).contains("a.sub: this is a file, where a folder is expected.");
        assertThat(run("dag", "release", file("a.sub"))).isEqualTo(2);
        assertThat(run("dag", "release", file("none"))).isEqualTo(2);
    }

    @Test
    void oneInputIsOneLink() throws Exception {
        Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\n");
        Files.writeString(folder.resolve("a.sub"), "executable = run.sh\nqueue\n");

        assertThat(bindTo(file("linked"))).isZero();

        assertThat(out.toString()).contains("2 files, 1 link: ");
    }

    @Test
    void aDagThatCannotBeReadStopsNoWaitForTheOthersAndNoList() throws Exception {
        assertThat(bindTo(file("all/damaged"))).isZero();
        assertThat(bindTo(file("all/whole"), file("m2"))).isZero();
        Files.writeString(folder.resolve("all/whole/metasched-finished"), "");
        Files.createDirectory(folder.resolve("all/damaged/.metasched-slurm"));
        Files.writeString(folder.resolve("all/damaged/.metasched-slurm/journal"), "begun x y z\n");

        assertThat(run("dag", "wait", file("all/damaged"), file("all/whole"))).isEqualTo(2);
        assertThat(out.toString()).contains("all/whole is finished");
        assertThat(run("dag", "list", file("all"))).isEqualTo(2);
        assertThat(out.toString())
                .containsPattern("all/damaged +- +unknown")
                .containsPattern("all/whole +free +finished");
    }

    /** The process was killed when the old binding had left and the new one had not yet come. */
    @Test
    void aDagWhoseMoveWasCutOffIsNotTakenForItsEarlierBindingNorForNone() throws Exception {
        assertThat(bindTo(file("all/a"))).isZero();
        Files.move(folder.resolve("all/a"), folder.resolve("all/a.at-free"));
        assertThat(bindTo(file("all/b"), file("m2"))).isZero();
        Files.writeString(folder.resolve("all/b/metasched-rebinding"), "a.at-free\n");
        Files.move(folder.resolve("all/b"), folder.resolve("all/.a.rebinding"));

        assertThat(run("dag", "list", file("all"))).isEqualTo(3);
        assertThat(out.toString()).containsPattern("all/a +- +unknown").doesNotContain("a.at-free");
        assertThat(err.toString()).contains("is on its way to another site", "Maybe dag release");
        assertThat(run("dag", "status", file("all/a"))).isEqualTo(3);
        assertThat(run("dag", "release", file("all/a.at-free"), file("all/none")))
                .isEqualTo(2);
        assertThat(out.toString()).contains("all/a gave its match back");
        assertThat(err.toString()).contains("There is no folder (" + file("all/none"));
    }

    @Test
    void onePictureShowsOneDag() throws Exception {
        Files.copy(folder.resolve("d.dag"), folder.resolve("e.dag"));

        int exit = run(
                "dag",
                "bind",
                file("d.dag"),
                file("e.dag"),
                "--sites",
                file("sites.ads"),
                "--dot",
                file("x"),
                "--dry-run");

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("shows one DAG");
    }

    private int bindTo(String place) {
        return bindTo(place, file("ledger"));
    }

    private int bindTo(String place, String ledger) {
        return run("dag", "bind", file("d.dag"), "--sites", file("sites.ads"), "--ledger", ledger, "--out", place);
    }

    @Test
    void whatIsLeftOpenEndsWithTwo() throws Exception {
        Files.writeString(folder.resolve("a.sub"), "executable = $ENV(NoSuchThing)\nqueue\n");

        int exit = run(
                "dag",
                "bind",
                file("d.dag"),
                "--sites",
                file("sites.ads"),
                "--ledger",
                file("ledger"),
                "--out",
                file("out"),
                "--json");

        assertThat(exit).isEqualTo(2);
        assertThat(json().get("unresolved").get(0).get("line").asInt()).isEqualTo(1);
        assertThat(err.toString()).contains("a.sub:1: node A: $ENV(NoSuchThing)");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aSubmitDescriptionBecomesJobAds() throws Exception {
        int exit = run("submit", "expand", file("a.sub"), "--env", "Area=/w", "--json");

        assertThat(exit).as(err.toString()).isZero();
        assertThat(json().get("Args").asText()).isEqualTo("\"/w\"");
    }
}
