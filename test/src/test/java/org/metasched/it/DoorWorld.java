package org.metasched.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.choice.Preference;
import org.metasched.client.AgreementView;
import org.metasched.client.OfferWriter.Part;

/**
 * Simulated sites of a server, and which of their nodes are taken when, as the answers of the server name them. Says by plain loops when
 * a site is free. Times are in seconds since the epoch. Not thread-safe.
 */
final class DoorWorld {

    private final Map<String, Site> sites = new LinkedHashMap<>();

    /** Nodes that are taken from a start up to an end. */
    record Taken(long start, long end, BitSet nodes) {}

    /**
     * One site.
     *
     * @param speed an attribute of its ad, as are {@code cost} of a node for an hour, and {@code region}; without a region
     *     the ad has none of them
     */
    record Site(String name, int nodes, int speed, int cost, String region, List<Taken> taken) {

        Site(String name, int nodes, int speed, int cost, String region) {
            this(name, nodes, speed, cost, region, new ArrayList<>());
        }

        /** How many nodes are free throughout. */
        int free(long start, long end) {
            var free = new BitSet();
            free.set(0, nodes);
            taken.stream().filter(one -> one.start < end && start < one.end).forEach(one -> free.andNot(one.nodes));
            return free.cardinality();
        }

        /** The starts in {@code [from, last]} at which so many nodes are free for so long: first and last ones of intervals. */
        List<long[]> starts(int wanted, long duration, long from, long last) {
            var changes = new TreeSet<Long>(List.of(from, last + 1));
            taken.forEach(one -> changes.addAll(List.of(one.end, one.start - duration + 1)));
            var inside = List.copyOf(changes.subSet(from, last + 2));
            var starts = new ArrayList<long[]>();
            for (int i = 0; i + 1 < inside.size(); i++) {
                if (free(inside.get(i), inside.get(i) + duration) >= wanted) {
                    starts.add(new long[] {inside.get(i), inside.get(i + 1) - 1});
                }
            }
            return starts;
        }

        String line() {
            String more = region.isEmpty()
                    ? ""
                    : ", publish: {max-matches: 10, every: 1m, attributes: {Speed: %d, Cost: %d, Region: %s}}"
                            .formatted(speed, cost, region);
            return "  - {site: %s, scheduler: {type: simulated, nodes: %d}%s}".formatted(name, nodes, more);
        }
    }

    void add(Site site) {
        sites.put(site.name, site);
    }

    List<Site> sites() {
        return List.copyOf(sites.values());
    }

    Site site(String name) {
        return sites.get(name);
    }

    Path configuration(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("server.yaml"),
                "port: 0\ndata: " + folder.resolve("data") + "\nsites:\n"
                        + sites.values().stream().map(Site::line).collect(Collectors.joining("\n")) + "\n");
    }

    /** Takes what an agreement holds. @throws IllegalStateException when a node of it is taken already, or the number is wrong */
    void take(AgreementView agreement) {
        for (var part : agreement.sites()) {
            var site = sites.get(part.site());
            var nodes = new BitSet();
            part.nodeNames().forEach(name -> nodes.set(Integer.parseInt(name.substring(site.name.length() + 1)) - 1));
            var one = new Taken(part.start().getEpochSecond(), part.end().getEpochSecond(), nodes);
            boolean twice = site.taken.stream()
                    .anyMatch(other ->
                            other.start < one.end && one.start < other.end && other.nodes.intersects(one.nodes));
            if (twice || nodes.cardinality() != part.amount()) {
                throw new IllegalStateException("Site " + site.name + " holds " + part + " beside " + site.taken);
            }
            site.taken.add(one);
        }
    }

    /**
     * The first start at which parts can be served at different sites, by counting: for each part, as many sites are free for it as there
     * are parts that want no less. A site that has room for more has room for less, so that this is enough.
     */
    OptionalLong earliest(List<Integer> needs, Predicate<Site> suits, long duration, long from, long last) {
        var kinds = needs.stream().distinct().toList();
        var changes = new TreeMap<Long, int[]>();
        for (var site : sites.values()) {
            for (int k = 0; k < kinds.size() && suits.test(site); k++) {
                for (long[] starts : site.starts(kinds.get(k), duration, from, last)) {
                    changes.computeIfAbsent(starts[0], t -> new int[needs.size()])[k]++;
                    changes.computeIfAbsent(starts[1] + 1, t -> new int[needs.size()])[k]--;
                }
            }
        }
        int[] free = new int[needs.size()];
        for (var change : changes.entrySet()) {
            Arrays.setAll(free, k -> free[k] + change.getValue()[k]);
            if (IntStream.range(0, kinds.size())
                    .allMatch(k -> free[k]
                            >= needs.stream()
                                    .filter(need -> need >= kinds.get(k))
                                    .count())) {
                return OptionalLong.of(change.getKey());
            }
        }
        return OptionalLong.empty();
    }

    /** Takes all that is free of all sites from an instant on, for one to thirty minutes, several sites in an offer. */
    void cover(ServerDoor door, Random random, int together, Instant start) throws Exception {
        var names = new ArrayList<>(sites.keySet());
        Collections.shuffle(names, random);
        for (int i = 0; i < names.size(); i += together) {
            hold(
                    door,
                    names.subList(i, Math.min(names.size(), i + together)),
                    start,
                    Duration.ofSeconds(60 + random.nextInt(1740)),
                    Site::free);
        }
    }

    /**
     * Fills the sites by offers that name them, several sites in an offer: so often each of those that have room, a random share of its
     * nodes, or all of them, at a random time from a first one on.
     */
    void fill(ServerDoor door, Random random, int together, int times, Instant from, Duration span) throws Exception {
        var names = new ArrayList<>(sites.keySet());
        for (int time = 0; time < times; time++) {
            Collections.shuffle(names, random);
            for (int i = 0; i < names.size(); i += together) {
                hold(
                        door,
                        names.subList(i, Math.min(names.size(), i + together)),
                        from.plusSeconds(60L * random.nextInt((int) span.toMinutes())),
                        Duration.ofMinutes(15L * (1 + random.nextInt(12))),
                        (site, start, end) -> random.nextBoolean() ? site.nodes : 1 + random.nextInt(site.nodes));
            }
        }
    }

    /** How many nodes of a site are to be held from a start up to an end. */
    private interface Share {
        int of(Site site, long start, long end);
    }

    private void hold(ServerDoor door, List<String> names, Instant start, Duration duration, Share share)
            throws Exception {
        var end = start.plus(duration);
        var parts = new ArrayList<Part>();
        for (var name : names) {
            var site = sites.get(name);
            int nodes = share.of(site, start.getEpochSecond(), end.getEpochSecond());
            if (nodes > 0 && site.free(start.getEpochSecond(), end.getEpochSecond()) >= nodes) {
                parts.add(ServerDoor.named(name, nodes));
            }
        }
        if (!parts.isEmpty()) {
            var offer = new ServerDoor.Offer(parts, duration, start, Optional.of(end), Preference.START);
            take(door.view(door.rest(offer)));
        }
    }
}
