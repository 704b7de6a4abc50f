package org.metasched.adapter.pbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Need;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;

/** Situations recorded on a live OpenPBS 23.06 with a host of four virtual nodes. */
class PbsMultiVnodeTest {

    private static final Path RECORDED = Path.of(
            System.getProperty("metasched.shared", "../../../shared"), "schedulers", "fixtures", "pbs", "multivnode");

    @TempDir
    Path folder;

    @BeforeEach
    void needsTheRecordings() {
        assumeTrue(Files.isDirectory(RECORDED), "no recorded situations beside this checkout");
    }

    /**
     * The situation, how settings spread chunks, nodes, cores of each, minutes, from which instant, and the answer: an
     * instant, {@code now} for the first whole minute, or {@code never}.
     */
    @ParameterizedTest
    @CsvSource({
        "a-idle, scatter, 5, 4, 10, now, now",
        "a-idle, scatter, 1, 16, 10, now, now",
        "a-idle, scatter, 6, 1, 10, now, never",
        "a-idle, vscatter, 8, 4, 10, now, now",
        // a job of all of hx for two hours
        "b-hxfull, scatter, 4, 4, 10, now, now",
        "b-hxfull, scatter, 5, 1, 10, now, 2026-11-22T00:56:39Z",
        "b2-exclhost, scatter, 5, 1, 10, now, 2026-11-21T23:56:44Z",
        "b3-hxfull-and-waiting, scatter, 3, 4, 10, now, now",
        "b3-hxfull-and-waiting, scatter, 5, 1, 10, now, never",
        // two of the four vnodes are free, of one more two cores are
        "c-various, scatter, 1, 8, 10, now, now",
        "c-various, scatter, 1, 12, 10, now, 2026-11-21T23:56:49Z",
        "c-various, shared, 1, 10, 10, now, now",
        "c-various, vscatter, 6, 4, 10, now, now",
        // two reservations, each one chunk over two vnodes
        "d-onechunk, scatter, 4, 4, 10, 2026-11-22T00:56:56Z, 2026-11-22T00:56:56Z",
        "d-onechunk, scatter, 5, 1, 10, 2026-11-22T00:56:56Z, 2026-11-22T01:56:56Z",
        "d3-mixed, shared, 5, 4, 10, 2026-11-22T00:56:56Z, 2026-11-22T00:56:56Z",
        "d3-mixed, shared, 5, 5, 10, 2026-11-22T00:56:56Z, never",
        "d3-mixed, shared, 1, 5, 10, 2026-11-22T00:56:56Z, 2026-11-22T01:56:56Z",
        "e-vscatter, vscatter, 2, 4, 10, 2026-11-22T00:56:56Z, 2026-11-22T00:56:56Z",
        "e-vscatter, shared-vscatter, 3, 3, 10, 2026-11-22T02:56:56Z, 2026-11-22T03:56:56Z",
        "e2-excl-running, shared, 2, 3, 10, now, now",
        "e2-excl-running, shared, 3, 1, 10, now, 2026-11-21T23:39:07Z",
        // offline vnodes take no more than themselves away
        "f-degraded, scatter, 1, 8, 10, 2026-11-22T06:00:00Z, 2026-11-22T06:00:00Z",
        "f-degraded, scatter, 4, 4, 10, 2026-11-22T06:00:00Z, 2026-11-22T06:00:00Z",
        "f-degraded, scatter, 5, 4, 10, 2026-11-22T06:00:00Z, never",
        "f4-host-offline, scatter, 4, 4, 10, now, now",
        // one was moved to live vnodes; then they are back
        "f2-after-retry, vscatter, 3, 4, 10, 2026-11-22T02:05:56Z, 2026-11-22T02:05:56Z",
        "f2-after-retry, vscatter, 4, 4, 10, 2026-11-22T02:05:56Z, 2026-11-22T03:05:56Z",
        "f3-online-again, vscatter, 5, 4, 10, 2026-11-22T02:05:56Z, 2026-11-22T02:05:56Z",
        "f3-online-again, vscatter, 6, 4, 10, 2026-11-22T02:05:56Z, 2026-11-22T03:05:56Z",
        // maintenance of hx; of the other reservation the nodes are not known
        "f5-maintenance, scatter, 4, 4, 10, 2026-11-22T00:12:25Z, 2026-11-22T00:12:25Z",
        "f5-maintenance, scatter, 5, 4, 10, 2026-11-22T00:12:25Z, 2026-11-22T00:22:25Z",
        "f5b-maintenance, scatter, 4, 4, 10, 2026-11-22T00:19:19Z, 2026-11-22T00:19:19Z",
        "f5c-maintenance-later, scatter, 5, 4, 10, 2026-11-22T00:19:19Z, 2026-11-22T00:29:19Z",
        // beside one that is being deleted: six vnodes closed, two free; the asked end counts before it is granted
        "f6-being-altered, vscatter, 2, 4, 10, now, now",
        "f6-being-altered, vscatter, 3, 4, 10, now, 2026-11-21T23:39:07Z",
        "f6-being-altered, vscatter, 7, 4, 10, 2026-11-22T01:09:14Z, 2026-11-22T02:09:14Z",
        "f6-altered, vscatter, 6, 4, 10, 2026-11-22T01:09:14Z, 2026-11-22T01:09:14Z",
        "f6-altered, vscatter, 7, 4, 10, 2026-11-22T01:09:14Z, 2026-11-22T02:09:14Z",
        // standing ones hold nodes of occurrences that are not shown: an hour later, and tomorrow
        "i-standing, vscatter, 5, 4, 10, 2026-11-22T01:03:46Z, 2026-11-22T01:03:46Z",
        "i-standing, vscatter, 6, 4, 10, 2026-11-22T01:03:46Z, 2026-11-22T01:14:45Z",
        "i-standing, vscatter, 6, 4, 10, 2026-11-22T23:58:46Z, 2026-11-22T23:58:46Z",
        "i-standing, vscatter, 7, 4, 10, 2026-11-22T23:58:46Z, 2026-11-23T00:28:46Z",
        // held until the job in it is gone, at most until its end
        "j0-before-delete, vscatter, 7, 4, 10, now, 2026-11-21T23:36:58Z",
        "j-being-deleted, vscatter, 6, 4, 10, now, now",
        "j-being-deleted, vscatter, 7, 4, 10, now, 2026-11-21T23:36:58Z",
        "j-deleted, vscatter, 7, 4, 10, now, 2026-11-21T23:36:58Z",
        // what is not confirmed holds nothing, until it is
        "j-unconfirmed, vscatter, 8, 4, 10, 2026-11-22T00:06:54Z, 2026-11-22T00:06:54Z",
        "j-wait-expired, vscatter, 8, 4, 10, 2026-11-22T00:06:54Z, 2026-11-22T00:06:54Z",
        "j2-confirmed-late, vscatter, 5, 4, 10, 2026-11-22T00:06:54Z, 2026-11-22T00:06:54Z",
        "j2-confirmed-late, vscatter, 6, 4, 10, 2026-11-22T00:06:54Z, 2026-11-22T00:36:54Z",
        "l2-mom-back, vscatter, 4, 4, 10, 2026-11-22T00:06:54Z, 2026-11-22T00:06:54Z",
        "l2-mom-back, vscatter, 5, 4, 10, 2026-11-22T00:06:54Z, 2026-11-22T00:36:54Z",
        // 16 jobs of an array are on all vnodes, half an hour from when they were first seen
        "g-array-running, scatter, 1, 1, 10, now, 2026-11-21T23:38:51Z",
        "g2-array-one-gone, scatter, 1, 1, 10, now, 2026-11-21T23:38:56Z",
        "g0-array-queued, scatter, 5, 4, 10, now, now",
        "h-nowalltime, scatter, 3, 4, 10, now, now",
        "h-nowalltime, scatter, 4, 4, 10, now, now",
        "h-nowalltime, scatter, 5, 4, 10, now, never",
        "l-mom-down, scatter, 1, 1, 10, now, never",
    })
    void offersWhatIsTrue(String situation, String place, int nodes, int cores, int minutes, String from, String answer)
            throws Exception {
        Instant now = recordedAt(situation);
        Instant first = Instant.ofEpochSecond(-Math.floorDiv(-now.getEpochSecond() - 5, 60) * 60);
        var request = new ResourceRequest(
                new Need.Nodes(nodes, cores, Collections.emptySortedSet()),
                Duration.ofMinutes(minutes),
                Optional.empty());

        Optional<Instant> start = site(situation, place, "metasched-")
                .earliestStart(request, from.equals("now") ? now : Instant.parse(from));

        assertThat(start)
                .isEqualTo(
                        answer.equals("never")
                                ? Optional.empty()
                                : Optional.of(answer.equals("now") ? first : Instant.parse(answer)));
    }

