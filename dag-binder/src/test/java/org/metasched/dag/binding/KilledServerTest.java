package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchLeases;

/** A server that is killed before or after it did what it was asked, in the midst of binding, releasing and moving DAGs. */
class KilledServerTest {

    private static final String WHERE = "http://server.example.org/";
    private static final int ROUNDS = Integer.getInteger("metasched.rounds", 60);

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-05T08:00:00Z");
    private FileLeases leases = new FileLeases(Path.of(""), Clock.systemUTC(), lease -> Sight.UNSEEN);
    private int callsUntilKilled = Integer.MAX_VALUE;
    private boolean answersLast;

    /** The leases behind the network: claimants are elsewhere, and directories out of sight. */
    private final class Server implements MatchLeases {

        private <T> T called(Supplier<T> call) {
            callsUntilKilled--;
            if (callsUntilKilled > 0) {
                return call.get();
            }
            if (callsUntilKilled == 0 && answersLast) {
                T unheard = call.get();
                throw new UncheckedIOException(new IOException("no answer after " + unheard));
            }
            throw new UncheckedIOException(new IOException("no server"));
        }

        @Override
        public Optional<UUID> acquire(LeaseRequest request) {
            return called(() -> leases.acquire(new LeaseRequest(
                    request.site(), request.room(), request.holder(), Claimant.elsewhere("me"), request.nodes())));
        }

        @Override
        public boolean renew(UUID lease) {
            return leases.renew(lease);
        }

        @Override
        public boolean commit(UUID lease) {
            return called(() -> leases.commit(lease));
        }

        @Override
        public boolean release(UUID lease) {
            return called(() -> leases.release(lease));
        }
    }

    @Test
    void leavesNoMatchWithoutADagAndNoDagWithoutItsMatch() throws Exception {
        Clock clock = new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
        leases = new FileLeases(folder.resolve("server"), clock, lease -> Sight.UNSEEN);
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\nqueue\n");
        Files.writeString(folder.resolve("d.dag"), "JOB A a.sub\n");
        var locator = new LeaseLocator(clock, server -> new Server());
        var binder = new LeasingBinder(new DagBinder(DagBinder.Options.of(Map.of())), WHERE, locator);
        NestedDag dag = NestedDag.read(folder.resolve("d.dag"));
        DagJobAd job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        List<ClassAd> ads = ClassAd.parseAll(
                "[Name=\"a\"; MaxMatches=2; Requirements=true]\n[Name=\"b\"; MaxMatches=2; Requirements=true]\n",
                ReadOptions.NEW);
        long seed = Long.getLong("metasched.seed", 20261125L);
        var random = new Random(seed);
        var done = new ArrayList<String>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int kill = 0; kill < 2; kill++) {
                Path place = folder.resolve("bound").resolve("d" + random.nextInt(3));
                callsUntilKilled = 1 + random.nextInt(4);
                answersLast = random.nextBoolean();
                String act =
                        List.of("bind", "bind", "release", "rebind", "retake").get(random.nextInt(5));
                done.add(act + " " + place.getFileName() + " killed at " + callsUntilKilled + " " + answersLast);
                try {
                    act(act, binder, dag, job, List.of(ads.get(random.nextInt(2))), place, locator);
                } catch (IOException | IllegalStateException | IllegalArgumentException | UncheckedIOException e) {
                    done.add("  " + e.getMessage());
                }
                callsUntilKilled = Integer.MAX_VALUE;
            }
            for (int i = 0; i < 3; i++) {
                RebindTransaction.recover(folder.resolve("bound/d" + i), locator);
            }
            now = now.plus(Duration.ofHours(1));

            List<String> counted = leases.held().stream()
                    .map(lease -> lease.id().toString())
                    .sorted()
                    .collect(Collectors.toList());
            List<String> noted = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                MatchNote.find(folder.resolve("bound/d" + i)).ifPresent(note -> noted.add(note.match()));
            }
            noted.sort(null);
            assertThat(counted).as("round %s of seed %s: %s", round, seed, done).isEqualTo(noted);
            done.clear();
        }
    }

    private static void act(
            String act,
            LeasingBinder binder,
            NestedDag dag,
            DagJobAd job,
            List<ClassAd> ads,
            Path place,
            LeaseLocator locator)
            throws Exception {
        boolean isBound = Files.isDirectory(place);
        switch (act) {
            case "bind" -> binder.bind(dag, job, ads, place);
            case "release" -> {
                boolean unused = isBound && LeasingBinder.release(place, locator);
            }
            case "retake" -> {
                boolean unused = isBound && LeasingBinder.retake(place, locator);
            }
            default -> {
                if (isBound) {
                    binder.rebind(place, BindingRecord.find(place).orElseThrow(), dag, job, ads);
                }
            }
        }
    }
}
