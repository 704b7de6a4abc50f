package org.metasched.dag.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.binding.InputStaging;
import org.metasched.dag.binding.LeaseLocator;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.queue.QueuedDag.State;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchLeases;
import org.metasched.leases.MatchRoom;

/** Passes over a queue whose DAG cannot be bound for a while, as its output folder is not to be had. */
class QueueBindingPassTest {

    private static final Instant QUEUED = Instant.parse("2026-01-05T10:00:00Z");

    private final List<ClassAd> ads = new ArrayList<>();
    private final LeaseLocator locator = LeaseLocator.onThisMachine(Clock.systemUTC());
    private int binders;

    @TempDir
    private Path folder;

    @BeforeEach
    void aDagWhoseOutputFolderIsAFile() throws Exception {
        ads.add(ClassAd.parse(
                "[ Name = \"oak\"; MaxMatches = 2; CurMatches = 0; Requirements = CurMatches < MaxMatches;"
                        + " SiteEnvironment = \"Area=/oak\" ]"));
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\nqueue\n");
        Files.writeString(folder.resolve("bound"), "");
        queue("a.dag", "JOB A a.sub\n");
    }

    private void queue(String name, String text) throws Exception {
        Path file = Files.writeString(folder.resolve(name), text);
        NestedDag dag = NestedDag.read(file);
        DagJobAd job = DagJobAd.of(file, Optional.empty(), List.of(), Map.of());
        var terms = new QueuedDag.Terms("", Map.of(), false, InputStaging.LINK, "me", "-", 0, Long.MAX_VALUE);
        Path out = folder.resolve("bound").resolve(name.replace(".dag", ""));
        queueAt(QUEUED).add(List.of(QueuedDag.of(dag, job, out, terms)));
    }

    private DagQueue queueAt(Instant now) {
        return new DagQueue(folder.resolve("queue"), Clock.fixed(now, ZoneOffset.UTC));
    }

    private String where() throws IOException {
        return locator.settle(folder.resolve("ledger"));
    }

    private QueueBindingPass passAt(Instant now) throws IOException {
        String where = where();
        return new QueueBindingPass(
                queueAt(now),
                Map.of(),
                binder -> {
                    binders++;
                    return new LeasingBinder(binder, where, locator);
                },
                dag -> {});
    }

    private QueuedDag dag() {
        return queueAt(QUEUED).list().get(0);
    }

    @Test
    void aPassingFaultIsTriedAgainWithAGrowingPauseThoughNothingChanges() throws Exception {
        var pass = passAt(QUEUED);
        int tries = 0;
        for (int i = 0; i < 100; i++) {
            int before = binders;
            pass.bindWaiting(ads);
            // A pass makes one binder to count, and another one to bind.
            tries += binders - before > 1 ? 1 : 0;
        }
        assertThat(dag().state()).isEqualTo(State.WAITING);
        assertThat(dag().note()).contains("bound");
        assertThat(tries).isBetween(5, 10);

        Files.delete(folder.resolve("bound"));
        for (int i = 0; i < 40 && dag().state() == State.WAITING; i++) {
            pass.bindWaiting(ads);
        }
        assertThat(dag().state()).isEqualTo(State.BOUND);
    }

    /** The ad of a server's own site says no variables. */
    @Test
    void aDagThatWaitsForAnotherSiteHoldsUpNoneThatTheSiteCanTake() throws Exception {
        Files.delete(folder.resolve("bound"));
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\narguments = $ENV(Area)\nqueue\n");
        Files.writeString(folder.resolve("b.sub"), "executable = /bin/true\nqueue\n");
        queue("b.dag", "JOB A a.sub\n");
        queue("c.dag", "JOB C b.sub\n");
        List<ClassAd> servers = List.of(
                ClassAd.parse("[ Name = \"oak\"; AdvertisedByServer = true; MaxMatches = 10; Requirements = true ]"));

        passAt(QUEUED).bindWaiting(servers);

        assertThat(queueAt(QUEUED).list().stream().map(QueuedDag::state))
                .containsExactly(State.WAITING, State.WAITING, State.BOUND);
    }

    @Test
    void aFinishedDagHoldsNoMatchOfItsOwner() throws Exception {
        bind();
        var queue = queueAt(QUEUED);
        queue.refresh();
        assertThat(queue.matchesByOwner()).containsOnly(Map.entry("me", 1L));

        Files.createFile(folder.resolve("bound/a/" + DagProgress.FINISHED_MARK));
        assertThat(queue.matchesByOwner()).isEmpty();
    }

    @Test
    void aStoppedDagWhoseMatchHasEndedTakesOneBeforeItRunsAgain() throws Exception {
        bind();
        Path bound = folder.resolve("bound/a");
        MatchLeases leases = locator.at(where());
        UUID first = MatchNote.find(bound).orElseThrow().lease();
        Files.writeString(bound.resolve("a.dag.metrics"), "{\"exitcode\": 1}");
        assertThat(LeasingBinder.retake(bound, locator)).isTrue();
        assertThat(MatchNote.find(bound).orElseThrow().lease()).isEqualTo(first);

        assertThat(leases.release(first)).isTrue();
        assertThat(LeasingBinder.retake(bound, locator)).isTrue();
        UUID second = MatchNote.find(bound).orElseThrow().lease();
        assertThat(second).isNotEqualTo(first);
        assertThat(leases.commit(second)).isTrue();

        assertThat(leases.release(second)).isTrue();
        for (String other : List.of("/other/1", "/other/2")) {
            assertThat(leases.acquire(new LeaseRequest("oak", MatchRoom.of(ads.get(0)), other, Claimant.here(), 1)))
                    .isPresent();
        }
        assertThat(LeasingBinder.retake(bound, locator)).isFalse();
        assertThat(MatchNote.findReleased(bound)).isPresent();
    }

    private void bind() throws IOException {
        Files.delete(folder.resolve("bound"));
        passAt(QUEUED).bindWaiting(ads);
        assertThat(dag().state()).isEqualTo(State.BOUND);
    }

    @Test
    void aDagThatWaitsOnHasWaitedSinceItWasQueued() throws Exception {
        Instant later = QUEUED.plusSeconds(7200);
        passAt(later).bindWaiting(ads);
        assertThat(dag().note()).isNotEmpty();
        assertThat(dag().since()).isEqualTo(QUEUED);

        Files.delete(folder.resolve("bound"));
        passAt(later).bindWaiting(ads);
        assertThat(dag().state()).isEqualTo(State.BOUND);
        assertThat(dag().since()).isEqualTo(later);
    }
}