    /** The situation, place, name and id of the reservation, its nodes, cores of each, and what it lost. */
    @ParameterizedTest
    @CsvSource({
        "d-onechunk, scatter, chunk8, R4, 1, 8, ''",
        "d-onechunk, scatter, pack8, R5, 1, 8, ''",
        "e-vscatter, vscatter, '', R9, 6, 4, ''",
        "f-degraded, scatter, '', R32, 3, 4, n0",
        "f-degraded, vscatter, '', R33, 8, 4, hx[1] n0",
        "f0-before-offline, vscatter, '', R33, 8, 4, ''",
        "f2-after-retry, scatter, '', R32, 3, 4, ''",
        "f2-after-retry, vscatter, '', R33, 8, 4, hx[1] n0",
        "f3-online-again, vscatter, '', R33, 8, 4, ''",
        "l-mom-down, vscatter, '', R60, 4, 4, hx[0] hx[1] hx[2] hx[3]",
        "l2-mom-back, vscatter, '', R60, 4, 4, ''",
        "j2-confirmed-late, scatter, '', R39, 2, 4, ''",
        "f5-maintenance, scatter, inconfl, R29, 3, 4, (node 1 of 3) (node 2 of 3) (node 3 of 3)",
    })
    void tellsWhatAReservationHas(
            String situation, String place, String name, String id, int nodes, int cores, String lost)
            throws Exception {
        String shown = read(situation + "-rstat-f");
        Matcher block = Pattern.compile("Resv ID: " + id + "\\.pbsvm\nReserve_Name = (\\S+)")
                .matcher(shown);
        assertThat(block.find()).isTrue();
        String prefix = block.group(1).substring(0, 2);

        ReservationStatus status = site(situation, place, prefix).state(new ReservationId(id + ".pbsvm"));

        assertThat(status.reservation().granted())
                .isEqualTo(new Need.Nodes(nodes, cores, Collections.emptySortedSet()));
        assertThat(String.join(" ", status.lostNodes())).isEqualTo(lost);
        assertThat(name.isEmpty() || name.equals(block.group(1))).isTrue();
    }

