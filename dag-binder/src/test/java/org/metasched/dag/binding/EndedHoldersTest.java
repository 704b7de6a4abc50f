package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.ProcessMark;

class EndedHoldersTest {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

    private final EndedHolders ended = new EndedHolders(Clock.fixed(NOW, ZoneOffset.UTC));

    @TempDir
    private Path folder;

    private Path directory;
    private Lease match;
    private Instant taken = NOW.minus(Duration.ofDays(2));

    @BeforeEach
    void bind() throws Exception {
        directory = Files.createDirectories(folder.resolve("dags").resolve("a"));
        match = match(ProcessMark.current());
        Files.writeString(
                directory.resolve("metasched-binding.json"),
                "{\"Directory\":\"/d\",\"Dag\":\"x.dag\",\"JobAd\":\"\",\"Site\":\"site\",\"Rank\":0.0,\"Nodes\":1,"
                        + "\"Environment\":{},\"Matched\":{},\"Files\":[],\"Links\":[]}");
        note(match.id().toString(), 3600);
    }

    @Test
    void whatIsOutOfSightGoesOn() throws Exception {
        var sight = new BindingEvidence();
        assertThat(sight.of(match)).isEqualTo(Sight.HOLDS);
        Files.move(folder.resolve("dags"), folder.resolve("not mounted"));
        assertThat(ended.test(match)).isFalse();
        assertThat(sight.of(match)).isEqualTo(Sight.UNSEEN);

        Files.createDirectory(folder.resolve("dags"));
        assertThat(ended.test(match)).isFalse();
        assertThat(sight.of(match)).isEqualTo(Sight.MISSING);
        assertThat(sight.of(match(ProcessMark.ELSEWHERE))).isEqualTo(Sight.UNSEEN);
    }

    @Test
    void anotherMatchInTheNoteEndsThisOneUnlessTheDirectoryIsOnItsWayOrTheClaimIsOfAnotherHost() throws Exception {
        note("another", 3600);
        Lease foreign = match(new ProcessMark("another", 1, 1));

        assertThat(ended.test(match)).isTrue();
        assertThat(ended.test(foreign)).isFalse();

        Files.createDirectory(directory.resolveSibling(".a.rebinding"));
        assertThat(ended.test(match)).isFalse();
    }

    /** The move was cut off when both matches were held, and the DAG ran to its end by other means than metasched. */
    @Test
    void aDagThatIsFinishedHoldsNoMatchEvenIfItsMoveWasCutOff() throws Exception {
        Lease earlier = match(ProcessMark.ELSEWHERE);
        Files.writeString(directory.resolve("metasched-rebinding"), "a.at-site\n");
        assertThat(ended.test(match)).isFalse();
        assertThat(ended.test(earlier)).isFalse();

        Files.writeString(directory.resolve("x.dag.metrics"), "{\"exitcode\": 0}");

        assertThat(ended.test(match)).isTrue();
        assertThat(ended.test(earlier)).isTrue();
    }

    @Test
    void aFailedDagMayKeepItsMatchForEver() throws Exception {
        note(match.id().toString(), Long.MAX_VALUE);
        Files.writeString(directory.resolve("x.dag.metrics"), "{\"exitcode\": 1}");

        assertThat(ended.test(match)).isFalse();
    }

    @Test
    void theMetricsOfThisDagSayThatItIsOver() throws Exception {
        Files.writeString(directory.resolve("inner.dag.metrics"), "{\"exitcode\": 0}");
        assertThat(ended.test(match)).isFalse();

        Files.writeString(directory.resolve("x.dag.metrics"), "{\"exitcode\": 0}");
        assertThat(ended.test(match)).isTrue();

        Files.delete(directory.resolve("x.dag.metrics"));
        Files.createFile(directory.resolve("metasched-finished"));
        assertThat(ended.test(match)).isTrue();
    }

    @Test
    void aFailedDagGivesItsMatchBackAfterThePolicyOfItsNote() throws Exception {
        Path metrics = Files.writeString(directory.resolve("x.dag.metrics"), "{\"exitcode\": 1}");
        Files.setLastModifiedTime(metrics, FileTime.from(NOW.minus(Duration.ofMinutes(59))));
        assertThat(ended.test(match)).isFalse();

        Files.setLastModifiedTime(metrics, FileTime.from(NOW.minus(Duration.ofMinutes(61))));
        assertThat(ended.test(match)).isTrue();

        Files.createFile(directory.resolve("x.dag.lock"));
        assertThat(ended.test(match)).isFalse();
    }

    /** Such as that of a DAG that was rebound, or whose cancelled run is to go on: the files of its last run are old. */
    @Test
    void aMatchThatWasAcquiredAfterTheDagHadStoppedLastsForItsOwnTime() throws Exception {
        Path metrics = Files.writeString(directory.resolve("x.dag.metrics"), "{\"exitcode\": 1}");
        Files.setLastModifiedTime(metrics, FileTime.from(NOW.minus(Duration.ofDays(1))));
        taken = NOW.minus(Duration.ofMinutes(59));
        assertThat(ended.test(match(ProcessMark.current()))).isFalse();

        taken = NOW.minus(Duration.ofMinutes(61));
        assertThat(ended.test(match(ProcessMark.current()))).isTrue();
    }

    private void note(String id, long keepFailed) throws Exception {
        Files.writeString(
                directory.resolve("metasched-match.json"),
                "{\"Match\":\"" + id + "\",\"Site\":\"site\",\"Where\":\"file:///x\",\"KeepFailed\":" + keepFailed
                        + "}");
    }

    private Lease match(ProcessMark process) {
        return new Lease(
                match == null ? UUID.randomUUID() : match.id(),
                "site",
                directory.toString(),
                new Claimant("ann", process),
                1,
                taken,
                NOW,
                true,
                1);
    }
}
