package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.testkit.KitSettings;
import org.metasched.adapter.testkit.LocalSchedulerContract;
import org.metasched.it.CliProcess;

/**
 * A scheduler that really runs, as the tests need it: what each one says differently, and that after a test nothing of it is
 * left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
abstract class LiveFixture extends LocalSchedulerContract {

    /** All live sites are made with this many nodes. */
    static final int NODES = 8;

    static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    private final LiveSite live;
    private LocalScheduler site;
    private final List<RequestKey> made = new ArrayList<>();

    LiveFixture(String name) {
        live = LiveSite.named(name);
        try {
            site = live.open();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its own words for a listing of all reservations. */
    abstract List<String> listing();

    /** How the listing names the reservation. */
    abstract String shownAs(Reservation reservation);

    /** Fills all nodes with a job that may run for five minutes, and waits until it runs. */
    abstract void startJobOnAllNodes() throws Exception;

    /** Of that job, as the scheduler shows it. */
    abstract Instant latestEndOfTheJob() throws Exception;

    abstract void endAllJobs() throws Exception;

    /** How long after the latest end of a job the scheduler lets a reservation begin. */
    abstract Duration gapAfterJob();

    /** From the end of a reservation to the start of one that is planned already. */
    Duration gapBeforeReservation() {
        return Duration.ZERO;
    }

    Duration gapAfterReservation() {
        return Duration.ZERO;
    }

    /** The daemon that a command waits for. */
    abstract String daemon();

    /** Takes the node out of service under whatever is reserved on it. */
    abstract void takeOut(String node) throws Exception;

    abstract void bringBack(String node) throws Exception;

    /** The local user the reservation is for, in the scheduler's words. */
    abstract String userOf(Reservation reservation) throws Exception;

    @Override
    protected final LocalScheduler scheduler() {
        return site;
    }

    @Override
    protected final KitSettings settings() {
        return KitSettings.live(ResourceRequest.nodes(2, TEN_MINUTES), Duration.ofHours(1))
                .with(new Neighbours());
    }

    /** What others can have beside a job, by its name; each says until when it takes a node. */
    Map<String, Callable<Instant>> otherHoldings() {
        return Map.of();
    }

    void endOtherHoldings() throws Exception {}

    /** Other users, and the operator. */
    private final class Neighbours implements KitSettings.Others {

        private final List<String> out = new ArrayList<>();

        @Override
        public Map<String, Callable<Instant>> holdings() {
            var all = new LinkedHashMap<>(otherHoldings());
            all.put("a job on all nodes", () -> {
                startJobOnAllNodes();
                return latestEndOfTheJob();
            });
            return all;
        }

        @Override
        public void takeOut(String node) throws Exception {
            out.add(node);
            LiveFixture.this.takeOut(node);
        }

        @Override
        public void leave() throws Exception {
            endAllJobs();
            endOtherHoldings();
            for (String node : out) {
                bringBack(node);
            }
            out.clear();
        }
    }

    /** The processes of one site, in a process that asks no other. */
    @LiveTest
    void questionsShareTheProcessesThatAnswerThem(@TempDir Path folder) throws Exception {
        String yaml = Files.readString(live.folder().resolve("site.yaml")) + "  snapshot: 5m\n";
        Path config = Files.writeString(folder.resolve("site.yaml"), yaml);

        var checked = CliProcess.run(
                folder, Map.of(), "adapter", "check", "--config", config.toString(), "--rule", "Z1", "--lead", "PT2H");

        assertThat(checked.out()).as(checked.err()).contains("Z1  passed");
    }

    @Override
    @TestFactory
    @Execution(ExecutionMode.SAME_THREAD)
    protected Stream<DynamicTest> keepsTheRules() throws Exception {
        return super.keepsTheRules();
    }

    final LiveSite live() {
        return live;
    }

    final LocalScheduler site() {
        return site;
    }

    final RequestKey newKey() {
        var key = new RequestKey("live" + UUID.randomUUID().toString().substring(0, 8));
        made.add(key);
        return key;
    }

    static ResourceRequest nodes(int count) {
        return ResourceRequest.nodes(count, TEN_MINUTES);
    }

    /** A whole minute some hours from now, where nobody else books. */
    static Instant hoursAhead(int hours) {
        return Instant.now().plus(Duration.ofHours(hours)).truncatedTo(ChronoUnit.MINUTES);
    }

    @BeforeEach
    void begin() {
        made.clear();
    }

    @AfterEach
    void leavesNothing() throws Exception {
        for (RequestKey key : made) {
            Optional<ReservationStatus> left = site.find(key);
            if (left.isPresent() && left.get().state().isHeld()) {
                site.cancel(left.get().reservation().id());
            }
        }
        String listing = live.command(listing());
        for (RequestKey key : made) {
            Optional<ReservationState> left = site.find(key).map(ReservationStatus::state);
            assertThat(left.map(ReservationState::isHeld)).isNotEqualTo(Optional.of(true));
            // some schedulers go on listing for a while what has finished by itself
            if (!left.equals(Optional.of(ReservationState.FINISHED))) {
                assertThat(listing).doesNotContain(key.value());
            }
        }
    }

    /** A reservation long enough to be seen running. */
    Duration shortest() {
        return Duration.ofSeconds(12);
    }

    /** How soon that one begins. */
    long secondsToShortest() {
        return 6;
    }

    final void grants(ResourceRequest request, Instant start) throws LocalSchedulerException {
        Reservation reservation = site.reserve(newKey(), request, start);
        assertThat(reservation.slot().start()).isEqualTo(start);
        site.cancel(reservation.id());
    }

    final void refuses(ResourceRequest request, Instant start) throws LocalSchedulerException {
        RequestKey key = newKey();
        assertThatThrownBy(() -> site.reserve(key, request, start)).isInstanceOf(Refused.class);
        assertThat(site.find(key).map(status -> status.state().isHeld())).isNotEqualTo(Optional.of(true));
    }
}
