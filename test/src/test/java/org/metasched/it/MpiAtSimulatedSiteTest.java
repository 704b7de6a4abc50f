package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Program;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.catalog.SiteConfiguration;
import org.metasched.adapter.settings.YamlSettings;

/** A real MPI program as one process, which starts its ranks itself: by Debian's Open MPI and MPICH, where they are. */
class MpiAtSimulatedSiteTest {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "mpicc.openmpi, mpiexec.openmpi, '--oversubscribe --mca btl tcp,self -n 4'",
        "mpicc.mpich, mpiexec.hydra, -n 4"
    })
    void fourRanksSayHello(String compiler, String launcher, String words) throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", compiler)) && Files.isExecutable(Path.of("/usr/bin", launcher)),
                "no " + launcher + " here");
        Path hello = folder.resolve("mpi-hello");
        var compiled = new ProcessBuilder(
                        "/usr/bin/" + compiler, "-o", hello.toString(), ROOT + "/test/live/mpi-hello.c")
                .inheritIO()
                .start();
        assertThat(compiled.waitFor()).isZero();
        var arguments = new ArrayList<>(List.of(words.split(" ")));
        arguments.addAll(List.of(hello.toString(), "0"));
        var environment = Map.of(
                "METASCHED_RANK_OFFSET", "0",
                "METASCHED_SIZE", "1",
                "OMPI_ALLOW_RUN_AS_ROOT", "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");

        var ended = run(Program.of("/usr/bin/" + launcher, arguments).with(environment));

        Path output = Path.of(ended.output());
        String said = Files.readString(output) + Files.readString(output.resolveSibling("stderr"));
        assertThat(ended.exitCode()).as(ended + said).contains(0);
        assertThat(said.lines())
                .contains(
                        "hello of site 0: 4 ranks, sum " + IntStream.range(0, 4).sum());
    }

    private JobStatus run(Program program) throws Exception {
        String yaml = "site: toy\nscheduler: {type: simulated, nodes: 4, programs: {folder: " + folder + "/jobs}}\n";
        var clock = Clock.systemUTC();
        try (var catalog = AdapterCatalog.ofClassPath();
                var site = SiteConfiguration.from(YamlSettings.parse("site.yaml", yaml))
                        .open(catalog, clock)) {
            var request = ResourceRequest.nodes(4, Duration.ofMinutes(5));
            var start =
                    site.earliestStart(request, clock.instant().plusSeconds(1)).orElseThrow();
            var made = site.reserve(new RequestKey("mpi"), request, start);
            var name = new Job.Name(made.key(), made.id(), Optional.empty());
            var jobs = site.jobStarter().orElseThrow();
            jobs.start(new Job(name, program, Map.of(Job.MACHINE_FILE, "localhost:4\n", "secret", "s\n")));
            return await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(300))
                    .until(
                            () -> jobs.jobs(List.of(name)).get(name),
                            status -> status.state().isFinal());
        }
    }
}
