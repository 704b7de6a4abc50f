package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.metasched.adapter.Need;
import org.metasched.adapter.Program;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Mode;
import org.metasched.classad.Scope;

/** What is understood of JSDL: done, matched on the site's ad, or refused by its name. */
class ResourceTermTest {

    private static final String JOB = "<j:JobDescription xmlns:j='" + Names.JSDL + "' xmlns:p='" + Names.JSDL_POSIX
            + "' xmlns:s='" + Names.JSDL_SPMD + "'>%s</j:JobDescription>";
    private static final String PROGRAM =
            "<j:Application><p:POSIXApplication><p:Executable>/bin/date</p:Executable>%s</p:POSIXApplication></j:Application>";

    private static ResourceTerm read(String content) {
        return ResourceTerm.of(
                "T", "S", Xml.parse("test", JOB.formatted(content)).getDocumentElement());
    }

    @Test
    void anOfferWithoutResourcesMeansOneNode() {
        assertThat(read(PROGRAM.formatted("")).need()).isEqualTo(new Need.Nodes(1));
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
        return asking.evaluate("Requirements", Scope.matching(asking, ClassAd.parse(ad), Mode.NEW))
                .satisfies();
    }

    @Test
    void whatIsNotDoneIsRefusedByItsName() {
        for (String[] one : new String[][] {
            {PROGRAM.formatted("<p:GroupName>wheel</p:GroupName>"), "GroupName"},
            {PROGRAM.formatted("<p:ThreadCountLimit>4</p:ThreadCountLimit>"), "ThreadCountLimit"},
            {PROGRAM.formatted("<p:Output filesystemName='HOME'>a</p:Output>"), "HOME"},
            {PROGRAM.formatted("<p:Argument>a\nb</p:Argument>"), "argument"},
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
                    var root = Xml.parse("example", Files.readString(file)).getDocumentElement();
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
