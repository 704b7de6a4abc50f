package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.pbs.PbsWorld.ArrayJob;
import org.metasched.adapter.pbs.PbsWorld.Hidden;
import org.metasched.adapter.pbs.PbsWorld.Job;
import org.metasched.adapter.pbs.PbsWorld.Piece;
import org.metasched.adapter.pbs.PbsWorld.Resv;
import org.metasched.adapter.pbs.PbsWorld.Vnode;

/** Makes sites up: the same seed makes the same site. Work may overlap, as it does after a failure or beside maintenance. */
final class PbsWorlds {

    private static final List<String> SHARING = List.of(
            "default_shared",
            "default_shared",
            "default_shared",
            "default_shared",
            "default_shared",
            "default_shared",
            "default_excl",
            "force_excl",
            "default_exclhost",
            "force_exclhost",
            "ignore_excl");
    private static final List<String> DEAD = List.of(
            "offline",
            "down",
            "state-unknown,down",
            "Stale",
            "offline,job-busy",
            "down,offline",
            "provisioning",
            "maintenance",
            "wait-provisioning",
            "unresolvable");
    private static final List<String> LIVE =
            List.of("free", "free", "job-busy", "job-exclusive", "resv-exclusive", "busy");
    private static final List<String> PLACES = List.of(
            "free",
            "free",
            "scatter",
            "scatter",
            "pack",
            "vscatter",
            "free:shared",
            "scatter:shared",
            "excl",
            "scatter:excl",
            "vscatter:excl",
            "exclhost",
            "scatter:exclhost");
    private static final List<ZoneId> ZONES =
            List.of(ZoneId.of("UTC"), ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"), ZoneId.of("America/New_York"));
    private static final DateTimeFormatter UNTIL =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final List<String> DAYS = List.of("MO", "TU", "WE", "TH", "FR", "SA", "SU");

    private final Random random;
    private final ZoneId zone;
    private final Instant now;
    private final List<Vnode> vnodes = new ArrayList<>();
    private final List<Resv> reservations = new ArrayList<>();
    private int number = 10;

    private PbsWorlds(long seed) {
        random = new Random(seed * 7919 + 13);
        zone = one(ZONES);
        now = quietInstant();
    }

    static PbsWorld of(long seed) {
        return new PbsWorlds(seed).world();
    }

    private PbsWorld world() {
        addVnodes();
        for (int n = random.nextInt(6); n > 0; n--) {
            reservations.add(reservation());
        }
        var jobs = new ArrayList<Job>();
        for (int n = random.nextInt(6); n > 0; n--) {
            jobs.add(job());
        }
        var arrays = new ArrayList<ArrayJob>();
        if (odds(25)) {
            arrays.add(array());
        }
        var hidden = new ArrayList<Hidden>();
        if (odds(12)) {
            hidden.add(new Hidden(number++ + "." + PbsWorld.SERVER, one(vnodes).name()));
        }
        vnodes.add(new Vnode(PbsWorld.SERVER, PbsWorld.SERVER, 0, "free", "default_shared", true, false, Set.of()));
        return new PbsWorld(now, zone, vnodes, jobs, arrays, hidden, reservations);
    }

    /** An instant with no change of the clocks in the weeks around it: the hour that comes twice has tests of its own. */
    private Instant quietInstant() {
        Instant instant;
        do {
            instant = Instant.parse("2026-01-20T00:00:00Z").plusSeconds(random.nextInt(340 * 86_400));
        } while (!zone.getRules()
                .getOffset(instant.minus(Duration.ofDays(3)))
                .equals(zone.getRules().getOffset(instant.plus(Duration.ofDays(21)))));
        return instant;
    }

    private void addVnodes() {
        int hosts = 2 + random.nextInt(4);
        for (int h = 0; h < hosts; h++) {
            int parts = odds(50) ? 1 : 2 + random.nextInt(3);
            String sharing = one(SHARING);
            int cores = 1 + random.nextInt(8);
            Set<String> properties = odds(40) ? Set.of("bigmem") : Set.of();
            for (int p = 0; p < parts; p++) {
                String host = (parts == 1 ? "n" : "h") + h;
                boolean offered = !odds(6);
                vnodes.add(new Vnode(
                        parts == 1 ? host : host + "[" + p + "]",
                        host,
                        odds(10) ? 1 + random.nextInt(8) : cores,
                        odds(10) ? one(DEAD) : one(LIVE),
                        sharing,
                        offered,
                        !offered && odds(50),
                        odds(10) ? Set.of() : properties));
            }
        }
    }

    private Job job() {
        String id = number++ + "." + PbsWorld.SERVER;
        if (odds(25)) {
            return new Job(id, one(List.of("Q", "H", "W")), "free", List.of(), now, limit(), Optional.empty());
        }
        var running = reservations.stream()
                .filter(resv -> resv.state().equals("RESV_RUNNING") && !resv.freed())
                .toList();
        if (!running.isEmpty() && odds(50)) {
            Resv resv = one(running);
            return new Job(id, "R", resv.place(), List.of(resv.chunks().get(0)), now, limit(), Optional.of(resv.id()));
        }
        return new Job(
                id,
                one(List.of("R", "R", "R", "R", "E", "S")),
                one(PLACES),
                chunks(),
                now.minusSeconds(random.nextInt(7_200)),
                limit(),
                Optional.empty());
    }

    private Optional<Duration> limit() {
        return odds(12)
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(60 + random.nextInt(odds(10) ? 200_000 : 14_400)));
    }

