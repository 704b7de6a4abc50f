package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.metasched.it.ProgramOffers.HELLO;
import static org.metasched.it.ProgramOffers.hello;
import static org.metasched.it.ProgramOffers.offer;
import static org.metasched.it.ProgramOffers.part;
import static org.metasched.it.ProgramOffers.posix;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.JobStatus.State;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.jobs.JobSettings;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementView;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** Offers that name a program: it runs in its reservation, at a simulated site with real processes, some behind an adapter. */
class ProgramsIT {

    @TempDir
    private Path folder;

    private String sites = "";

    @BeforeEach
    void describeSites() {
        sites =
                "  - {site: near, scheduler: {type: simulated, nodes: 4, programs: {folder: %s/near, transfers: [file]}}}\n"
                                .formatted(folder)
                        + "  - {site: empty, scheduler: {type: simulated, nodes: 4}}\n";
    }

    private ServerAssembly server() throws IOException {
        var text = "port: 0\ndata: " + folder + "\nnegotiation: {lead: 1s}\nmonitor: {every: 1s}\nsites:\n" + sites;
        var config = Files.writeString(folder.resolve("server.yaml"), text);
        return ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
    }

    @Test
    void aProgramRunsWithItsArgumentsAndItsEndIsTold() throws Exception {
        try (var server = server()) {
            var client = new AgreementClient(server.base(), Duration.ofSeconds(30));
            String offer = offer(
                    60,
                    part(
                            "near",
                            1,
                            posix(
                                    "/bin/sh",
                                    List.of(
                                            "-c",
                                            "printf '<%s>' \"$@\" \"$GREETING\"; cat; exit 3",
                                            "x",
                                            "two words",
                                            "it's $HOME `id`"),
                                    "<p:Input>letter</p:Input><p:Environment name='GREETING'>\"hi\";"
                                            + " rm</p:Environment>"),
                            "<j:DataStaging><j:FileName>letter</j:FileName><j:CreationFlag>overwrite</j:CreationFlag><j:Source><j:URI>"
                                    + Files.writeString(folder.resolve("letter.txt"), "dear")
                                            .toUri()
                                    + "</j:URI></j:Source></j:DataStaging>"));
            var agreement = client.create(AgreementClient.offer("test", offer));

            var ended = awaitEnd(client, agreement.agreementId());

            var job = ended.sites().get(0).job().orElseThrow();
            assertThat(job.state()).as(job.toString()).isEqualTo(State.ENDED);
            assertThat(job.exitCode()).contains(3);
            assertThat(job.id()).isNotEmpty();
            assertThat(Path.of(job.output())).hasContent("<two words><it's $HOME `id`><\"hi\"; rm>dear");
            client.terminate(agreement.agreementId());
        }
    }

    /** As the user asks for it in the description; Python's zoneinfo has no name for what POSIX alone can say. */
    @Test
    @Tag("full")
    void aProgramHasTheLocalTimeOfItsTz() throws Exception {
        var offsets = new LinkedHashMap<String, String>();
        for (String zone : List.of("Z", "UTC+2", "Asia/Kolkata", "America/St_Johns", "Etc/GMT+5", "+05:30")) {
            var now = ZonedDateTime.now(ZoneId.of(zone));
            offsets.put(
                    new SiteClock(now.getZone()).tz(),
                    DateTimeFormatter.ofPattern("xx", Locale.ROOT).format(now));
        }
        String python = "import time; print(time.strftime('%z'))";
        try (var server = server()) {
            var client = new AgreementClient(server.base(), Duration.ofSeconds(30));
            var parts = offsets.keySet().stream()
                    .map(tz -> part(
                            "near",
                            1,
                            posix(
                                    "/bin/sh",
                                    List.of("-c", "date +%z; python3 -c \"$0\"", python),
                                    "<p:Environment name='TZ'>" + tz.replace("<", "&lt;") + "</p:Environment>"),
                            ""))
                    .toArray(String[]::new);
            var said = new LinkedHashMap<String, String>();
            for (int i = 0; i < parts.length; i++) {
                var agreement = client.create(AgreementClient.offer("test", offer(20, parts[i])));
                var job = awaitEnd(client, agreement.agreementId())
                        .sites()
                        .get(0)
                        .job()
                        .orElseThrow();
                said.put(List.copyOf(offsets.keySet()).get(i), Files.readString(Path.of(job.output())));
                client.terminate(agreement.agreementId());
            }

            var expected = new LinkedHashMap<String, String>();
            offsets.forEach((tz, offset) -> expected.put(tz, offset + "\n" + offset + "\n"));
            assertThat(said).isEqualTo(expected);
        }
    }

