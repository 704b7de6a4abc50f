package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.Need;
import org.metasched.adapter.Program;
import org.metasched.adapter.SiteId;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.client.OfferWriter;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;

/** What is understood of JSDL: done, matched on the site's ad, or refused by its name. */
class ResourceTermTest {

    private static final String JOB = "<j:JobDescription xmlns:j='" + XmlNames.JSDL + "' xmlns:p='"
            + XmlNames.JSDL_POSIX + "' xmlns:s='" + XmlNames.JSDL_SPMD + "'>%s</j:JobDescription>";
    private static final String PROGRAM =
            "<j:Application><p:POSIXApplication><p:Executable>/bin/date</p:Executable>%s</p:POSIXApplication></j:Application>";

    private static ResourceTerm read(String content) {
        return ResourceTerm.of(
                "T", "S", XmlTrees.parse("test", JOB.formatted(content)).getDocumentElement());
    }

    @Test
    void aTimeWithoutAZoneIsNamedByItsPlace() {
        assertThatThrownBy(() -> TimeTerm.instant("Context", "ExpirationTime", "2030-01-05T16:00:00"))
                .isInstanceOf(InvalidOfferException.class)
                .hasMessageStartingWith("Context: the ExpirationTime (2030-01-05T16:00:00) must be");
    }

    @Test
    void anOfferWithoutResourcesMeansOneNode() {
        assertThat(read(PROGRAM.formatted("")).need()).isEqualTo(new Need.Nodes(1));
    }

    @ParameterizedTest
    @CsvSource({
        "<j:Exact>1200000</j:Exact>, 2",
        "<j:LowerBoundedRange exclusiveBound='true'>2000000</j:LowerBoundedRange>, 3",
        "<j:UpperBoundedRange>5000000</j:UpperBoundedRange>, 1",
        "<j:Range><j:LowerBound>1200000</j:LowerBound><j:UpperBound>2000000</j:UpperBound></j:Range>, 2",
        "<j:Range><j:LowerBound>1200000</j:LowerBound><j:UpperBound>1800000</j:UpperBound></j:Range>, 0"
    })
    void aBandwidthIsTheSmallestOfWholeMegabitsThatIsAllowed(String value, int megabits) {
        String resources =
                "<j:Resources><j:IndividualNetworkBandwidth>" + value + "</j:IndividualNetworkBandwidth></j:Resources>";
        if (megabits > 0) {
            assertThat(read(resources).need()).isEqualTo(new Need.Bandwidth(megabits));
        } else {
            assertThatThrownBy(() -> read(resources))
                    .isInstanceOf(InvalidOfferException.class)
                    .hasMessageContaining("(1200000 1800000) must allow a whole number of Mbit/s from 1 to 10000000.");
        }
    }

    @Test
    void aRankChoosesWhereNoHostIsNamed() {
        String ranked = "<j:Resources>%s<j:TotalResourceCount><j:Exact>2</j:Exact></j:TotalResourceCount>"
                + "<Rank xmlns='urn:metasched:agreement:1'>Memory * 2</Rank></j:Resources>";

        assertThat(read(ranked.formatted("")).rank()).contains("Memory * 2");
        String host = "<j:CandidateHosts><j:HostName>fzj</j:HostName></j:CandidateHosts>";
        assertThatThrownBy(() -> read(ranked.formatted(host))).hasMessageContaining("both a host and a Rank");
    }

    @Test
    void aRankThatOurClientWritesIsInTheRequest() {
        var template = CoAllocationTemplate.of(List.of(new SiteId("fzj")), Map.of());
        var part = new OfferWriter.Part(
                Optional.empty(), Optional.of("true"), Optional.of("Memory"), new Need.Nodes(2), Optional.empty());
        var content = new OfferWriter.OfferContent(
                "r1", "CN=alice", List.of(part), Duration.ofHours(1), Optional.empty(), Optional.empty());

        var offer = new OfferReader(() -> List.of(template))
                .read(
                        OfferWriter.write(template.key(), content),
                        new InitiatorIdentity(Authorizer.OPEN, new Authorizer.Call(Subject.ANONYMOUS, "", "")),
                        Optional.empty(),
                        Optional.empty());

        assertThat(offer.alternatives().get(0).parts().get(0).rank()).contains("Memory");
    }

