package org.metasched.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of DAGMan that no file of the public data shows. In the tables a bar stands for the end of a line. */
class DagRulesTest {

    @TempDir
    Path folder;

    @BeforeEach
    void aSpliceAndAnInclude() throws IOException {
        Files.writeString(folder.resolve("inner.dag"), "JOB I1 i.sub\nJOB I2 i.sub\nPARENT I1 CHILD I2\n");
    }

    private ParsedDag parse(String lines) throws IOException {
        return new DagParser().parse(Files.writeString(folder.resolve("d.dag"), lines.replace("|", "\n") + "\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "JOB A a|JOB B b|PARENT A CHILD B CHILD; No children node(s) specified",
                "JOB A a|PARENT CHILD A; No parent node(s) specified",
                "JOB A a|PRE_SKIP A 256; PRE_SKIP exit code must be between 0 and 255",
                "JOB A a|PRE_SKIP A -1; PRE_SKIP exit code must be between 0 and 255",
                "SERVICE S s.condor.sub; The use of the JOB keyword for nested DAGs is prohibited",
                "SPLICE S inner.dag DIR nowhere; Failed to read splice S: No such file or directory",
                "SUBDAG EXTERNAL A; No submit description provided",
                "JOB A a DIR; No directory path provided for DIR subcommand",
                "JOB A a|VARS A x=; Key value pair missing value",
                "JOB A a|SCRIPT DEFER 1 PRE A s; Invalid DEFER time value 'PRE'",
                "JOB A a|ABORT-DAG-ON A 3 RETURNS 1; Unexpected token 'RETURNS'",
                "JOB A a|PRIORITY A -21474836480; Invalid priority value '-21474836480'",
                "JOB A a|PIN_IN A 0; Invalid pin number '0'"
            })
    void aMalformedCommandIsRefusedInCondorsWords(String lines, String reason) throws IOException {
        ParsedDag parsed = parse(lines);

        assertThat(parsed.errors()).extracting(DagProblem::reason).containsExactly(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "RETRY S 1; SERVICE node S can not have a retry specification",
                "RETRY P 1; PROVISIONER node P can not have a retry specification",
                "RETRY F 1; FINAL node F can not have a retry specification",
                "PRIORITY S 1; SERVICE node S can not have a priority",
                "CATEGORY P c; PROVISIONER node P can not be added to a category",
                "ABORT-DAG-ON F 1; FINAL node F can not have an ABORT-DAG-ON specification",
                "SAVE_POINT_FILE S; Save file can not be applied to SERVICE node S"
            })
    void whatOnlyJobsMayHaveIsRefusedForNodesBesideTheGraph(String command, String reason) throws IOException {
        ParsedDag parsed = parse("JOB A a|SERVICE S s|PROVISIONER P p|FINAL F f|" + command);

        assertThat(parsed.errors()).extracting(DagProblem::reason).containsExactly(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RETRY I1 2", "PARENT A CHILD I1", "CATEGORY I1 c", "SCRIPT PRE I1 s.sh", "DONE I1"})
    void whatAnIncludedFileDefinesIsKnownBelowItsIncludeOnly(String command) throws IOException {
        ParsedDag below = parse("JOB A a|INCLUDE inner.dag|" + command);
        ParsedDag above = parse("JOB A a|" + command + "|INCLUDE inner.dag");

        assertThat(below.errors()).isEmpty();
        assertThat(above.errors()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).contains("I1").containsIgnoringCase("undefined node");
            assertThat(problem.hint()).contains("inner.dag");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SPLICE S inner.dag|PIN_IN S 1; It is a splice.",
                "JOB A a|SPLICE S inner.dag|CONNECT A S; It is a node."
            })
    void theHintOfAPinSaysWhatTheNameIs(String lines, String hint) throws IOException {
        assertThat(parse(lines).errors()).first().extracting(DagProblem::hint).isEqualTo(hint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JOB A a|RETRY \\|  X 3", "JOB A a.sub|JOB B \\"})
    void aProblemNamesNoColumnOfAnotherLine(String lines) throws IOException {
        ParsedDag parsed = parse(lines);

        assertThat(parsed.errors().isEmpty() ? parsed.warnings() : parsed.errors())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.line()).isEqualTo(2);
                    assertThat(problem.column()).isZero();
                });
    }

    @Test
    void anIncludedFileMayUseWhatStandsAnywhereInTheFileThatIncludesIt() throws IOException {
        Files.writeString(folder.resolve("retry.dag"), "RETRY A 3\nPARENT A CHILD Z\n");

        ParsedDag parsed = parse("INCLUDE retry.dag|JOB A a|JOB Z z");

        assertThat(parsed.errors()).isEmpty();
    }

    @Test
    void namesUsedBeforeTheirDefinitionInTheSameFileAreFine() throws IOException {
        ParsedDag parsed = parse("PARENT A CHILD S|RETRY A 2|JOB A a|SPLICE S inner.dag");

        assertThat(parsed.errors()).isEmpty();
        assertThat(parsed.dag().edgeCount()).isEqualTo(2);
    }

    @Test
    void allNodesNeedsAJobInTheSameFile() throws IOException {
        ParsedDag onlySplices = parse("SPLICE S inner.dag|RETRY ALL_NODES 3");
        ParsedDag withJob = parse("SPLICE S inner.dag|JOB A a|RETRY all_nodes 3");

        assertThat(onlySplices.errors())
                .extracting(DagProblem::reason)
                .containsExactly("References undefined node ALL_NODES");
        assertThat(withJob.errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PARENT A CHILD S+I1", "PARENT S+I2 CHILD A", "DONE S+I1", "RETRY S+I1 2"})
    void nodesInsideOfASpliceCannotBeReachedFromOutside(String command) throws IOException {
        ParsedDag parsed = parse("JOB A a|SPLICE S inner.dag|" + command);

        assertThat(parsed.errors()).singleElement().asString().contains("inside a splice");
    }

    @Test
    void aSpliceKeepsItsDependenciesWhenSeveralLinesNameIt() throws IOException {
        ParsedDag parsed = parse("SPLICE S inner.dag|JOB A a|JOB B b|PARENT S CHILD A|PARENT S CHILD B");

        assertThat(parsed.dag().edgeCount()).isEqualTo(3);
    }
}
