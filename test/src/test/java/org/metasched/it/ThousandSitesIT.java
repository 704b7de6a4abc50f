package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.it.CountedSites.Question;

/**
 * Three servers with many sites on one PostgreSQL, of which some are killed, stopped for longer than their lease or given a wrong clock, two at
 * a time, while sites change what they publish. The sites count who asks them: together the servers ask as often as one would, and once more for
 * a takeover at most. No server misses an ad at any time, and in the end all list the newest.
 */
@Tag("full")
@EnabledIfSystemProperty(
        named = "metasched.sites",
        matches = ".+",
        disabledReason = "many sites are asked for by -Dmetasched.sites=200 or more")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@Isolated("starts a process after the other")
class ThousandSitesIT {

    private static final int SITES = Integer.getInteger("metasched.sites", 200);
    private static final int ROUNDS = Integer.getInteger("metasched.sites.rounds", 4);
    /** Longer than the time in which servers may differ about who lives: two beats of 2 s. */
    private static final Duration EVERY = Duration.ofSeconds(5);
    /** The stated bound, also where servers fail one after the other. */
    private static final Duration TAKEOVER = Duration.ofSeconds(15);

    /** Until each site was asked by another server: some turns more, as a busy machine takes a while to ask. */
    private static final Duration ASKED = TAKEOVER.plus(EVERY.multipliedBy(3));

    private static final Duration WRONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final int PARTS = 50;
    private static final int OWN_ADS = 20;