    @Test
    void machineAndSystemAreMatchedOnTheSitesAd() throws Exception {
        var term = read(PROGRAM.formatted("") + """
                <j:Resources><j:IndividualDiskSpace><j:LowerBoundedRange>1073741824</j:LowerBoundedRange></j:IndividualDiskSpace>
                <j:CandidateHosts><j:HostName>fzj</j:HostName></j:CandidateHosts>
                <j:OperatingSystem><j:OperatingSystemType><j:OperatingSystemName>LINUX</j:OperatingSystemName>
                </j:OperatingSystemType></j:OperatingSystem><j:ExclusiveExecution>true</j:ExclusiveExecution>
                <j:IndividualPhysicalMemory><j:Range><j:LowerBound>2147483648</j:LowerBound><j:UpperBound>8589934592</j:UpperBound>
                </j:Range></j:IndividualPhysicalMemory>
                <j:IndividualCPUSpeed><j:Exact>2.0E9</j:Exact></j:IndividualCPUSpeed>
                <j:TotalResourceCount><j:Exact>2</j:Exact></j:TotalResourceCount></j:Resources>""");

        assertThat(term.need()).isEqualTo(new Need.Nodes(2));
        assertThat(term.hosts()).isEmpty();
        String good = "[Name = \"fzj\"; OpSys = \"LINUX\"; Memory = 4096; Disk = 2000000; CpuMegahertz = 2400]";
        assertThat(holds(term, good)).isTrue();
        for (String change : List.of(
                "Name = \"scai\"",
                "OpSys = \"AIX\"",
                "Memory = 1024",
                "Memory = 9000",
                "CpuMegahertz = 1999",
                "Disk = 9")) {
            String name = change.substring(0, change.indexOf(' '));
            assertThat(holds(term, good.replaceFirst(name + " = [^;\\]]*", change)))
                    .as(change)
                    .isFalse();
            assertThat(holds(term, good.replaceFirst(name + " = [^;\\]]*;?", "")))
                    .as("without " + name)
                    .isFalse();
        }
    }

    private static boolean holds(ResourceTerm term, String ad) throws Exception {
        var asking =
                ClassAd.EMPTY.with("Requirements", Expr.parse(term.constraint().orElseThrow()));
        return asking.evaluate("Requirements", Scope.matching(asking, ClassAd.parse(ad), LookupMode.NEW))
                .satisfies();
    }

    @Test
    void whatIsNotDoneIsRefusedByItsName() {
        for (String[] one : new String[][] {
            {PROGRAM.formatted("<p:GroupName>wheel</p:GroupName>"), "GroupName"},
            {PROGRAM.formatted("<p:ThreadCountLimit>4</p:ThreadCountLimit>"), "ThreadCountLimit"},
            {PROGRAM.formatted("<p:Output filesystemName='HOME'>a</p:Output>"), "HOME"},
            {PROGRAM.formatted("<p:Argument>a\nb</p:Argument>"), "argument"},
            {PROGRAM.formatted("") + "<j:Resources/><j:Resources/>", "says Resources twice"},
            {PROGRAM.formatted("") + PROGRAM.formatted(""), "says Application twice"},
            {
                PROGRAM.formatted("")
                        .replace(
                                "</j:App",
                                "<p:POSIXApplication><p:Executable>/x</p:Executable></p:POSIXApplication></j:App"),
                "twice"
            },
            {PROGRAM.formatted("") + "<x:Sweep xmlns:x='urn:x'/>", "Sweep"},
            {"<j:Application><j:ApplicationName>Sleep</j:ApplicationName></j:Application>", "nor a program"},
            {PROGRAM.formatted("").replace("Executable", "Argument"), "Executable is missing"},
            {
                PROGRAM.formatted("")
                        + "<j:Resources><j:TotalCPUTime><j:Exact>1</j:Exact></j:TotalCPUTime></j:Resources>",
                "TotalCPUTime"
            },
            {
                PROGRAM.formatted("")
                        + "<j:DataStaging><j:FileName>../x</j:FileName><j:CreationFlag>overwrite</j:CreationFlag></j:DataStaging>",
                "../x"
            },
        }) {
            assertThatThrownBy(() -> read(one[0]))
                    .isInstanceOf(InvalidOfferException.class)
                    .hasMessageContaining(one[1]);
        }
    }

