package org.metasched.adapter.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;

class WorkloadTest {

    private static final String TRACE = """
            ; Version: 2.2
            ; MaxNodes: 10
            ; MaxProcs: 20
            ; Note: two processors a node
              1    0  5  100  4 -1 -1  4  600 -1 1 1 1 -1 1 -1 -1 -1
              2   60 -1  700  3 -1 -1 -1  600 -1 1 1 1 -1 1 -1 -1 -1 extra
              3   61 -1   -1  3 -1 -1  3  600 -1 5 1 1 -1 1 -1 -1 -1

              4 62.5 -1  0.5 -1 -1 -1  1   -1 -1 1 1 1 -1 1 -1 -1 -1
              5   63 -1   10 50 -1 -1 50   -1 -1 1 1 1 -1 1 -1 -1 -1
            """;

    @TempDir
    private Path folder;

    private Path file(byte[] content) throws Exception {
        return Files.write(folder.resolve("t.swf"), content);
    }

    @Test
    void processorsBecomeNodesAndWhatDidNotRunIsLeftOut() throws Exception {
        var trace = SwfTrace.read(file(TRACE.getBytes(StandardCharsets.UTF_8)));

        var workload = Workload.of(trace);

        assertThat(trace.jobs()).hasSize(5);
        assertThat(workload.nodes()).isEqualTo(10);
        assertThat(workload.jobs()).containsExactly(new LocalJob(1, 0, 100, 600, 2), new LocalJob(2, 60, 600, 600, 2));
    }

    @Test
    void aPackedTraceIsUnpackedOnTheFly() throws Exception {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(TRACE.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(SwfTrace.read(file(packed.toByteArray())).jobs()).hasSize(5);

        byte[] half = Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
        assertThatThrownBy(() -> SwfTrace.read(file(half)))
                .isInstanceOf(SwfFormatException.class)
                .hasMessageContaining("gzip");
    }

    @Test
    void aNegativeRunTimeIsUnknownAndTheJobIsCountedAndLeftOut() throws Exception {
        String damaged =
                TRACE.replace("3   61 -1   -1", "3   61 -1   -7").replace("4 62.5 -1  0.5", "4 62.5 -1 -1359981026");
        var trace = SwfTrace.read(file(damaged.getBytes(StandardCharsets.UTF_8)));

        assertThat(trace.impossibleRuns()).isEqualTo(2);
        assertThat(Workload.of(trace))
                .isEqualTo(Workload.of(SwfTrace.read(file(TRACE.getBytes(StandardCharsets.UTF_8)))));
        assertThat(Workload.asRequested(trace).jobs())
                .extracting(LocalJob::number)
                .containsExactly(1L, 2L);
    }

    @Test
    void aTraceMayBeginWithTheMarkOfUtf8() throws Exception {
        var marked = file(("\uFEFF" + TRACE.strip()).getBytes(StandardCharsets.UTF_8));

        assertThat(SwfTrace.read(marked)).isEqualTo(SwfTrace.read(file(TRACE.getBytes(StandardCharsets.UTF_8))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ; MaxProcs: 8                                  | :2:1: the trace has no jobs
            1 0 5 x 4 -1 -1 4 600 -1 1 1 1 -1 1 -1 -1 -1   | :1:7: field 4 (x) must be a number
            1 0 5 100                                      | :1:10: expected 18 fields, found 4
            1 0 5 NaN 4 -1 -1 4 600 -1 1 1 1 -1 1 -1 -1 -1 | :1:7: field 4 (NaN) must be a number
            1 0 5 0x1p3 4 -1 -1 4 6 -1 1 1 1 -1 1 -1 -1 -1 | :1:7: field 4 (0x1p3) must be a number
            1 0 5 1e99 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1 | :1:7: field 4 (1e99) must be a number
            1 0 5 7 -4 -1 -1 4 600 -1 1 1 1 -1 1 -1 -1 -1  | :1:9: field 5 (-4) must be a number
            1 0 5 -1e13 4 -1 -1 4 6 -1 1 1 1 -1 1 -1 -1 -1 | :1:7: field 4 (-1e13) must be a number
            1 0 5 9 999999999 -1 -1 4 6 -1 1 1 1 -1 1 -1 -1 -1 | field 5 (999999999 processors)
            """)
    void aBrokenLineIsNamedByFileLineAndColumn(String line, String message) throws Exception {
        var file = file((line + "\n").getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> SwfTrace.read(file))
                .isInstanceOf(SwfFormatException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void theModelIsTheSameForTheSameSeedAndAsThePaperDescribesIt() {
        var workload = LublinFeitelson.generate(128, 20_000, 42);

        assertThat(LublinFeitelson.generate(128, 20_000, 42)).isEqualTo(workload);
        var jobs = workload.jobs();
        double serial = jobs.stream().filter(job -> job.nodes() == 1).count() / 20_000.0;
        double powers = jobs.stream()
                        .filter(job -> job.nodes() > 1 && Integer.bitCount(job.nodes()) == 1)
                        .count()
                / 20_000.0;
        assertThat(serial).isCloseTo(0.244, within(0.03));
        assertThat(powers).isGreaterThan(0.576);
        assertThat(jobs).allMatch(job -> job.nodes() <= 128 && job.runSeconds() <= 162_755);
        // The mean of the first gamma's logarithms is 3.95, that of the second 9.36.
        double meanLog = jobs.stream()
                .mapToDouble(job -> Math.log(job.runSeconds() + 0.5))
                .average()
                .orElseThrow();
        assertThat(meanLog).isBetween(4.5, 6.5);
        // Half past three in the morning is quieter than half past two in the afternoon.
        assertThat(submittedAtHour(workload, 3)).isLessThan(submittedAtHour(workload, 14) / 3);
    }

    private static long submittedAtHour(Workload workload, int hour) {
        return workload.jobs().stream()
                .filter(job -> job.submitSeconds() / 3600 % 24 == hour)
                .count();
    }

    @Test
    void theLoadIsWhatWasAskedFor() {
        assertThat(LublinFeitelson.generate(64, 5_000, 1).withLoad(0.7).load()).isCloseTo(0.7, within(0.001));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KTH-SP2-1996-2.1-cln.swf.gz",
                "NASA-iPSC-1993-3.1-cln.swf.gz",
                "LANL-CM5-1994-4.1-cln.swf.gz",
                "hpc2n.swf",
                "easy_mediumWL_smallPF.swf"
            })
    void aRecordedTraceFillsASite(String name) throws Exception {
        var file = Path.of(System.getProperty("metasched.shared", "../../../shared"), "swf", name);
        assumeTrue(Files.exists(file), "The recorded traces are not beside this checkout.");
        var clock = Clock.fixed(Instant.parse("2026-01-05T08:00:00Z"), ZoneOffset.UTC);

        var workload = Workload.of(SwfTrace.read(file));
        var site = new SimulatedSite(new SiteId("s"))
                .nodes(workload.nodes())
                .workload(workload)
                .open(clock);

        assertThat(site.load().runningJobs()).isPositive();
        var request = ResourceRequest.nodes(workload.nodes() / 4 + 1, Duration.ofMinutes(30));
        var start = site.earliestStart(request, clock.instant());
        assertThat(site.reserve(new RequestKey("k"), request, start.orElseThrow())
                        .nodeNames())
                .hasSize(workload.nodes() / 4 + 1);
    }
}