    @Test
    void namesWhatIsOdd() throws Exception {
        assertThat(remarks("f5-maintenance"))
                .singleElement()
                .asString()
                .contains("R29.pbsvm is not understood", "resv_nodes")
                .doesNotContain("\u0005");
        assertThat(remarks("f-degraded")).contains("Reservation R32.pbsvm has lost n0.");
        assertThat(remarks("a-idle")).isEmpty();
    }

    @Test
    void anArrayThatWaitsIsOneJob() throws Exception {
        var queued = site("g0-array-queued", "scatter", "metasched-")
                .loadReporting()
                .orElseThrow()
                .load();
        var running = site("g-array-running", "scatter", "metasched-")
                .loadReporting()
                .orElseThrow()
                .load();

        assertThat(queued.queuedJobs()).isEqualTo(1);
        assertThat(running.runningJobs()).isEqualTo(16);
        assertThat(running.freeNodes()).isZero();
    }

    @Test
    void theJobsOfAnArrayEndWhereTheyDidBefore() throws Exception {
        var clock = new java.util.concurrent.atomic.AtomicReference<>(recordedAt("g-array-running"));
        ReplayedPbs pbs = replayed("g-array-running");
        LocalScheduler site = new PbsFactory()
                .open(new SiteId("pbs"), pbs.settings("snapshot: 0s\n"), new java.time.Clock() {
                    @Override
                    public Instant instant() {
                        return clock.get();
                    }

                    @Override
                    public java.time.ZoneId getZone() {
                        return ZoneOffset.UTC;
                    }

                    @Override
                    public Clock withZone(java.time.ZoneId zone) {
                        return this;
                    }
                });
        var request = ResourceRequest.nodes(1, Duration.ofMinutes(10));
        Instant answer = site.earliestStart(request, clock.get()).orElseThrow();
        clock.set(clock.get().plusSeconds(300));

        assertThat(site.earliestStart(request, clock.get())).contains(answer);
    }

    private List<String> remarks(String situation) throws Exception {
        return site(situation, "scatter", "metasched-")
                .loadReporting()
                .orElseThrow()
                .load()
                .remarks();
    }

    private LocalScheduler site(String situation, String place, String prefix) throws IOException {
        String settings = "place: " + (place.contains("vscatter") ? "vscatter" : "scatter") + "\nexclusive: "
                + !place.contains("shared") + "\nname-prefix: " + prefix + "\n";
        return new PbsFactory()
                .open(
                        new SiteId("pbs"),
                        replayed(situation).settings(settings),
                        Clock.fixed(recordedAt(situation), ZoneOffset.UTC));
    }

    private ReplayedPbs replayed(String situation) throws IOException {
        var pbs = new ReplayedPbs(folder);
        pbs.answer("pbsnodes", read(situation + "-pbsnodes-v-json"), "", 0);
        pbs.answer("qstat", read(situation + "-qstat-json"), "", 0);
        String shown = situation + "-rstat-f";
        pbs.answer("pbs_rstat", "", "", 0);
        Files.write(folder.resolve("pbs_rstat.out"), Files.readAllBytes(RECORDED.resolve(shown + ".txt")));
        return pbs;
    }

    private static String read(String name) throws IOException {
        return new String(Files.readAllBytes(RECORDED.resolve(name + ".txt")), StandardCharsets.UTF_8);
    }

    private static Instant recordedAt(String situation) throws IOException {
        Matcher row = Pattern.compile("\\| " + situation + "-pbsnodes-v-json\\.txt \\|.*\\| (2026-\\S+Z) \\|")
                .matcher(Files.readString(RECORDED.resolve("README.md")));
        assertThat(row.find()).isTrue();
        return Instant.parse(row.group(1));
    }
}