    @Test
    void aParallelProgramAndItsLimitsAreUnderstood() {
        var program = read(PROGRAM.formatted(
                                "<p:CPUTimeLimit>60</p:CPUTimeLimit><p:Environment name='A'>b c</p:Environment>")
                        .replace("p:POSIXApplication", "s:SPMDApplication")
                        .replace(
                                "</s:",
                                "<s:NumberOfProcesses>8</s:NumberOfProcesses><s:ProcessesPerHost>4</s:ProcessesPerHost></s:"))
                .program()
                .orElseThrow();

        assertThat(program.processes()).isEqualTo(8);
        assertThat(program.perNode()).isEqualTo(4);
        assertThat(program.environment()).containsEntry("A", "b c");
        assertThat(program.limits()).containsEntry(Program.Limit.CPU_TIME, 60L);
    }

    private static final String SWEPT = "<j:JobDefinition xmlns:j='" + XmlNames.JSDL + "' xmlns:w='"
            + "http://schemas.ogf.org/jsdl/2009/03/sweep' xmlns:f='http://schemas.ogf.org/jsdl/2009/03/sweep/functions'>"
            + "%s%s</j:JobDefinition>";
    private static final String THREE = "<p:Argument>in</p:Argument><p:Argument>0</p:Argument><p:Output>o</p:Output>"
            + "<p:Environment name='A'>a</p:Environment><p:Environment name='B'>b</p:Environment>";

    private static Program sweep(String sweeps) {
        var job = JOB.formatted(PROGRAM.formatted(THREE)
                + "<j:Resources><j:TotalResourceCount><j:Exact>2</j:Exact></j:TotalResourceCount>"
                + "<j:IndividualCPUCount><j:Exact>4</j:Exact></j:IndividualCPUCount></j:Resources>");
        return ResourceTerm.of(
                        "T",
                        "S",
                        XmlTrees.parse("test", SWEPT.formatted(job, sweeps)).getDocumentElement())
                .program()
                .orElseThrow();
    }

    private static String assign(String path, String values) {
        return "<w:Assignment><w:DocumentNode><w:NamespaceBinding ns='" + XmlNames.JSDL_POSIX
                + "' prefix='x'/><w:Match>" + path + "</w:Match></w:DocumentNode>" + values + "</w:Assignment>";
    }

    private static String values(String... values) {
        return "<f:Values>"
                + Stream.of(values)
                        .map(value -> "<f:Value>" + value + "</f:Value>")
                        .collect(Collectors.joining())
                + "</f:Values>";
    }