    @Test
    void anOfferThatWouldNotRunIsRefusedByName() throws Exception {
        try (var server = server()) {
            var client = new AgreementClient(server.base(), Duration.ofSeconds(30));
            assertRefused(
                    client, part("near", 1, posix("/bin/does-not-exist", List.of(), ""), ""), "/bin/does-not-exist");
            assertRefused(client, part("empty", 1, posix("/bin/true", List.of(), ""), ""), "runs no programs");
            assertRefused(
                    client,
                    part(
                            "near",
                            1,
                            posix("/bin/true", List.of(), ""),
                            "<j:DataStaging><j:FileName>a</j:FileName><j:CreationFlag>overwrite</j:CreationFlag><j:Source>"
                                    + "<j:URI>http://nowhere.invalid/a</j:URI></j:Source></j:DataStaging>"),
                    "http://nowhere.invalid/a");
            assertRefused(
                    client,
                    part("near", 1, posix("/bin/true", List.of(), "<p:UserName>root</p:UserName>"), ""),
                    "UserName");
            assertRefused(
                    client,
                    part("near", 1, posix("/bin/true", List.of(), "<p:Output>../id</p:Output>"), ""),
                    "must not have '..' in it");
            assertThat(client.list()).isEmpty();
        }
    }

    /** At a site behind an adapter, so that the instances cross the wire and the store. */
    @Test
    void theInstancesOfASweepTellTheirExitCodes() throws Exception {
        var far = new SimulatedSite(new SiteId("far"))
                .nodes(4)
                .runsPrograms(new JobSettings(
                        folder.resolve("far").toString(), List.of(), List.of(), java.util.Set.of(), true))
                .open(Clock.systemUTC());
        try (var adapter = AdapterHost.start(far, 0)) {
            sites += "  - {site: far, url: \"" + adapter.endpoint() + "\"}\n";
            try (var server = server()) {
                var client = new AgreementClient(server.base(), Duration.ofSeconds(30));
                String program = posix("/bin/sh", List.of("-c", "echo instance $0; exit $0", "0"), "");
                String sweep = "<w:Sweep xmlns:w='http://schemas.ogf.org/jsdl/2009/03/sweep'"
                        + " xmlns:f='http://schemas.ogf.org/jsdl/2009/03/sweep/functions'><w:Assignment><w:DocumentNode>"
                        + "<w:NamespaceBinding ns='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix' prefix='x'/>"
                        + "<w:Match>//x:Argument[3]</w:Match></w:DocumentNode><f:LoopInteger start='3' end='6'/>"
                        + "</w:Assignment></w:Sweep></j:JobDefinition>";
                var offer = offer(60, part("far", 2, program, "").replace("</j:JobDefinition>", sweep));
                var agreement = client.create(AgreementClient.offer("test", offer));

                var job = awaitEnd(client, agreement.agreementId())
                        .sites()
                        .get(0)
                        .job()
                        .orElseThrow();

                assertThat(job.exitCode()).as(job.toString()).contains(3);
                assertThat(job.detail()).isEqualTo("exit codes of the instances: 3 4 5 6");
                assertThat(Files.readAllLines(Path.of(job.output())))
                        .containsExactlyInAnyOrder("instance 3", "instance 4", "instance 5", "instance 6");
                client.terminate(agreement.agreementId());
            }
        }
    }

    @Test
    @Tag("full")
    void theProcessesOfAllSitesFindEachOther() throws Exception {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        var program = Files.writeString(folder.resolve("Hello.java"), HELLO);
        var far = new SimulatedSite(new SiteId("far"))
                .nodes(4)
                .runsPrograms(new JobSettings(
                        folder.resolve("far").toString(), List.of(), List.of(), java.util.Set.of(), true))
                .open(Clock.systemUTC());
        try (var adapter = AdapterHost.start(far, 0)) {
            sites += "  - {site: far, url: \"" + adapter.endpoint() + "\"}\n";
            try (var server = server()) {
                var client = new AgreementClient(server.base(), Duration.ofSeconds(30));
                String offer = offer(
                        240, part("near", 2, hello(program, port, 1), ""), part("far", 2, hello(program, port, 1), ""));
                var agreement = client.create(AgreementClient.offer("test", offer));

                awaitEnd(client, agreement.agreementId());

                var jobs = client.show(agreement.agreementId()).sites().stream()
                        .map(site -> site.job().orElseThrow())
                        .toList();
                assertThat(jobs)
                        .extracting(JobStatus::exitCode)
                        .as(jobs.toString())
                        .allMatch(code -> code.orElse(1) == 0);
                assertThat(Files.readString(Path.of(jobs.get(0).output())))
                        .contains("heard [0, 1, 2, 3] [near-1, near-2, far-1, far-2]");
                client.terminate(agreement.agreementId());
            }
        }
    }

    private static void assertRefused(AgreementClient client, String part, String word) {
        assertThatThrownBy(() -> client.create(AgreementClient.offer("test", offer(5, part))))
                .hasMessageContaining(word);
    }

    private static AgreementView awaitEnd(AgreementClient client, String id) throws Exception {
        Awaitility.await()
                .atMost(Duration.ofSeconds(120))
                .until(() -> client.show(id).sites().stream()
                        .allMatch(site -> site.job().orElseThrow().state().isFinal()));
        return client.show(id);
    }
}
