package org.metasched.adapter.pbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.pbs.PbsWorld.Resv;

/**
 * Made-up sites, printed as PBS prints them and played through the process-running path: each answer is that of a plain model of
 * PBS's rules. {@code -Dmetasched.worlds} and {@code -Dmetasched.seed} make others.
 */
class PbsWorldsTest {

    private static final int WORLDS = Integer.getInteger("metasched.worlds", 60);
    private static final long SEED = Long.getLong("metasched.seed", 20261127L);
    private static final Duration LEAD = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + WORLDS);
    }

    /** One world, asked many questions with one of the four kinds of settings. */
    private final class Asked {
        final PbsWorld world;
        final PbsPlainModel model;
        final PbsScheduler site;
        final Random random;

        Asked(long seed) {
            random = new Random(seed);
            world = PbsWorlds.of(seed);
            model = new PbsPlainModel(world, random.nextInt(3) == 0, random.nextBoolean());
            boolean text = random.nextInt(3) == 0;
            var pbs = new ReplayedPbs(folder);
            var printer = new PbsPrinter(world);
            pbs.answer("pbsnodes", text ? printer.nodesAsText() : printer.nodesAsJson(), "", 0);
            pbs.answer("qstat", text ? printer.jobsAsText() : printer.jobsAsJson(), "", 0);
            pbs.answer("pbs_rstat", printer.reservations(), "", 0);
            String settings = "place: " + (model.perVnode() ? "vscatter" : "scatter") + "\nexclusive: "
                    + model.exclusive() + "\noutput: " + (text ? "text" : "json") + "\nzone: " + world.zone() + "\n";
            Clock clock = Clock.fixed(world.now(), ZoneOffset.UTC);
            site = (PbsScheduler) new PbsFactory().open(new SiteId("pbs"), pbs.settings(settings), clock);
        }

        Instant soonest() {
            return world.now().plus(LEAD).plusSeconds(60).minusNanos(1).truncatedTo(ChronoUnit.MINUTES);
        }

        Need.Nodes need() {
            Set<String> properties = random.nextInt(4) == 0 ? Set.of("bigmem") : Set.of();
            return new Need.Nodes(1 + random.nextInt(4), 1 + random.nextInt(9), new TreeSet<>(properties));
        }

        Duration length() {
            return Duration.ofSeconds(60 + random.nextInt(random.nextInt(4) == 0 ? 100_000 : 7_200));
        }

        Instant someTime() {
            return random.nextInt(3) == 0 ? world.now() : world.now().plusSeconds(random.nextInt(600_000));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsThePlainModel(long seed) throws Exception {
        var asked = new Asked(seed);
        offersWhatIsGranted(asked, seed);
        tellsWhatItsReservationsHave(asked, seed);
        countsNodesAndJobsAndNamesWhatIsWrong(asked, seed);
    }

    private static void offersWhatIsGranted(Asked asked, long seed) throws Exception {
        for (int question = 0; question < 12; question++) {
            Need.Nodes need = asked.need();
            Duration length = asked.length();
            Instant from = TimeSlot.later(asked.someTime(), asked.soonest());
            var request = new ResourceRequest(need, length, java.util.Optional.empty());

            assertThat(asked.site.earliestStart(request, from))
                    .as("seed %d: %s for %s from %s at %s", seed, need, length, from, asked.model)
                    .isEqualTo(
                            asked.model.earliest(need.count(), need.coresPerNode(), need.properties(), length, from));

            var within = TimeSlot.of(from, Duration.ofSeconds(60 + asked.random.nextInt(90_000)));
            FreeWindows windows = asked.site.freeWindows(request, within);
            for (Instant start : probes(asked, within, windows)) {
                assertThat(windows.starts().stream().anyMatch(window -> window.contains(start)))
                        .as("seed %d: %s for %s at %s of %s: %s", seed, need, length, start, windows, asked.model)
                        .isEqualTo(asked.model.fits(
                                need.count(), need.coresPerNode(), need.properties(), TimeSlot.of(start, length)));
            }
        }
    }

    /** Starts inside of what may be asked: some at random, and those at the edges of the windows. */
    private static List<Instant> probes(Asked asked, TimeSlot within, FreeWindows windows) {
        Instant last = TimeSlot.earlier(within.end(), asked.world.now().plus(PbsPlainModel.LOOK_AHEAD));
        var probes = new ArrayList<Instant>();
        for (int i = 0; i < 4; i++) {
            probes.add(within.start()
                    .plusSeconds(asked.random.nextInt((int) within.length().toSeconds())));
        }
        windows.starts().stream().limit(4).forEach(window -> {
            probes.add(window.earliest().minusSeconds(1));
            probes.add(window.earliest());
            probes.add(window.latest());
            probes.add(window.latest().plusSeconds(1));
        });
        return probes.stream()
                .filter(start -> !start.isBefore(within.start()) && !start.isAfter(last))
                .toList();
    }

    private static void tellsWhatItsReservationsHave(Asked asked, long seed) throws Exception {
        for (Resv resv : asked.world.reservations()) {
            if (!resv.name().startsWith("metasched-") || !resv.select().matches("\\d+:ncpus=\\d+")) {
                continue;
            }
            String what = "seed " + seed + ", " + resv.id();
            var id = new ReservationId(resv.id());
            if (resv.state().equals("RESV_BEING_ALTERED")) {
                // It shows what was asked, and may go back to what it was.
                assertThatThrownBy(() -> asked.site.state(id)).as(what).isInstanceOf(Unreachable.class);
                continue;
            }
            ReservationStatus status = asked.site.state(id);

            assertThat(status.state()).as(what).isEqualTo(stateOf(resv));
            assertThat(status.reservation().slot()).as(what).isEqualTo(resv.slot());
            assertThat(status.detail()).as(what).startsWith(resv.state());
            if (resv.holds() && !resv.freed()) {
                var granted = asked.model.granted(resv);
                int least =
                        granted.values().stream().mapToInt(cores -> cores).min().orElseThrow();
                assertThat(status.reservation().nodeNames()).as(what).containsExactlyElementsOf(granted.keySet());
                assertThat(status.reservation().granted())
                        .as(what)
                        .isEqualTo(new Need.Nodes(granted.size(), least, new TreeSet<>()));
                assertThat(status.lostNodes())
                        .as(what)
                        .containsExactlyElementsOf(
                                stateOf(resv) == ReservationState.CANCELLED ? Set.of() : asked.model.lost(resv));
            } else {
                assertThat(status.reservation().nodeNames()).as(what).isEmpty();
                assertThat(status.lostNodes().isEmpty())
                        .as(what)
                        .isEqualTo(!resv.freed() || stateOf(resv) == ReservationState.CANCELLED);
            }
        }
    }

    private static ReservationState stateOf(Resv resv) {
        return switch (resv.state()) {
            case "RESV_RUNNING" -> ReservationState.ACTIVE;
            case "RESV_BEING_DELETED" -> ReservationState.CANCELLED;
            default -> ReservationState.RESERVED;
        };
    }

    private static void countsNodesAndJobsAndNamesWhatIsWrong(Asked asked, long seed) throws Exception {
        PbsWorld world = asked.world;
        SiteLoad load = asked.site.load();

        int tasks = world.arrays().stream()
                .mapToInt(array -> array.running().size())
                .sum();
        long idle = world.arrays().stream()
                .filter(array -> array.running().isEmpty())
                .count();
        assertThat(load.totalNodes()).as("seed %d", seed).isEqualTo(asked.model.nodesInAll());
        assertThat(load.freeNodes()).as("seed %d", seed).isEqualTo(asked.model.nodesFreeNow());
        assertThat(load.runningJobs())
                .as("seed %d", seed)
                .isEqualTo(tasks
                        + (int) world.jobs().stream()
                                .filter(PbsWorld.Job::placed)
                                .count());
        assertThat(load.queuedJobs())
                .as("seed %d", seed)
                .isEqualTo((int) idle
                        + (int) world.jobs().stream()
                                .filter(job -> !job.placed())
                                .count());
        assertThat(load.remarks()).as("seed %d", seed).hasSize((int) world.reservations().stream()
                .filter(resv -> resv.freed() || !asked.model.lost(resv).isEmpty())
                .count());
        for (Resv resv : world.reservations()) {
            if (resv.freed()) {
                assertThat(load.remarks())
                        .anyMatch(remark ->
                                remark.startsWith("The record of reservation " + resv.id() + " is not understood"));
            }
        }
    }
}
