package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The figures of the papers run as printed. */
class PapersTest {

    private static final Path PAPERS = Path.of(System.getProperty("metasched.shared", "../shared"), "papers");

    private static ClassAd figure(String name) throws Exception {
        assumeTrue(Files.exists(PAPERS), "The papers' ads are not beside this checkout.");
        return ClassAd.parse(Files.readString(PAPERS.resolve(name)), Dialect.PAPER);
    }

    @Test
    void theWorkstationAndTheJobOf1998Match() throws Exception {
        var context = new MatchContext(LookupMode.OLD, Dialect.PAPER, Limits.DEFAULT);
        context.left(figure("matchmaking-1998-fig2-job.ad"));
        context.right(figure("matchmaking-1998-fig1-workstation.ad"));

        assertThat(context.symmetricMatch()).isTrue();
        assertThat(context.rightRank()).isEqualTo(10.0);
        assertThat(context.leftRank()).isEqualTo(21893 / 1e3 + 64 / 32);

        context.left(figure("matchmaking-1998-fig2-job.ad").with("Owner", "rival"));
        assertThat(context.symmetricMatch()).isFalse();
    }

    @Test
    void theMachineOf2003JudgesByItsQuotedTimes() throws Exception {
        var context = new MatchContext(LookupMode.NEW, Dialect.PAPER, Limits.DEFAULT);
        context.left(ClassAd.parse(
                "[ Type = \"Job\"; Owner = \"raman\"; ImageSize = 28M; Constraint = true ]", Dialect.PAPER));
        context.right(figure("gangmatching-2003-fig1-machine.ad"));

        assertThat(context.symmetricMatch()).isTrue();
        context.right(figure("gangmatching-2003-fig1-machine.ad")
                .with("KeybrdIdle", Expr.parse("'00:14:59'", Dialect.PAPER)));
        assertThat(context.symmetricMatch()).isFalse();
    }

    @Test
    void thePortsOf2003SeeTheirHolderAndTheirLabels() throws Exception {
        ClassAd job = figure("gangmatching-2003-fig2-job.ad");
        ClassAd port = port(job);
        var labels = LabelBindings.of("cpu", "license");
        Scope place = labels.scope(port, job);
        labels.bind(0, Scope.of(figure("gangmatching-2003-fig3-workstation.ad")));

        assertThat(port.evaluate("Constraint", place)).isEqualTo(Value.TRUE);
        assertThat(port.evaluate("Rank", place)).isEqualTo(Value.of(21893 / 1e3 + (256 << 20) / 32));
    }

    private static ClassAd port(ClassAd job) {
        var ports = (ListExpr) job.lookup("Ports").orElseThrow();
        return ((RecordExpr) ports.elements().get(0)).ad();
    }

    @Test
    void everyFigureIsPrintedAsItIsRead() throws Exception {
        assumeTrue(Files.exists(PAPERS), "The papers' ads are not beside this checkout.");
        try (var files = Files.list(PAPERS)) {
            Path[] ads =
                    files.filter(f -> f.toString().matches(".*fig\\d.*\\.ad")).toArray(Path[]::new);

            assertThat(Arrays.stream(ads)).hasSize(6).allSatisfy(f -> {
                ClassAd ad = ClassAd.parse(Files.readString(f), Dialect.PAPER);
                assertThat(ClassAd.parse(ad.print(), Dialect.PAPER)).isEqualTo(ad);
            });
        }
    }

    @Test
    void anIntegerWhoseSuffixExceeds64BitsIs0() throws Exception {
        ClassAd ad = ClassAd.parse("[ Fits = 8388607T; Exceeds = 8388608T; Negative = -8388608T ]", Dialect.PAPER);

        assertThat(ad.getLong("Fits")).isEqualTo(8_388_607L << 40);
        assertThat(ad.getLong("Exceeds")).isZero();
        assertThat(ad.getLong("Negative")).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void theReferenceRefusesTheSuffixesOfThePapers() {
        assertThatThrownBy(() -> ClassAd.parse("[ ImageSize = 28M ]")).isInstanceOf(ClassAdSyntaxException.class);
    }
}
