package org.metasched.adapter.slurm;

import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** A made-up site of Slurm: what is true there, before it is printed. The same seed makes the same site. */
record SlurmWorld(Instant now, ZoneId zone, List<Node> nodes, List<Job> jobs, List<Resv> reservations) {

    /**
     * A state of a node: what {@code sinfo} prints, the words of slurmrestd, and whether it serves.
     *
     * @param word with the signs behind it
     */
    record State(String word, List<String> json, boolean serves) {

        static State of(String word, boolean serves, String... json) {
            return new State(word, Arrays.asList(json), serves);
        }
    }

    record Node(String name, int cores, Set<String> features, State state) {}

    /** A job. One that waits has no nodes. */
    record Job(int id, String state, Optional<Instant> end, List<String> nodes) {

        boolean waits() {
            return state.equals("PENDING");
        }
    }

    /**
     * A reservation.
     *
     * @param wanted how many nodes it was made with
     * @param flags such as DAILY; none that repeats only some days
     * @param odd whether one of its fields is printed as nobody understands it
     */
    record Resv(
            String name, Instant start, Instant end, List<String> nodes, int wanted, List<String> flags, boolean odd) {

        Optional<TemporalAmount> period() {
            return flags.contains("HOURLY")
                    ? Optional.of(Duration.ofHours(1))
                    : flags.contains("DAILY")
                            ? Optional.of(Period.ofDays(1))
                            : flags.contains("WEEKLY") ? Optional.of(Period.ofDays(7)) : Optional.empty();
        }
    }

    private static final List<State> SERVING = List.of(
            State.of("idle", true, "IDLE"),
            State.of("idle", true, "IDLE"),
            State.of("allocated", true, "ALLOCATED"),
            State.of("mixed", true, "MIXED"),
            State.of("reserved", true, "IDLE", "RESERVED"),
            State.of("planned", true, "IDLE", "PLANNED"),
            State.of("completing", true, "ALLOCATED", "COMPLETING"),
            State.of("allocated+", true, "ALLOCATED", "COMPLETING"),
            State.of("idle~", true, "IDLE", "POWERED_DOWN"),
            State.of("allocated#", true, "ALLOCATED", "POWERING_UP"),
            State.of("maint", true, "IDLE", "MAINTENANCE"));
    private static final List<State> SILENT = List.of(
            State.of("down", false, "DOWN"),
            State.of("down*", false, "DOWN", "NOT_RESPONDING"),
            State.of("idle*", false, "IDLE", "NOT_RESPONDING"),
            State.of("drained", false, "IDLE", "DRAIN"),
            State.of("drained*", false, "IDLE", "DRAIN", "NOT_RESPONDING"),
            State.of("draining", false, "ALLOCATED", "DRAIN"),
            State.of("draining@", false, "MIXED", "DRAIN", "REBOOT_REQUESTED"),
            State.of("fail", false, "IDLE", "FAIL"),
            State.of("failing", false, "ALLOCATED", "FAIL"),
            State.of("blocked", false, "IDLE", "BLOCKED"),
            State.of("inval", false, "IDLE", "INVALID_REG"),
            State.of("unknown", false, "UNKNOWN"));
    private static final List<String> FLAGS = List.of(
            "",
            "",
            "",
            "",
            "SPEC_NODES",
            "SPEC_NODES",
            "DAILY",
            "DAILY",
            "DAILY,SPEC_NODES",
            "HOURLY",
            "WEEKLY,SPEC_NODES",
            "TIME_FLOAT",
            "MAINT,IGNORE_JOBS,SPEC_NODES",
            "FLEX",
            "OVERLAP,IGNORE_JOBS");

    private static final List<ZoneId> ZONES = List.of(
            ZoneId.of("UTC"),
            ZoneId.of("Europe/Berlin"),
            ZoneId.of("America/St_Johns"),
            ZoneId.of("Australia/Lord_Howe"));

    static SlurmWorld of(long seed) {
        var random = new Random(seed * 104_729 + 7);
        ZoneId zone = one(random, ZONES);
        Instant now = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(random.nextInt(365 * 86_400));
        if (zone.getRules().nextTransition(now) != null && random.nextBoolean()) {
            // a change of summer time lies within the look-ahead
            now = zone.getRules().nextTransition(now).getInstant().minusSeconds(random.nextInt(6 * 86_400));
        }
        var nodes = new ArrayList<Node>();
        int count = 3 + random.nextInt(9);
        for (int n = 1; n <= count; n++) {
            nodes.add(new Node(
                    random.nextInt(10) < 9 ? "s" + n : "big" + n,
                    random.nextInt(12) == 0 ? 0 : 1 << random.nextInt(4),
                    Set.of(random.nextInt(5) < 3 ? "fast" : "slow", "ib"),
                    one(random, random.nextInt(6) == 0 ? SILENT : SERVING)));
        }
        var jobs = new ArrayList<Job>();
        for (int n = random.nextInt(6); n > 0; n--) {
            jobs.add(job(random, n, now, nodes));
        }
        var reservations = new ArrayList<Resv>();
        for (int n = random.nextInt(6); n > 0; n--) {
            reservations.add(reservation(random, n, now, nodes));
        }
        return new SlurmWorld(now, zone, nodes, jobs, reservations);
    }

    private static Job job(Random random, int number, Instant now, List<Node> nodes) {
        if (random.nextInt(4) == 0) {
            return new Job(number, "PENDING", Optional.of(now.plusSeconds(31_000_000)), List.of());
        }
        Optional<Instant> end = random.nextInt(10) == 0
                ? Optional.empty()
                : Optional.of(now.plusSeconds(random.nextInt(8) == 0 ? -40 : random.nextInt(20_000)));
        String state = one(random, List.of("RUNNING", "RUNNING", "RUNNING", "COMPLETING", "SUSPENDED", "CONFIGURING"));
        return new Job(number, state, end, some(random, nodes));
    }

    private static Resv reservation(Random random, int number, Instant now, List<Node> nodes) {
        int length = 300 + random.nextInt(3_000);
        int offset = random.nextInt(3) == 0 ? -random.nextInt(length) + 1 : 60 + random.nextInt(200_000);
        Instant start = now.plusSeconds(offset);
        boolean licence = random.nextInt(10) == 0;
        List<String> flags = List.of((licence ? "ANY_NODES" : one(random, FLAGS)).split(","));
        List<String> names = licence ? List.of() : some(random, nodes);
        int lost = random.nextInt(5) == 0 && !licence ? 1 + random.nextInt(2) : 0;
        String name = random.nextBoolean() ? "metasched-k" + number : "of_others_" + number;
        Instant end = random.nextInt(12) == 0 && flags.contains("")
                ? start.plus(Duration.ofDays(365))
                : start.plusSeconds(length);
        return new Resv(name, start, end, names, names.size() + lost, flags, random.nextInt(12) == 0);
    }

    /** Some nodes in the order of their listing, now and then one of another partition. */
    private static List<String> some(Random random, List<Node> nodes) {
        var names = new TreeSet<Integer>();
        for (int n = 1 + random.nextInt(Math.min(4, nodes.size())); n > 0; n--) {
            names.add(random.nextInt(nodes.size()));
        }
        var some = new ArrayList<String>();
        names.forEach(n -> some.add(nodes.get(n).name()));
        some.sort(Comparator.comparing(name -> name.startsWith("big")));
        if (random.nextInt(10) == 0) {
            some.add("t1");
        }
        return some;
    }

    private static <T> T one(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
