package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.durable.AtomicFile;
import org.metasched.submit.SharedData;
import org.metasched.submit.SubmitContext;
import org.metasched.submit.SubmitDescription;

class DagBinderTest {

    private static final String ENVIRONMENT =
            "SiteGatekeeperURL=gate.example.org:/jobmanager;SiteVDTLocation=/vdt;SiteWorkingArea=/scratch/w";

    @TempDir
    Path folder;

    Path in;
    Path out;

    @BeforeEach
    void directories() throws IOException {
        in = Files.createDirectory(folder.resolve("in"));
        out = folder.resolve("out");
    }

    private Path write(String name, String text) throws IOException {
        Path file = in.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static ClassAd site(String environment) throws Exception {
        return ClassAd.parseOld(
                        "Name = \"hep\"\nRequirements = CurMatches < MaxMatches\nCurMatches = 1\nMaxMatches = 4\n"
                                + "Arch = \"X86_64\"\nFree = MaxMatches - CurMatches\nUrl = \"gate.example.org:2119/jm\"\n")
                .with("SiteEnvironment", environment);
    }

    private BoundDag bind(String dag, Optional<Path> jobAd, ClassAd site, Path to) throws Exception {
        NestedDag nested = NestedDag.read(in.resolve(dag));
        Map<String, String> user = Map.of("PATH", "/usr/bin:/bin", "USER", "alice", "HOME", "/home/alice");
        DagJobAd job = DagJobAd.of(nested.file(), jobAd, nested.root().dag().jobAttributes(), user);
        Match match = new RankedMatchmaker().match(job.ad(), List.of(site)).orElseThrow();
        return new DagBinder(DagBinder.Options.of(user)).bind(nested, job, match, to);
    }

    private BoundDag bind(String dag) throws Exception {
        return bind(dag, Optional.empty(), site(ENVIRONMENT), out);
    }

    private String bound(String name) throws IOException {
        return Files.readString(out.resolve(name));
    }

    private static Map<String, String> bytesOf(Path tree) throws IOException {
        Map<String, String> bytes = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                bytes.put(
                        tree.relativize(path).toString(),
                        new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1));
            }
        }
        return bytes;
    }

    @Test
    void remembersAJobAdThatIsNoSubmitDescription() throws Exception {
        write("node.sub", "executable = /bin/true\nqueue\n");
        write("group.dag", "JOB a node.sub\n");
        Path ad = write("job.ad", "[ Rank = -1.0 * TARGET.CurMatches / TARGET.MaxMatches ]");

        BoundDag bound = bind("group.dag", Optional.of(ad), site(ENVIRONMENT), out);

        assertThat(bound.record().origin().jobAd()).isEqualTo(ad.toString());
    }

    /** Where binding read a description otherwise than condor_submit, it reads it as condor_submit now. */
    @Test
    void aDescriptionIsReadAsCondorReadsIt() throws Exception {
        write("a.dat", "");
        write("b.dat", "");
        write("list.txt", "1\n");
        write(
                "node.sub",
                "executable = /bin/true\ntransfer_input_files = a.dat, \\\n  b.dat\n"
                        + "arguments = $ENV(SiteVDTLocation:$(other)) $ENV(No:$(other)):\nqueue $(n) x from list.txt\n");
        write("getenv.sub", "executable = /bin/true\nget_env = true\nqueue\n");
        write("group.dag", "JOB a node.sub\nJOB b getenv.sub\n");

        BoundDag bound = bind("group.dag");

        assertThat(bound("node.sub")).contains("arguments = /vdt $(other):\n");
        assertThat(bound.record().inputs()).containsExactly("a.dat", "b.dat", "list.txt");
        assertThat(bound("group.dag")).contains("ENV SET ");
    }

    @Test
    void aDagBoundByTheRecordOfAnotherHasTheSameEnvironment() throws Exception {
        write("node.sub", "executable = /bin/true\nqueue\n");
        write("group.dag", "JOB a node.sub\n");
        BindingRecord outer = bind("group.dag", Optional.empty(), site("\"Path='a;b c' Flag=1\""), out)
                .record();

        NestedDag nested = NestedDag.read(in.resolve("group.dag"));
        DagJobAd job = DagJobAd.of(nested, "", Map.of());
        BoundDag inner = new DagBinder(DagBinder.Options.of(Map.of()))
                .bind(nested, job, new Match(job.ad(), outer.siteAd(), 0, 0, 0, false), folder.resolve("inner"));

        assertThat(outer.environment()).containsEntry("Path", "a;b c").containsEntry("Flag", "1");
        assertThat(inner.record().environment()).isEqualTo(outer.environment());
    }

    @Test
    void namesARescueFileThatItDoesNotBind() throws Exception {
        write("group.dag", "JOB a node.sub\nSUBDAG EXTERNAL b inner.dag\n");
        write("inner.dag", "JOB c node.sub\n");
        write("node.sub", "executable = /bin/true\nqueue\n");
        assertThat(bind("group.dag").warnings()).isEmpty();
        write("group.dag.rescue001", "DONE a\n");
        write("inner.dag.rescue001", "DONE c\n");

        BoundDag bound = bind("group.dag");

        assertThat(bound.warnings())
                .hasSize(2)
                .allMatch(warning -> warning.contains("is not bound"))
                .anyMatch(warning -> warning.contains("(group.dag.rescue001)"))
                .anyMatch(warning -> warning.contains("(inner.dag.rescue001)"));
        assertThat(out.resolve("group.dag.rescue001")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"true, true", "False, false", "0, false", "'PATH, !HOME', true", "$(maybe), true"})
    void aDescriptionThatWantsNoVariablesOfTheSubmitterGetsNone(String getenv, boolean wants) throws Exception {
        write("node.sub", "executable = /bin/true\ngetenv = " + getenv + "\nqueue\n");
        write("group.dag", "JOB a node.sub\nJOB b {\n  executable = /bin/true\n  getenv = " + getenv + "\n}\n");

        bind("group.dag");

        assertThat(bound("group.dag").contains("ENV SET ")).isEqualTo(wants);
    }

    @Test
    void theOnlyDescriptionThatWantsThemMayStandInTheDagFileOrElsewhere(@TempDir Path elsewhere) throws Exception {
        String description = "executable = /bin/true\ngetenv = true\n";
        Path absolute = Files.writeString(elsewhere.resolve("node.sub"), description + "queue\n");
        write("inline.dag", "JOB a {\n" + description + "}\n");
        write("absolute.dag", "JOB a " + absolute + "\n");

        for (String dag : List.of("inline.dag", "absolute.dag")) {
            Path to = elsewhere.resolve(dag + ".bound");
            bind(dag, Optional.empty(), site(ENVIRONMENT), to);
            assertThat(to.resolve(dag)).content().contains("ENV SET ");
        }
    }

    @Test
    void anEnvironmentOfTheSiteThatIsAnErrorIsNamed() throws Exception {
        write("node.sub", "executable = /bin/true\nqueue\n");
        write("group.dag", "JOB a node.sub\n");
        ClassAd broken = site("").with("SiteEnvironment", Expr.parse("strcat(\"a=\", 1 / 0)"));

        assertThatThrownBy(() -> bind("group.dag", Optional.empty(), broken, out))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The SiteEnvironment (error) of the site (hep) must be a string.");
        assertThat(out).doesNotExist();
        bind("group.dag", Optional.empty(), site("").with("SiteEnvironment", Expr.parse("Nowhere")), out);
        assertThat(out).exists();
    }

    @ParameterizedTest
    @CsvSource({
        "-1.0 * CurMatches / MaxMatches, false",
        "-1.0 * TARGET.CurMatches / TARGET.MaxMatches, false",
        "-real(CurMatches) / MaxMatches, false",
        "Memory / 2, false",
        "-CurMatches / MaxMatches, true",
        "-1 * TARGET.CurMatches / TARGET.MaxMatches, true"
    })
    void warnsOfARankThatDividesIntegersAndOfNoOther(String rank, boolean warned) throws Exception {
        write("node.sub", "executable = /bin/true\nqueue\n");
        write("group.dag", "JOB a node.sub\n");
        Path ad = write("job.ad", "[ Rank = " + rank + " ]");

        BoundDag bound = bind("group.dag", Optional.of(ad), site(ENVIRONMENT), out);

        assertThat(bound.warnings().isEmpty()).isEqualTo(!warned);
    }

    @Test
    void theRecipeOf2003HasEveryValueWhereThePageSaysItGoes() throws Exception {
        Path papers = SharedData.papers();
        Files.copy(papers.resolve("uscms-node.sub"), in.resolve("uscms-node.sub"));
        write("group.dag", "JOB stagein uscms-node.sub\nJOB run uscms-node.sub\nPARENT stagein CHILD run\n");
        ClassAd site = ClassAd.parseOld(Files.readString(papers.resolve("uscms-site.ad")));

        BoundDag bound = bind("group.dag", Optional.of(papers.resolve("uscms-dag.sub")), site, out);

        assertThat(bound.record().site()).isEqualTo("uw-hep-USCMS-Site");
        assertThat(bound("uscms-node.sub").lines())
                .contains(
                        "GlobusScheduler = dill.hep.wisc.edu:/jobmanager-condor",
                        "Remote_Initialdir = /scratch/work",
                        "Environment = SiteVDTLocation=/dpe;SiteExportDir=/scratch/export");
        assertThat(bound("uscms-dag.sub").lines())
                .contains(
                        "GlobusScheduler = ramen.fnal.gov:/jobmanager-condor",
                        "environment = \"PATH=/usr/bin:/bin SiteExportDir=/scratch/export"
                                + " SiteGatekeeperURL=dill.hep.wisc.edu:/jobmanager-condor SiteVDTLocation=/dpe"
                                + " SiteWorkingArea=/scratch/work USER=alice"
                                + " _CONDOR_DAGMAN_LOG=/dpe/run/group.dag.dagman.out _CONDOR_MAX_DAGMAN_LOG=0\"",
                        "+MATCH_MatchmakerURL = \"ramen.fnal.gov:/jobmanager-condor\"");
        assertThat(bound("uscms-dag.sub"))
                .containsSubsequence("+MATCH_SiteEnvironment = \"SiteGatekeeperURL=dill.hep.wisc.edu", "\nqueue");
        assertThat(bound("uscms-node.sub")).doesNotContain("MATCH_");
        assertThat(bound.record().matched()).containsOnlyKeys("MATCH_MatchmakerURL", "MATCH_SiteEnvironment");
        assertThat(bound.warnings()).anyMatch(warning -> warning.contains("-1.0 * CurMatches / MaxMatches"));
    }

    @Test
    void whatTheMatchGaveTheJobOfTheDagIsInItsAd() throws Exception {
        write("node.sub", "executable = /bin/true\nqueue\n");
        write("group.dag", "JOB a node.sub\n");
        Path sub = write(
                "job.sub", "executable = /bin/dagman\narguments = $$(Arch) $$(Odd) $$(None:d) $$([Free * 2])\nqueue");
        ClassAd site = site(ENVIRONMENT).with("Odd", "x$(y) é");

        BoundDag bound = bind("group.dag", Optional.of(sub), site, out);

        Map<String, String> ad = new TreeMap<>();
        SubmitContext context = SubmitContext.of(out, Map.of()).withoutFileChecks();
        SubmitDescription.expand(Path.of("job.sub"), context, List.of(), job -> ad.putAll(job.printed()));
        assertThat(ad)
                .containsEntry("MATCH_Arch", "\"X86_64\"")
                .containsEntry("MATCH_Odd", "\"x$(y) é\"")
                .doesNotContainKey("MATCH_None");
        assertThat(bound.record().matched()).containsOnlyKeys("MATCH_Arch", "MATCH_Odd");
    }

    @Test
    void allThatAsksNothingOfTheSiteStaysByteForByte() throws Exception {
        String dag =
                "# $ENV(Gone) and $$(Gone)\r\nJOB A a.sub \t\r\n\r\n  // $$(Gone)\nVARS A x = 'é' \\\n  y=\"$(z)\"\nJOB B b.sub";
        String submit =
                "  # $ENV(Gone) $$(Gone) \\\n\tExecutable=/bin/x \r\nenvironment = a=$(b);c=$ENV(D:$(e)) ;\narguments = $$(DOLLARDOLLAR) \\\n"
                        + " # $ENV(Gone)\n 2 \nqueue";
        write("d.dag", dag);
        write("a.sub", submit);
        Files.write(in.resolve("b.sub"), new byte[] {'x', '=', (byte) 0xff, (byte) 0xfe, '\r', '\n'});

        bind("d.dag");

        assertThat(bound("d.dag")).isEqualTo(dag);
        assertThat(bound("a.sub")).isEqualTo(submit.replace("$ENV(D:$(e))", "$(e)"));
        assertThat(out.resolve("b.sub")).hasSameBinaryContentAs(in.resolve("b.sub"));
    }

    @Test
    void bindingTwiceGivesTheSameBytesAndLeavesTheOriginalAlone() throws Exception {
        write("d.dag", "JOB A sub/a.sub\nSCRIPT PRE A pre.sh\n");
        write("sub/a.sub", "executable = run.sh\ninput = $ENV(SiteWorkingArea)/x\nqueue\n");
        write("pre.sh", "");
        Map<String, String> before = bytesOf(in);

        bind("d.dag");
        Map<String, String> once = bytesOf(out);
        bind("d.dag");

        assertThat(bytesOf(out)).isEqualTo(once).containsKeys("d.dag", "sub/a.sub", BindingRecord.FILE);
        assertThat(bytesOf(in)).isEqualTo(before);
        assertThat(folder).isDirectoryNotContaining("glob:**/.*");
        assertThat(out.resolve("pre.sh")).isSymbolicLink();
    }

    @Test
    void splicesIncludesNestedDagsAndInlineDescriptionsAreBoundToo() throws Exception {
        write(
                "d.dag",
                "INCLUDE inc.dag\nSPLICE S splice.dag\nSUBDAG EXTERNAL N inner.dag\nJOB I {\n  executable = $ENV(SiteVDTLocation)/i\n}\n"
                        + "SUBMIT-DESCRIPTION Desc @=end\n  arguments = $$(Arch)\n@end\nJOB K Desc\nVARS I area=\"$ENV(SiteWorkingArea)\" n=\"$$([Free * 2])\"\n");
        write("inc.dag", "JOB A a.sub\n");
        write("splice.dag", "JOB B b.sub\n");
        write("inner.dag", "JOB C c.sub\n");
        for (String name : List.of("a", "b", "c")) {
            write(name + ".sub", "executable = $ENV(SiteVDTLocation)/" + name + "\ninclude : common.inc\nqueue\n");
        }
        write("common.inc", "log = $ENV(SiteWorkingArea)/log\n");

        BoundDag bound = bind("d.dag");

        assertThat(bound("a.sub")).startsWith("executable = /vdt/a\n");
        assertThat(bound("b.sub")).startsWith("executable = /vdt/b\n");
        assertThat(bound("c.sub")).startsWith("executable = /vdt/c\n");
        assertThat(bound("common.inc")).isEqualTo("log = /scratch/w/log\n");
        assertThat(bound("d.dag").lines())
                .contains("  executable = /vdt/i", "  arguments = X86_64", "VARS I area=\"/scratch/w\" n=\"6\"");
        assertThat(bound.record().nodes()).isEqualTo(5);
    }

    @Test
    void whatNobodySaysIsAnErrorNamingNodeFileAndLineAndNothingIsWritten() throws Exception {
        write("d.dag", "JOB A a.sub\nJOB B a.sub\nVARS B x=\"$$(Nothing)\"\n");
        write(
                "a.sub",
                "executable = /bin/x\n\n# $ENV(Comment)\narguments = $ENV(SiteVDTLocation) \\\n   $ENV(Nowhere)\nqueue\n");

        UnboundReferenceException refusal = catchThrowableOfType(UnboundReferenceException.class, () -> bind("d.dag"));

        assertThat(refusal.references())
                .extracting(UnboundReference::toString)
                .containsExactly(
                        "a.sub:5: node A: $ENV(Nowhere) is not in the environment of the DAG at this site, and has no default",
                        "d.dag:3: node B: $$(Nothing) is not an attribute of the site's ad, and has no default");
        assertThat(refusal).hasMessageContaining("Site hep was chosen.");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(in);
        }
    }

    @Test
    void defaultsAreTakenAsTheyStand() throws Exception {
        write("d.dag", "JOB A a.sub\n");
        write(
                "a.sub",
                "a = $ENV(None:x:$(y)) $ENV(None:) $$(None:z \"q\") $ENV(SiteVDTLocation:no)\nb = $ENV(HOME)\nqueue\n");

        bind("d.dag");

        assertThat(bound("a.sub")).isEqualTo("a = x:$(y)  z \"q\" /vdt\nb = $ENV(HOME)\nqueue\n");
    }

    @Test
    void theEnvironmentOfTheSiteReachesScriptsToo() throws Exception {
        write("d.dag", "JOB A a.sub\nSCRIPT PRE A pre.sh");
        write("pre.sh", "");
        write("a.sub", "executable = /bin/x\nqueue\n");

        bind("d.dag");

        assertThat(bound("d.dag"))
                .startsWith("JOB A a.sub\nSCRIPT PRE A pre.sh\n#")
                .endsWith("\nENV SET " + ENVIRONMENT + "\n");
    }

    @Test
    void theSubmitFileOfCondorSubmitDagGetsTheSiteMergedIntoItsEnvironment() throws Exception {
        write("d.dag", "JOB A a.sub\n");
        write("a.sub", "executable = $ENV(SiteVDTLocation)/$ENV(MINE)\nqueue\n");
        write(
                "d.dag.condor.sub",
                "universe = scheduler\nexecutable = condor_dagman\nenvironment = \"MINE='my own' _CONDOR_X=1\"\nqueue\n");

        bind("d.dag");

        assertThat(bound("d.dag.bound.sub"))
                .contains("environment = \"MINE=my' 'own SiteGatekeeperURL=gate.example.org:/jobmanager"
                        + " SiteVDTLocation=/vdt SiteWorkingArea=/scratch/w _CONDOR_X=1\"\n");
        assertThat(bound("a.sub")).startsWith("executable = /vdt/my own\n");
        assertThat(out.resolve("d.dag.condor.sub")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"JOB A ../a.sub\n", "JOB A x/../../a.sub\n", "JOB A a.sub DIR ..\n"})
    void namesThatLeadOutOfTheDirectoryAreRefused(String dag) throws Exception {
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/x\nqueue\n");
        Files.createDirectories(in.resolve("x"));
        write("d.dag", dag);

        assertThatThrownBy(() -> bind("d.dag"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("d.dag:1: ")
                .hasMessageContaining("must not lead out of the directory");

        assertThat(out).doesNotExist();
    }

    @Test
    void aDirectoryWithOtherThingsInItIsNotTouched() throws Exception {
        write("d.dag", "JOB A a.sub\n");
        write("a.sub", "executable = /bin/x\nqueue\n");
        bind("d.dag");
        Files.writeString(out.resolve("d.dag.rescue001"), "DONE A\n");
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("thesis.tex"), "");

        assertThatThrownBy(() -> bind("d.dag"))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("[d.dag.rescue001]");
        assertThatThrownBy(() -> bind("d.dag", Optional.empty(), site(ENVIRONMENT), other))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageStartingWith(other + ": it exists already, and is not a binding of this DAG");

        assertThat(other).isDirectoryContaining("glob:**/thesis.tex");
        assertThat(out.resolve("d.dag.rescue001")).exists();
    }

    @Test
    void aPlaceWhereNoDirectoryCanBeMadeIsRefused() throws Exception {
        write("d.dag", "JOB A a.sub\n");
        write("a.sub", "executable = /bin/x\nqueue\n");

        assertThatThrownBy(() -> bind("d.dag", Optional.empty(), site(ENVIRONMENT), Path.of("/proc/bound")))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("/proc: no directory can be made there");
        assertThatThrownBy(() -> bind("d.dag", Optional.empty(), site(ENVIRONMENT), Path.of("/")))
                .hasMessage("/: the root directory cannot be the place of a binding.");
    }

    /** condor drops a command whose continuation is missing, and would join what is written behind it to that command. */
    @Test
    void nothingIsAddedToACommandThatIsCutOff() throws Exception {
        write("a.sub", "executable = /bin/x\ngetenv = true\nqueue\n");
        write("d.dag", "JOB A a.sub\nJOB B a.sub \\\n");

        assertThatThrownBy(() -> bind("d.dag"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("d.dag: The last line ends with a backslash");
        assertThat(out).doesNotExist();
    }

    @Test
    void referencesBeyondThoseThatAreKeptAreMentioned() throws Exception {
        write("a.sub", "executable = /bin/x\nqueue\n");
        write("d.dag", "JOB A a.sub\n" + "VARS A x=\"$ENV(Missing)\"\n".repeat(1500));

        assertThatThrownBy(() -> bind("d.dag")).hasMessageContaining("\nand at least 980 more.");
    }

    /** As {@link AtomicFile} leaves it when the command is killed while it writes a note. */
    @Test
    void theTemporaryFileOfAKilledCommandKeepsNoDirectoryFromBeingBoundAgain() throws Exception {
        write("d.dag", "JOB A a.sub\n");
        write("a.sub", "executable = /bin/x\nqueue\n");
        bind("d.dag");
        Path left = out.resolve(".metasched-released.json." + UUID.randomUUID() + ".next");
        Files.writeString(left, "{");

        bind("d.dag");

        assertThat(left).doesNotExist();
        assertThat(out.resolve("d.dag")).exists();
    }

    @Test
    void theRecordOfABindingReadsBack() throws Exception {
        write("d.dag", "JOB A a.sub\n");
        write("a.sub", "executable = $$(Url)\nqueue\n");

        BoundDag bound = bind("d.dag");

        BindingRecord read = BindingRecord.find(out).orElseThrow();
        assertThat(read.site()).isEqualTo("hep");
        assertThat(read.rank()).isEqualTo(-0.25);
        assertThat(read.environment()).isEqualTo(bound.record().environment());
        assertThat(read.matched()).containsExactly(Map.entry("MATCH_Url", "\"gate.example.org:2119/jm\""));
        assertThat(read.files()).containsExactly("a.sub", "d.dag");
    }

    @ParameterizedTest
    @CsvSource({"false, HasApptainer, false", "true, HasApptainer, true", "true, hasapptainer, true"})
    void aSiteHasApptainerIfItsAdSaysSoAndTheDagHasUsedThat(boolean has, String name, boolean expected)
            throws Exception {
        write("d.dag", "JOB A a.sub\n");
        write("a.sub", "executable = /bin/true\narguments = $$(" + name + ")\nqueue\n");

        BoundDag bound = bind("d.dag", Optional.empty(), site(ENVIRONMENT).with("HasApptainer", has), out);

        assertThat(bound.record().hasApptainer()).isEqualTo(expected);
    }

    @Test
    void aPlanListsTheFilesAndWritesNone() throws Exception {
        write("d.dag", "JOB A a.sub\n");
        write("a.sub", "executable = $$(Url)\nqueue\n");
        NestedDag nested = NestedDag.read(in.resolve("d.dag"));
        DagJobAd job = DagJobAd.of(nested.file(), Optional.empty(), List.of(), Map.of());
        Match match = new RankedMatchmaker()
                .match(job.ad(), List.of(site(ENVIRONMENT)))
                .orElseThrow();

        BoundDag plan = new DagBinder(DagBinder.Options.of(Map.of())).plan(nested, job, match);

        assertThat(plan.record().files()).containsExactly("a.sub", "d.dag");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(in);
        }
    }
}
