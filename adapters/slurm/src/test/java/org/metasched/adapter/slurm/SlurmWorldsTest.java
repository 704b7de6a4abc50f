package org.metasched.adapter.slurm;

import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAmount;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.slurm.SlurmWorld.Job;
import org.metasched.adapter.slurm.SlurmWorld.Node;
import org.metasched.adapter.slurm.SlurmWorld.Resv;

/**
 * Made-up sites, printed as Slurm 22.05, 24.11 and slurmrestd print them and played through real processes or HTTP: each answer is
 * that of a plain model of Slurm's rules. {@code -Dmetasched.worlds} and {@code -Dmetasched.seed} make others.
 */
class SlurmWorldsTest {

    private static final int WORLDS = Integer.getInteger("metasched.worlds", 60);
    private static final long SEED = Long.getLong("metasched.seed", 20261127L);
    private static final Duration LOOK_AHEAD = Duration.ofDays(7);
    private static final Instant EVER = Instant.parse("2100-01-01T00:00:00Z");

    @RegisterExtension
    private static final WireMockExtension SLURM =
            WireMockExtension.newInstance().build();

    @TempDir
    private Path folder;

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + WORLDS);
    }

    /** A node that is taken. */
    private record Taking(String node, TimeSlot slot) {}

    private LocalScheduler site(SlurmWorld world, long seed) throws Exception {
        var printer = new SlurmPrinter(world);
        Clock clock = Clock.fixed(world.now(), ZoneOffset.UTC);
        String common = "partition: grid\nusers: [alice]\nsnapshot: 5m\nzone: " + world.zone() + "\n";
        if (seed % 3 == 0) {
            String root = "/slurm/v0.0.43/";
            SLURM.stubFor(get(root + "nodes/").willReturn(okJson(printer.nodesJson())));
            SLURM.stubFor(get(root + "jobs/").willReturn(okJson(printer.jobsJson())));
            SLURM.stubFor(get(root + "reservations/").willReturn(okJson(printer.reservationsJson())));
            Path token = Files.writeString(folder.resolve("token"), "a.token\n");
            String yaml = common + "url: " + SLURM.baseUrl() + "\ntoken-file: " + token + "\n";
            return new SlurmRestFactory().open(new SiteId("here"), YamlSettings.parse("site.yaml", yaml), clock);
        }
        command("sinfo", printer.sinfo(), printer.sinfo());
        command("squeue", printer.squeue(true), printer.squeue(false));
        command("scontrol", "", printer.reservations(seed % 3 == 1));
        String yaml = common + "run: {path: ['" + folder + "'], timeout: 120s}\n";
        return new SlurmSchedulerFactory().open(new SiteId("here"), YamlSettings.parse("site.yaml", yaml), clock);
    }

    /** A program that prints one thing of a partition, and another of all. */
    private void command(String name, String ofPartition, String ofAll) throws Exception {
        Path some = Files.writeString(folder.resolve(name + ".some"), ofPartition);
        Path all = Files.writeString(folder.resolve(name + ".all"), ofAll);
        Path program = Files.writeString(
                folder.resolve(name),
                "#!/bin/sh\ncase $1 in -p) exec cat '" + some + "' ;; *) exec cat '" + all + "' ;; esac\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A node whose job ends at E can be reserved from E + 1 s; one that a reservation has, from its end. */
    private static List<Taking> takings(SlurmWorld world) {
        var all = new ArrayList<Taking>();
        for (Job job : world.jobs()) {
            Instant end = TimeSlot.later(job.end().orElse(EVER), world.now()).plusSeconds(1);
            job.nodes().forEach(node -> all.add(new Taking(node, new TimeSlot(Instant.EPOCH, end))));
        }
        for (Resv resv : world.reservations()) {
            for (TimeSlot slot : slots(world, resv)) {
                resv.nodes().forEach(node -> all.add(new Taking(node, slot)));
            }
        }
        return all;
    }

    /**
     * What is odd takes its nodes for the time that it names, once. Slurm moves start and end of what repeats by localtime and mktime, at
     * each end of it anew.
     */
    private static List<TimeSlot> slots(SlurmWorld world, Resv resv) {
        if (resv.flags().contains("TIME_FLOAT") && !resv.odd()) {
            return List.of(new TimeSlot(resv.start(), EVER));
        }
        var slots = new ArrayList<TimeSlot>(List.of(new TimeSlot(resv.start(), resv.end())));
        if (!resv.odd() && resv.period().isPresent()) {
            Instant until = world.now().plus(Duration.ofDays(12));
            Instant start = resv.start();
            Instant end = resv.end();
            while (start.isBefore(until)) {
                start = moved(start, resv.period().get(), world.zone(), false);
                end = moved(end, resv.period().get(), world.zone(), true);
                slots.add(
                        start.isBefore(end)
                                ? new TimeSlot(start, end)
                                : TimeSlot.of(start, slots.get(0).length()));
            }
        }
        return slots;
    }

    /** @param last whether the later instant is meant, of a time that comes twice */
    private static Instant moved(Instant instant, TemporalAmount period, ZoneId zone, boolean last) {
        if (period instanceof Duration hours) {
            return instant.plus(hours);
        }
        LocalDateTime local = LocalDateTime.ofInstant(instant, zone).plus(period);
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        if (change == null) {
            return local.toInstant(zone.getRules().getOffset(local));
        }
        return local.toInstant(change.isGap() || !last ? change.getOffsetBefore() : change.getOffsetAfter());
    }

    /** Whether the local time of an instant comes a second time: such a start is not on offer. */
    private static boolean isRepeated(SlurmWorld world, Instant instant) {
        LocalDateTime local = LocalDateTime.ofInstant(instant, world.zone());
        return local.toInstant(world.zone().getRules().getValidOffsets(local).get(0))
                .isBefore(instant);
    }

    private static boolean serves(Node node) {
        return node.state().serves() && node.cores() > 0;
    }

    private static int free(SlurmWorld world, List<Taking> takings, Need.Nodes need, TimeSlot slot) {
        return (int) world.nodes().stream()
                .filter(node -> serves(node)
                        && node.cores() >= need.coresPerNode()
                        && node.features().containsAll(need.properties()))
                .filter(node -> takings.stream()
                        .noneMatch(taking -> taking.node().equals(node.name())
                                && taking.slot().overlaps(slot)))
                .count();
    }

    private static Optional<Instant> earliest(SlurmWorld world, Need.Nodes need, Duration length, Instant from) {
        List<Taking> takings = takings(world);
        var starts = new TreeSet<Instant>(Set.of(from));
        takings.forEach(taking -> starts.add(taking.slot().end()));
        ZoneOffsetTransition change =
                world.zone().getRules().nextTransition(world.now().minusSeconds(7_200));
        if (change != null) {
            starts.add(change.getInstant().plus(change.getDuration().abs()));
        }
        return starts.stream()
                .filter(start ->
                        !start.isBefore(from) && !start.isAfter(world.now().plus(LOOK_AHEAD)))
                .filter(start -> !isRepeated(world, start))
                .filter(start -> free(world, takings, need, TimeSlot.of(start, length)) >= need.count())
                .findFirst();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAsThePlainModel(long seed) throws Exception {
        var world = SlurmWorld.of(seed);
        LocalScheduler site = site(world, seed);
        offersWhatIsGranted(world, site, seed);
        tellsWhatItsReservationsHave(world, site, seed);
        countsNodesAndJobsAndNamesWhatIsWrong(world, site, seed);
    }

    private static void offersWhatIsGranted(SlurmWorld world, LocalScheduler site, long seed) throws Exception {
        var random = new Random(seed);
        Instant soonest = world.now().plusSeconds(10 + 60).minusNanos(1).truncatedTo(ChronoUnit.MINUTES);
        for (int question = 0; question < 12; question++) {
            Set<String> features = random.nextInt(4) == 0 ? Set.of("fast") : Set.of();
            var need = new Need.Nodes(1 + random.nextInt(6), 1 << random.nextInt(3), new TreeSet<>(features));
            Duration length = Duration.ofSeconds(60 + random.nextInt(random.nextInt(4) == 0 ? 100_000 : 7_200));
            Instant some = random.nextInt(3) == 0 ? world.now() : world.now().plusSeconds(random.nextInt(600_000));
            Instant from = TimeSlot.later(some, soonest);
            var request = new ResourceRequest(need, length, Optional.empty());

            assertThat(site.earliestStart(request, some))
                    .as("seed %d: %s for %s from %s", seed, need, length, from)
                    .isEqualTo(earliest(world, need, length, from));

            var windows = ((WindowListing) site).freeWindows(request, TimeSlot.of(from, Duration.ofHours(30)));
            for (int probe = 0; probe < 4; probe++) {
                Instant start = from.plusSeconds(random.nextInt(108_000));
                if (!start.isAfter(world.now().plus(LOOK_AHEAD))) {
                    assertThat(windows.starts().stream().anyMatch(window -> window.contains(start)))
                            .as("seed %d: %s for %s at %s of %s", seed, need, length, start, windows)
                            .isEqualTo(!isRepeated(world, start)
                                    && free(world, takings(world), need, TimeSlot.of(start, length)) >= need.count());
                }
            }
        }
    }

    private static void tellsWhatItsReservationsHave(SlurmWorld world, LocalScheduler site, long seed)
            throws Exception {
        for (Resv resv : world.reservations()) {
            if (!resv.name().startsWith("metasched-")) {
                continue;
            }
            var id = new ReservationId(resv.name());
            if (resv.odd()) {
                assertThatThrownBy(() -> site.state(id))
                        .isInstanceOf(Unreachable.class)
                        .hasMessageContaining("is odd");
                continue;
            }
            ReservationStatus status = site.state(id);
            boolean active = !resv.start().isAfter(world.now());
            assertThat(status.state())
                    .as("seed %d, %s", seed, id)
                    .isEqualTo(active ? ReservationState.ACTIVE : ReservationState.RESERVED);
            assertThat(status.reservation().slot()).isEqualTo(new TimeSlot(resv.start(), resv.end()));
            assertThat(status.reservation().nodeNames()).isEqualTo(resv.nodes());
            assertThat(status.reservation().granted().amount()).isEqualTo(Math.max(1, resv.wanted()));
            assertThat(status.lostNodes()).as("seed %d, %s", seed, id).isEqualTo(lost(world, resv, active));
        }
    }

    /** Nodes that do not serve, or are in maintenance while it runs; then those that Slurm took out of its list. */
    private static List<String> lost(SlurmWorld world, Resv resv, boolean active) {
        var lost = new ArrayList<String>();
        for (String name : resv.nodes()) {
            Optional<Node> node = world.nodes().stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst();
            boolean lives = node.isPresent() && serves(node.get());
            if (!lives || active && node.get().state().word().equals("maint")) {
                lost.add(name);
            }
        }
        for (int missing = resv.nodes().size() + 1; missing <= resv.wanted(); missing++) {
            lost.add("(node " + missing + " of " + resv.wanted() + ")");
        }
        return lost;
    }

    private static void countsNodesAndJobsAndNamesWhatIsWrong(SlurmWorld world, LocalScheduler site, long seed)
            throws Exception {
        SiteLoad load = site.loadReporting().orElseThrow().load();

        int waiting = (int) world.jobs().stream().filter(Job::waits).count();
        var anything = new Need.Nodes(1);
        assertThat(load.totalNodes())
                .as("seed %d", seed)
                .isEqualTo(world.nodes().size());
        assertThat(load.freeNodes())
                .as("seed %d", seed)
                .isEqualTo(free(world, takings(world), anything, TimeSlot.of(world.now(), Duration.ofSeconds(1))));
        assertThat(load.queuedJobs()).as("seed %d", seed).isEqualTo(waiting);
        assertThat(load.runningJobs())
                .as("seed %d", seed)
                .isEqualTo(world.jobs().size() - waiting);
        var remarks = new ArrayList<String>();
        for (Resv resv : world.reservations()) {
            if (!resv.odd() && resv.nodes().size() < resv.wanted()) {
                remarks.add("Reservation " + resv.name() + " has "
                        + resv.nodes().size() + " of " + resv.wanted() + " nodes.");
            }
        }
        assertThat(load.remarks()).as("seed %d", seed).containsAll(remarks);
        assertThat(load.remarks())
                .as("seed %d", seed)
                .hasSize(remarks.size()
                        + (int) world.reservations().stream().filter(Resv::odd).count());
    }
}
