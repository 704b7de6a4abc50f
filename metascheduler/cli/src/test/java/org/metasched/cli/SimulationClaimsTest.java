package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The conclusions of {@code docs/simulation.md} as predicates over results: they hold for other local jobs, other meta-jobs and
 * other machines than those of the page.
 */
@Tag("full")
class SimulationClaimsTest {

    private static final String SITES = """
            length: 40d
            warm-up: 3d
            cut: 2d
            sites:
              kth: {workload: synthetic, nodes: 100, jobs: 20000, seed: 11, resample: true, load: 0.6, backfilling: easy}
              nasa: {workload: synthetic, nodes: 128, jobs: 20000, seed: 12, resample: true, load: 0.5}
              lanl: {workload: synthetic, nodes: 256, jobs: 20000, seed: 13, resample: true, load: 0.6, backfilling: first-fit}
            streams:
              meta: {share: 0.1, parts: 2, nodes: 5%..25%, duration: 30m..8h, run: 0.3..1, given-start: 0.5, book-ahead: 2h..3d, patience: 7d}
            """;

    @TempDir
    private Path folder;

    private JsonNode figures(int seed, String... settings) throws Exception {
        var file = Files.writeString(folder.resolve("claims.yaml"), SITES);
        var out = folder.resolve(String.join("-", settings).replaceAll("[^A-Za-z0-9.=-]", "_") + seed);
        var words = new ArrayList<>(List.of(
                "simulate", "run", file.toString(), "--out", out.toString(), "--set", "seed=" + seed, "--json", "-q"));
        for (String setting : settings) {
            words.addAll(List.of("--set", setting));
        }
        var printed = new StringWriter();
        assertThat(Main.execute(
                        new PrintWriter(printed, true),
                        new PrintWriter(System.err, true),
                        words.toArray(String[]::new)))
                .isZero();
        return new ObjectMapper().readTree(printed.toString());
    }

    private static double of(JsonNode figures, String path) {
        var figure = figures.at(path);
        assertThat(figure.isNumber()).as(path).isTrue();
        return figure.asDouble();
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 202})
    void aGrowingShareCostsLocalUsersMore(int seed) throws Exception {
        var small = figures(seed, "streams.meta.share=0.05");
        var large = figures(seed, "streams.meta.share=0.3");

        assertThat(of(large, "/localChange/delay"))
                .isGreaterThan(3 * Math.max(0, of(small, "/localChange/delay")))
                .isPositive();
        assertThat(of(large, "/meta/rejectionRateGiven")).isGreaterThan(of(small, "/meta/rejectionRateGiven"));
        assertThat(of(large, "/machines/lossOfCapacity")).isGreaterThan(of(small, "/machines/lossOfCapacity"));
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 202})
    void waysToFindAStartDifferAsThePageSays(int seed) throws Exception {
        var windows = figures(seed, "policy=windows");
        var listing = figures(seed, "policy=listing1");
        var trial = figures(seed, "policy=trial-and-error", "step=15m");
        var padded = figures(seed, "policy=padded", "padding=4");
        var choice = figures(seed, "policy=choice");

        for (String path : List.of("/meta/granted", "/meta/wait", "/local/wait")) {
            assertThat(of(listing, path)).as(path).isEqualTo(of(windows, path));
        }
        assertThat(of(trial, "/meta/calls")).isGreaterThan(2 * of(windows, "/meta/calls"));
        assertThat(of(padded, "/meta/rejectionRate")).isGreaterThan(of(windows, "/meta/rejectionRate"));
        assertThat(of(padded, "/meta/reservationUtilisation"))
                .isLessThan(0.5 * of(windows, "/meta/reservationUtilisation"));
        assertThat(of(choice, "/meta/rejectionRate")).isLessThan(0.5 * of(windows, "/meta/rejectionRate"));
        assertThat(of(choice, "/meta/wait")).isLessThan(of(windows, "/meta/wait"));
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 202})
    void conservativeBackfillingAnAllowanceAndUsersEstimatesReject(int seed) throws Exception {
        String[] alone = {
            "streams.meta.sites=[kth]", "streams.meta.parts=1", "streams.meta.nodes=5..25", "sites.kth.load=0.75"
        };
        var easy = figures(seed, alone);
        var conservative = figures(seed, and(alone, "sites.kth.backfilling=conservative"));
        var exact = figures(seed, and(and(alone, "sites.kth.backfilling=conservative"), "sites.kth.estimates=1"));
        var allowance = figures(seed, and(alone, "sites.kth.reservable=0.25"));

        assertThat(of(conservative, "/meta/rejectionRate")).isGreaterThan(of(easy, "/meta/rejectionRate"));
        assertThat(of(allowance, "/meta/rejectionRate")).isGreaterThan(of(easy, "/meta/rejectionRate"));
        assertThat(of(exact, "/meta/rejectionRate")).isLessThan(of(conservative, "/meta/rejectionRate"));
    }

    private static String[] and(String[] settings, String another) {
        var all = new ArrayList<>(List.of(settings));
        all.add(another);
        return all.toArray(String[]::new);
    }
}
