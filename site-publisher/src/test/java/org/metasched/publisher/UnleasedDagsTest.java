package org.metasched.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.classad.ClassAd;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseSamples;
import org.metasched.leases.MatchRoom;

/** Against stand-ins that print queues in the formats that the commands are asked for. */
class UnleasedDagsTest {

    private static final String YAML = """
        max-matches: 3
        environment: {SiteName: dill, SiteArea: /scratch}
        """;

    @TempDir
    private Path folder;

    private final Clock clock = Clock.systemUTC();
    private FileLeases ledger = new FileLeases(Path.of("."), clock, lease -> Sight.HOLDS);
    private final SiteAdTemplate template =
            SiteAdTemplate.from(YamlSettings.parse("site.yaml", YAML), "dill", SiteAdTemplate.ROOM);

    @BeforeEach
    void aLedgerWithOneDag() {
        ledger = new FileLeases(folder.resolve("ledger"), clock, lease -> Sight.HOLDS);
        assertThat(ledger.acquire(LeaseSamples.request("dill", 3, "/dags/known")))
                .isPresent();
    }

    private PublishLoop.Turn published(UnleasedDags.Queue queue, String program, String prints) throws Exception {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.writeString(folder.resolve("listing"), prints);
        Path command = Files.writeString(
                bin.resolve(program),
                "#!/bin/sh\necho \"$*\" > " + folder + "/words\ncat " + folder + "/listing\n" + "[ -s " + folder
                        + "/listing ]\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        RunSettings local = RunSettings.from(Optional.of(YamlSettings.parse("run.yaml", "path: [" + bin + "]")));
        var runner = new CommandRunner(new SiteId("dill"), local);
        var site = new LoadOnlyScheduler() {
            @Override
            protected SiteLoad now() {
                return new SiteLoad(10, 2, 5, 7);
            }
        };
        return new PublishLoop(
                        template,
                        site,
                        () -> ledger.count("dill"),
                        Optional.of(new UnleasedDags(queue, runner, template, ledger)),
                        new SequenceNumbers(folder.resolve("sequence"), clock),
                        new FileSink(folder.resolve("ad")),
                        clock)
                .once();
    }

    @Test
    void jobsOfCondorsQueueThatCarryAMatchOfTheSiteCount() throws Exception {
        ClassAd ad = published(UnleasedDags.Queue.CONDOR_Q, "condor_q", """
                        /dags/known	dill	SiteName=dill;SiteArea=/scratch
                        /dags/around	Dill	undefined
                        /dags/around	Dill	undefined
                        /dags/older	undefined	SiteName=dill;SiteArea=/scratch
                        /dags/elsewhere	fnal	SiteName=fnal
                        """).ad();

        assertThat(ad.getLong("CurMatches")).isEqualTo(3);
        assertThat(ad.getLong(MatchRoom.UNLEASED)).isEqualTo(2);
        assertThat(folder.resolve("words")).content().contains("-constraint JobUniverse==7&&MATCH_SiteEnvironment");
    }

    @Test
    void runnersInSlurmsQueueCount() throws Exception {
        ClassAd ad = published(UnleasedDags.Queue.SQUEUE, "squeue", """
                        /dags/known|metasched-dag-0123abcd
                        /dags/around|metasched-dag-00ff00ff
                        /home/ann|simulation
                        """).ad();

        assertThat(ad.getLong("CurMatches")).isEqualTo(2);
        assertThat(ad.getLong(MatchRoom.UNLEASED)).isEqualTo(1);
    }

    @Test
    void aQueueThatDoesNotAnswerSendsNothing() throws Exception {
        var turn = published(UnleasedDags.Queue.SQUEUE, "squeue", "");

        assertThat(turn.end()).isEqualTo(PublishLoop.End.SITE_SILENT);
        assertThat(folder.resolve("ad")).doesNotExist();
    }

    /** The ad was made from the very ledger that takes the next match, or from another one. */
    @Test
    void theNextMatchesOfALedgerLeaveTheirRoom() throws Exception {
        ClassAd ad = published(UnleasedDags.Queue.SQUEUE, "squeue", "/dags/around|metasched-dag-00ff00ff\n")
                .ad();
        ClassAd own = ad.with(FileLeases.SOURCE, FileLeases.whereOf(folder.resolve("ledger")));
        var other = new FileLeases(folder.resolve("other"), clock, lease -> Sight.HOLDS);

        for (FileLeases leases : List.of(ledger, other)) {
            ClassAd seen = leases.counted(List.of(leases == ledger ? own : ad)).get(0);
            assertThat(seen.getLong("CurMatches")).isEqualTo(2);
            assertThat(leases.acquire(request(seen, "/dags/third"))).isPresent();
            assertThat(leases.acquire(request(seen, "/dags/fourth"))).isEmpty();
        }
    }

    private static LeaseRequest request(ClassAd site, String holder) {
        return LeaseSamples.request("dill", 0, holder).within(MatchRoom.of(site));
    }
}