    private final long seed = Long.getLong("metasched.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    private final Map<String, Duration> took = new LinkedHashMap<>();
    private final Map<Integer, Map<String, Long>> listed = new ConcurrentHashMap<>();
    private final Queue<String> wrongs = new ConcurrentLinkedQueue<>();
    private final List<Integer> serving = Collections.synchronizedList(new ArrayList<>());
    private CountedSites sites;
    private ServerTrio servers;
    /** How often the servers that may ask became others. */
    private int changes;

    private int turn;

    @TempDir
    private Path folder;

    private interface Step {
        void run() throws Exception;
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    @BeforeEach
    void start() throws Exception {
        System.out.printf("ThousandSitesIT: seed %d, %d sites, load %.1f%n", seed, SITES, load());
        sites = new CountedSites(SITES);
        servers = new ServerTrio(folder, sites, EVERY);
        timed("start", () -> {
            servers.start(0);
            servers.awaitReady(0);
            servers.start(1);
            servers.start(2);
            servers.awaitReady(1);
            servers.awaitReady(2);
        });
        timed(
                "all ads at all servers",
                () -> until(() -> IntStream.range(0, ServerTrio.COUNT)
                        .allMatch(server -> servers.ads(server).size() == SITES)));
        for (int first = 0; first < SITES; first += PARTS) {
            reserve(first, Math.min(SITES, first + PARTS));
        }
        IntStream.range(0, ServerTrio.COUNT).forEach(serving::add);
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        threads.awaitTermination(1, TimeUnit.MINUTES);
        servers.close();
        sites.close();
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** One agreement over some sites, so that their reservations are looked at; offered again while the server is too busy. */
    private void reserve(int first, int end) {
        String parts = IntStream.range(first, end)
                .mapToObj(site -> "{\"site\":\"s" + site + "\",\"nodes\":1}")
                .collect(Collectors.joining(","));
        until(() -> servers.offer(first % ServerTrio.COUNT, "{\"parts\":[" + parts + "],\"duration\":\"PT2H\"}") / 100
                == 2);
    }

    @Test
    void sitesAreAskedAsByOneServerAndNoAdIsLost() throws Exception {
        assumeThat(ShiftedClock.isPossible())
                .as("no clock can be made wrong: %s is not installed (libfaketime)", ShiftedClock.LIBRARY)
                .isTrue();
        pass(EVERY);
        var unusedChanges = threads.scheduleWithFixedDelay(
                () -> sites.change(random.nextInt(SITES)), 0, 20_000 / SITES + 1, TimeUnit.MILLISECONDS);
        var unusedLooks = threads.scheduleWithFixedDelay(this::look, 0, 2, TimeUnit.SECONDS);
        long begin = System.nanoTime();
        quiet();
        var rounds = new ArrayList<Integer>();
        for (int round = 0; round < ROUNDS; round++) {
            rounds.add(round % 4);
        }
        Collections.shuffle(rounds, random);
        for (int round : rounds) {
            var three = new ArrayList<>(List.of(0, 1, 2));
            Collections.shuffle(three, random);
            strike(round, three.get(0), three.get(1), three.get(2));
        }
        quiet();
        counted(begin, "load");
        counted(begin, "state");
        unusedChanges.cancel(false);
        IntStream.range(0, SITES).forEach(sites::change);
        timed("calm", () -> until(this::isTheNewestEverywhere));
        System.out.printf("ThousandSitesIT: %s, load %.1f%n", took, load());
        assertThat(wrongs).isEmpty();
    }

    /** In turns: a killed server while a clock is ahead, a killed one while another is frozen, a clock behind, a killed one that is back at once. */
    private void strike(int round, int one, int two, int three) throws Exception {
        switch (round) {
            case 0 ->
                withWrongClock(one, three, WRONG, () -> {
                    kill(two);
                    takenOver("clock ahead and kill", List.of(one), List.of(two));
                    restart(two);
                });
            case 1 -> {
                changes++;
                serving.remove((Object) one);
                servers.signal(one, "STOP");
                pass(Duration.ofMillis(random.nextInt(4000)));
                kill(two);
                takenOver("stop and kill", List.of(), List.of(one, two));
                restart(two);
                servers.signal(one, "CONT");
                changes++;
                until(() -> servers.isReady(one));
                serving.add(one);
            }
            case 2 -> withWrongClock(one, three, WRONG.negated(), () -> {});
            default -> {
                kill(two);
                restart(two);
            }
        }
        until(() -> isShared());
    }

    private void kill(int server) {
        changes++;
        serving.remove((Object) server);
        servers.kill(server);
    }

    private void restart(int server) throws Exception {
        changes++;
        servers.start(server);
        servers.awaitReady(server);
        serving.add(server);
    }

    /** The work of servers that fail is done by others in time: first they are no members any more, then their sites are asked. */
    private void takenOver(String what, List<Integer> idle, List<Integer> dead) throws Exception {
        long blow = System.nanoTime();
        var gone = Stream.concat(idle.stream(), dead.stream()).toList();
        within(TAKEOVER, what + ", members", blow, () -> servers.haveLeft(dead));
        within(ASKED, what + ", loads", blow, () -> sites.areAskedSince(blow, "load", gone));
        within(ASKED, what + ", states", blow, () -> sites.areAskedSince(blow, "state", gone));
    }

    private void within(Duration bound, String what, long begin, Condition condition) throws Exception {
        timed(what, begin, () -> until(condition));
        assertThat(took.get(what)).as(what).isLessThanOrEqualTo(bound);
    }

    private void withWrongClock(int wrong, int right, Duration offset, Step meanwhile) throws Exception {
        changes++;
        servers.setClock(wrong, offset);
        until(() -> servers.get(wrong, "/health").statusCode() == 503);
        var health = servers.health(wrong);
        assertThat(health.at("/clock").asText()).isEqualTo("off");
        assertThat(health.at("/clockOffsetSeconds").asDouble() - offset.toSeconds())
                .isBetween(-1.0, 1.0);
        assertThat(servers.get(wrong, "/metrics").body())
                .containsPattern("metasched_clock_offset_seconds " + (offset.isNegative() ? "-" : "") + "(299|300)");
        String done = health.at("/lastDone/monitor").asText();
        publish(wrong);
        pass(Duration.ofSeconds(1));
        publish(right);
        meanwhile.run();
        until(() -> IntStream.of(wrong, right).allMatch(server -> areOwnAdsNewest(server)));
        pass(Duration.ofSeconds(1));
        publish(wrong);
        until(() -> IntStream.of(wrong, right).allMatch(server -> areOwnAdsNewest(server)));
        assertThat(servers.isReady(wrong)).isFalse();
        assertThat(servers.health(wrong).at("/lastDone/monitor").asText()).isEqualTo(done);
        servers.setClock(wrong, Duration.ZERO);
        changes++;
        until(() -> servers.isReady(wrong));
    }

    /** Some sites advertise themselves, at one server. */
    private void publish(int server) {
        turn++;
        for (int i = 0; i < OWN_ADS; i++) {
            servers.advertise(server, "own" + i, turn);
        }
    }

    private boolean areOwnAdsNewest(int server) {
        var ads = servers.ads(server);
        return IntStream.range(0, OWN_ADS).allMatch(i -> ads.getOrDefault("own" + i, 0L) == turn);
    }

    private boolean isTheNewestEverywhere() {
        return IntStream.range(0, ServerTrio.COUNT).allMatch(server -> {
            var ads = servers.ads(server);
            return areOwnAdsNewest(server)
                    && ads.size() == SITES + OWN_ADS
                    && IntStream.range(0, SITES).allMatch(site -> ads.get("s" + site) == sites.version(site));
        });
    }

    /** What is wrong at a server now: an ad that is missing, or older than that of a look before. */
    private void look() {
        for (int server : List.copyOf(serving)) {
            try {
                var before = listed.getOrDefault(server, Map.of());
                var ads = servers.ads(server);
                var missing = before.keySet().stream()
                        .filter(name -> !ads.containsKey(name))
                        .toList();
                var older = before.keySet().stream()
                        .filter(name -> ads.getOrDefault(name, Long.MAX_VALUE) < before.get(name))
                        .toList();
                if (!missing.isEmpty() || !older.isEmpty()) {
                    wrongs.add("server " + server + " misses " + missing + " and lists older " + older);
                }
                listed.put(server, ads);
            } catch (RuntimeException e) {
                if (serving.contains(server)) {
                    wrongs.add("server " + server + ": " + e);
                }
            }
        }
    }

    /** Some turns without a change: one server asks each site, and no more often than its settings say. */
    private void quiet() throws Exception {
        pass(EVERY);
        long begin = System.nanoTime();
        pass(EVERY.multipliedBy(2));
        // A question of the turn before may have waited for a thread.
        int most = turns(begin) + 1;
        sites.since(begin, "load").forEach(asked -> {
            assertThat(asked.stream().map(Question::server).distinct())
                    .as("%s", asked)
                    .hasSize(1);
            assertThat(asked).hasSizeLessThanOrEqualTo(most);
        });
        sites.since(begin, "state").forEach(asked -> assertThat(asked).hasSizeLessThanOrEqualTo(most));
    }

    /** Questions of one server, the first at once. */
    private static int turns(long begin) {
        return (int) ((System.nanoTime() - begin) / EVERY.toNanos()) + 1;
    }

    private void counted(long begin, String of) {
        int alone = turns(begin);
        var bySite = sites.since(begin, of);
        var counts = bySite.stream().mapToInt(List::size).summaryStatistics();
        var takeovers = bySite.stream().mapToInt(ThousandSitesIT::takeovers).summaryStatistics();
        System.out.printf(
                "ThousandSitesIT: %s: one server would ask a site at most %d times in %.0f s; asked %d to %d times, %.1f on average, by another server than before %d to %d times after %d changes%n",
                of,
                alone,
                (System.nanoTime() - begin) / 1e9,
                counts.getMin(),
                counts.getMax(),
                counts.getAverage(),
                takeovers.getMin(),
                takeovers.getMax(),
                changes);
        bySite.forEach(asked -> assertThat(asked)
                .as("%s, %d changes", of, changes)
                .hasSizeLessThanOrEqualTo(alone + Math.min(changes, takeovers(asked))));
    }

    /** How often a site is asked by another server than before. */
    private static int takeovers(List<Question> asked) {
        return (int) IntStream.range(1, asked.size())
                .filter(i -> asked.get(i).server() != asked.get(i - 1).server())
                .count();
    }

    /** Whether each server asks some sites again. */
    private boolean isShared() {
        long begin = System.nanoTime() - EVERY.multipliedBy(2).toNanos();
        return sites.since(begin, "load").stream()
                        .flatMap(List::stream)
                        .map(Question::server)
                        .distinct()
                        .count()
                == ServerTrio.COUNT;
    }

    private void timed(String what, Step step) throws Exception {
        timed(what, System.nanoTime(), step);
    }

    private void timed(String what, long begin, Step step) throws Exception {
        step.run();
        took.put(what, Duration.ofMillis((System.nanoTime() - begin) / 1_000_000));
    }

    private static void until(Condition condition) {
        Awaitility.await().pollInterval(LOOK).atMost(PATIENCE).until(condition::holds);
    }

    private static void pass(Duration time) {
        long begun = System.nanoTime();
        Awaitility.await().atMost(PATIENCE).until(() -> System.nanoTime() - begun > time.toNanos());
    }
}