    private ArrayJob array() {
        var running = new ArrayList<Piece>();
        for (int n = random.nextInt(4); n > 0; n--) {
            running.add(new Piece(one(vnodes).name(), 1));
        }
        String place = one(List.of("free", "free", "free:excl", "exclhost"));
        return new ArrayJob(number++, place, 1 + random.nextInt(2), limit(), running, Optional.empty());
    }

    /** One to three chunks, each on one or two virtual nodes of a host. */
    private List<List<Piece>> chunks() {
        var chunks = new ArrayList<List<Piece>>();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            Vnode first = one(vnodes);
            var pieces = new ArrayList<Piece>(List.of(new Piece(first.name(), 1 + random.nextInt(first.cores()))));
            if (odds(30)) {
                vnodes.stream()
                        .filter(other -> other.host().equals(first.host()) && !other.equals(first))
                        .findAny()
                        .ifPresent(other -> pieces.add(new Piece(other.name(), 1 + random.nextInt(other.cores()))));
            }
            chunks.add(pieces);
        }
        return chunks;
    }

    private Resv reservation() {
        String state = one(List.of(
                "RESV_CONFIRMED",
                "RESV_CONFIRMED",
                "RESV_CONFIRMED",
                "RESV_RUNNING",
                "RESV_RUNNING",
                "RESV_DEGRADED",
                "RESV_BEING_ALTERED",
                "RESV_BEING_DELETED",
                "RESV_UNCONFIRMED"));
        boolean begun = state.equals("RESV_RUNNING") || state.equals("RESV_BEING_DELETED");
        Duration length = Duration.ofSeconds(120 + random.nextInt(3_400));
        Instant start = begun
                ? now.minusSeconds(1 + random.nextInt((int) length.toSeconds() - 1))
                : now.plusSeconds(30 + random.nextInt(odds(50) ? 7_200 : 400_000));
        var slot = TimeSlot.of(start, length);
        boolean standing = odds(25);
        ZoneId ruleZone = one(ZONES);
        var occurrences = new ArrayList<TimeSlot>(List.of(slot));
        Optional<String> rule = standing ? Optional.of(rule(slot, ruleZone, occurrences)) : Optional.empty();
        List<List<Piece>> chunks = state.equals("RESV_UNCONFIRMED") ? List.of() : one(List.of(chunks(), alike()));
        boolean ours = odds(50);
        String id = (standing ? "S" : "R") + number++ + "." + PbsWorld.SERVER;
        return new Resv(
                id,
                ours ? "metasched-mss_" + number : one(List.of("NULL", "daily")),
                state,
                select(chunks),
                one(PLACES),
                chunks,
                rule,
                ruleZone,
                occurrences,
                !chunks.isEmpty() && odds(8));
    }

    private List<List<Piece>> alike() {
        var chosen = new LinkedHashSet<Vnode>();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            chosen.add(one(vnodes));
        }
        int cores =
                1 + random.nextInt(chosen.stream().mapToInt(Vnode::cores).min().orElseThrow());
        return chosen.stream()
                .map(vnode -> List.of(new Piece(odds(4) ? "gone7" : vnode.name(), cores)))
                .toList();
    }

    private static String select(List<List<Piece>> chunks) {
        if (chunks.isEmpty()) {
            return "2:ncpus=3";
        }
        var sizes = chunks.stream()
                .map(chunk -> chunk.stream().mapToInt(Piece::cores).sum())
                .toList();
        return Set.copyOf(sizes).size() == 1
                ? sizes.size() + ":ncpus=" + sizes.get(0)
                : String.join("+", sizes.stream().map(size -> "1:ncpus=" + size).toList());
    }

    /** A rule of four kinds, and the occurrences after the first that it means. */
    private String rule(TimeSlot first, ZoneId ruleZone, List<TimeSlot> into) {
        int count = 2 + random.nextInt(5);
        int interval = 1 + random.nextInt(3);
        ZonedDateTime start = first.start().atZone(ruleZone);
        switch (random.nextInt(4)) {
            case 0 -> {
                for (int i = 1; i < count; i++) {
                    into.add(TimeSlot.of(first.start().plus(Duration.ofHours((long) i * interval)), first.length()));
                }
                return "FREQ=HOURLY;INTERVAL=" + interval + ";COUNT=" + count;
            }
            case 1 -> {
                for (int i = 1; i < count; i++) {
                    into.add(TimeSlot.of(start.plusDays(i).toInstant(), first.length()));
                }
                return "FREQ=DAILY;COUNT=" + count;
            }
            case 2 -> {
                Instant last = start.plusDays(interval).toInstant();
                for (int i = 1; i <= interval; i++) {
                    into.add(TimeSlot.of(start.plusDays(i).toInstant(), first.length()));
                }
                return "FREQ=DAILY;UNTIL=" + UNTIL.format(last);
            }
            default -> {
                var days = new TreeSet<String>(List.of(day(start), one(DAYS), one(DAYS)));
                for (int i = 1; into.size() < count; i++) {
                    if (days.contains(day(start.plusDays(i)))) {
                        into.add(TimeSlot.of(start.plusDays(i).toInstant(), first.length()));
                    }
                }
                return "FREQ=WEEKLY;BYDAY=" + String.join(",", days) + ";COUNT=" + count;
            }
        }
    }

    private static String day(ZonedDateTime date) {
        return DAYS.get(date.getDayOfWeek().getValue() - 1);
    }

    private boolean odds(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