    /** Assignments of a sweep advance together, inner sweeps run for each, one after the other; those beside it follow. */
    @Test
    void sweepsAreRunAsTheyAreNested() {
        var program = sweep("<w:Sweep>" + assign("//x:Argument[2]", "<f:LoopInteger f:start='1' f:end='5' f:step='2'/>")
                + assign("/*//x:Output/text()", values("o1", "o3", "o5"))
                + "<w:Sweep>" + assign("//x:Environment[@name='B']", values("p", "q")) + "</w:Sweep>"
                + "<w:Sweep>" + assign("//x:Argument[1]", values("other")) + "</w:Sweep></w:Sweep>"
                + "<w:Sweep>"
                + assign(
                        "//x:Argument[2]",
                        "<f:LoopDouble start='1.5' end='0.5' step='-0.5'><f:Exception value='1.0'/></f:LoopDouble>")
                + "</w:Sweep>");

        assertThat(program.sweep().stream()
                        .map(one -> one.arguments() + " " + one.output().orElse("") + " "
                                + one.environment().get("B")))
                .containsExactly(
                        "[in, 1] o1 p",
                        "[in, 1] o1 q",
                        "[other, 1] o1 b",
                        "[in, 3] o3 p",
                        "[in, 3] o3 q",
                        "[other, 3] o3 b",
                        "[in, 5] o5 p",
                        "[in, 5] o5 q",
                        "[other, 5] o5 b",
                        "[in, 1.5] o b",
                        "[in, 0.5] o b");
        assertThat(program.processes()).isEqualTo(11);
        assertThat(program.perNode()).as("cores of a node").isEqualTo(4);
    }

    @Test
    void aSweepThatIsNotDoneIsRefusedByWhatItSays() {
        for (String[] one : new String[][] {
            {assign("//x:Argument[2]", "<f:LoopInteger start='1' end='1001'/>"), "1001 instances"},
            {assign("//x:Argument[2]", "<f:LoopInteger start='1' end='1000'/>".repeat(101)), "more than 100000 values"},
            {assign("//x:Argument[2]", "<f:LoopInteger start='1' end='9' step='0'/>"), "step"},
            {assign("//x:Argument[2]", "<f:LoopInteger start='1' end='1e9'/>"), "1e9"},
            {assign("//x:Argument[3]", values("a")), "//x:Argument[3]"},
            {assign("substring(//x:Argument[2], 1, 2)", values("a")), "substring"},
            {assign("//y:Argument[2]", values("a")), "prefix (y)"},
            {assign("//x:POSIXApplication", values("a")), "POSIXApplication"},
            {assign("//*[1]", values("a")), "changes"},
            {assign("//x:Output", values("a", "b")) + assign("//x:Argument[1]", values("a")), "[2, 1]"},
            {assign("//x:Output", "<f:Random/>"), "Random"},
            {"", "same number of values"},
        }) {
            assertThatThrownBy(() -> sweep("<w:Sweep>" + one[0] + "</w:Sweep>"))
                    .as(one[0])
                    .isInstanceOf(InvalidOfferException.class)
                    .hasMessageContaining(one[1]);
        }
    }

    /** Done, or refused for what they ask for; none for the order of its children. */
    @TestFactory
    Stream<DynamicTest> everyPublicExampleIsDoneOrRefusedForItsContent() throws Exception {
        var folder = Path.of(System.getProperty("metasched.shared", "../../shared"), "wsag", "examples-public");
        assumeTrue(Files.isDirectory(folder), "the public JSDL examples are not beside this checkout");
        var schema = new OfferSchema();
        return Files.list(folder)
                .filter(file -> file.toString().endsWith(".jsdl"))
                .sorted()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    var root = XmlTrees.parse("example", Files.readString(file)).getDocumentElement();
                    var complaints = schema.examine(root).complaints();
                    String outcome = complaints.toString();
                    if (complaints.isEmpty()) {
                        try {
                            outcome = "done: "
                                    + ResourceTerm.of("T", "S", root)
                                            .program()
                                            .orElseThrow()
                                            .executable();
                        } catch (InvalidOfferException e) {
                            outcome = String.valueOf(e.getMessage());
                        }
                    }
                    System.out.println(file.getFileName() + ": " + outcome);
                    assertThat(outcome)
                            .satisfiesAnyOf(
                                    o -> assertThat(o).startsWith("done: "),
                                    o -> assertThat(o).contains("UserName"),
                                    o -> assertThat(o).contains("Executable is missing"),
                                    o -> assertThat(o).contains("urn:").contains("URI"),
                                    o -> assertThat(o).contains("URI"));
                }));
    }
}
