package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.pbs.PbsWorld.Job;
import org.metasched.adapter.pbs.PbsWorld.Piece;
import org.metasched.adapter.pbs.PbsWorld.Resv;
import org.metasched.adapter.pbs.PbsWorld.Vnode;

/**
 * What a made-up site grants, from the rules of PBS's scheduler, as plainly as they can be said: each start is tried, each virtual
 * node looked at for itself.
 *
 * @param perVnode whether a node of a request is a virtual node, not a host
 * @param exclusive whether reservations get their nodes for themselves
 */
record PbsPlainModel(PbsWorld world, boolean perVnode, boolean exclusive) {

    static final Duration LOOK_AHEAD = Duration.ofDays(7);
    private static final Instant EVER = Instant.parse("2100-01-01T00:00:00Z");

    /** Cores of a virtual node that are taken; all of them when it is closed. */
    private record Taking(Vnode vnode, int cores, TimeSlot slot) {}

    String nodeOf(Vnode vnode) {
        return perVnode ? vnode.name() : vnode.host();
    }

    /** The nodes with virtual nodes that can be reserved. */
    private Map<String, List<Vnode>> nodes() {
        var nodes = new LinkedHashMap<String, List<Vnode>>();
        world.vnodes().stream()
                .filter(Vnode::usable)
                .forEach(vnode -> nodes.computeIfAbsent(nodeOf(vnode), name -> new ArrayList<>())
                        .add(vnode));
        return nodes;
    }

    private List<Taking> takings() {
        var all = new ArrayList<Taking>();
        for (Job job : world.jobs()) {
            if (job.placed() && job.inside().isEmpty()) {
                Instant end = job.limit().map(job.start()::plus).orElse(EVER);
                job.chunks()
                        .forEach(chunk -> chunk.forEach(piece -> take(all, piece, job.place(), untilAtLeastNow(end))));
            }
        }
        for (PbsWorld.ArrayJob array : world.arrays()) {
            Instant end = array.limit().map(world.now()::plus).orElse(EVER);
            for (Piece task : array.running()) {
                take(all, new Piece(task.vnode(), array.cores()), array.place(), untilAtLeastNow(end));
            }
        }
        for (PbsWorld.Hidden job : world.hidden()) {
            world.vnode(job.vnode()).ifPresent(vnode -> close(all, vnode, untilAtLeastNow(EVER)));
        }
        world.reservations().stream().filter(Resv::holds).forEach(resv -> take(all, resv));
        return all;
    }

    private void take(List<Taking> into, Resv resv) {
        for (TimeSlot slot : resv.occurrences()) {
            for (Piece piece : resv.chunks().stream().flatMap(List::stream).toList()) {
                if (resv.freed()) {
                    world.vnode(piece.vnode()).ifPresent(vnode -> close(into, vnode, slot));
                } else {
                    take(into, piece, resv.place(), slot);
                }
            }
        }
    }

    private void take(List<Taking> into, Piece piece, String place, TimeSlot slot) {
        Optional<Vnode> found = world.vnode(piece.vnode());
        if (found.isEmpty()) {
            return;
        }
        Vnode vnode = found.get();
        String ours = exclusive ? "scatter:excl" : "scatter";
        if (needsHost(place, vnode.sharing()) || needsHost(ours, vnode.sharing())) {
            world.vnodes().stream()
                    .filter(other -> other.host().equals(vnode.host()))
                    .forEach(other -> close(into, other, slot));
        } else if (needsVnode(place, vnode.sharing()) || needsVnode(ours, vnode.sharing()) || exclusive) {
            close(into, vnode, slot);
        } else {
            into.add(new Taking(vnode, piece.cores(), slot));
        }
    }

    private static void close(List<Taking> into, Vnode vnode, TimeSlot slot) {
        into.add(new Taking(vnode, vnode.cores(), slot));
    }

    private TimeSlot untilAtLeastNow(Instant end) {
        Instant soon = world.now().plusSeconds(1);
        return new TimeSlot(Instant.EPOCH, end.isBefore(soon) ? soon : end);
    }

    /** What the word after the first colon of {@code place} asks for beats the default of the virtual node, not its force. */
    private static boolean needsHost(String place, String sharing) {
        Set<String> words = Set.of(place.split(":"));
        return switch (sharing) {
            case "force_exclhost" -> true;
            case "default_exclhost" -> !words.contains("excl") && !words.contains("shared");
            default -> words.contains("exclhost");
        };
    }

    private static boolean needsVnode(String place, String sharing) {
        Set<String> words = Set.of(place.split(":"));
        return switch (sharing) {
            case "force_excl", "force_exclhost" -> true;
            case "ignore_excl" -> false;
            case "default_excl", "default_exclhost" -> !words.contains("shared");
            default -> words.contains("excl");
        };
    }

    /** A request keeps its share of each virtual node: what is free of each throughout counts. */
    private int nodesFree(List<Taking> takings, int cores, Set<String> properties, TimeSlot slot) {
        int count = 0;
        for (List<Vnode> node : nodes().values()) {
            boolean suits = node.stream().allMatch(vnode -> vnode.properties().containsAll(properties));
            int free = node.stream()
                    .mapToInt(vnode -> leastFree(takings, vnode, slot))
                    .sum();
            count += suits && free >= cores ? 1 : 0;
        }
        return count;
    }

    private static int leastFree(List<Taking> takings, Vnode vnode, TimeSlot slot) {
        var those = takings.stream()
                .filter(taking -> taking.vnode().equals(vnode) && taking.slot().overlaps(slot))
                .toList();
        int most = Stream.concat(
                        Stream.of(slot.start()),
                        those.stream()
                                .map(taking -> taking.slot().start())
                                .filter(start -> start.isAfter(slot.start())))
                .mapToInt(instant -> those.stream()
                        .filter(taking -> !taking.slot().start().isAfter(instant)
                                && taking.slot().end().isAfter(instant))
                        .mapToInt(Taking::cores)
                        .sum())
                .max()
                .orElse(0);
        return Math.max(0, vnode.cores() - most);
    }

    boolean fits(int count, int cores, Set<String> properties, TimeSlot slot) {
        return nodesFree(takings(), cores, properties, slot) >= count;
    }

    /** Capacity comes back only where something ends: the first of those instants at which the request fits. */
    Optional<Instant> earliest(int count, int cores, Set<String> properties, Duration length, Instant from) {
        List<Taking> takings = takings();
        var starts = new TreeSet<Instant>(Set.of(from));
        takings.forEach(taking -> starts.add(taking.slot().end()));
        return starts.stream()
                .filter(start ->
                        !start.isBefore(from) && !start.isAfter(world.now().plus(LOOK_AHEAD)))
                .filter(start -> nodesFree(takings, cores, properties, TimeSlot.of(start, length)) >= count)
                .findFirst();
    }

    int nodesInAll() {
        var names = new LinkedHashSet<String>();
        world.vnodes().stream().filter(vnode -> vnode.cores() > 0).forEach(vnode -> names.add(nodeOf(vnode)));
        return names.size();
    }

    int nodesFreeNow() {
        var slot = TimeSlot.of(world.now(), Duration.ofSeconds(1));
        List<Taking> takings = takings();
        return (int) nodes().values().stream()
                .filter(node -> node.stream().allMatch(vnode -> leastFree(takings, vnode, slot) == vnode.cores()))
                .count();
    }

    /** Names of the nodes of a reservation, and the cores of each, in the order in which it has them. */
    Map<String, Integer> granted(Resv resv) {
        var granted = new LinkedHashMap<String, Integer>();
        resv.chunks().stream()
                .flatMap(List::stream)
                .forEach(piece -> granted.merge(
                        world.vnode(piece.vnode()).map(this::nodeOf).orElse(piece.vnode()),
                        piece.cores(),
                        Integer::sum));
        return granted;
    }

    /** The nodes that it lost: those with a virtual node that is out of service or gone. */
    Set<String> lost(Resv resv) {
        var lost = new TreeSet<String>();
        for (Piece piece : resv.chunks().stream().flatMap(List::stream).toList()) {
            Optional<Vnode> vnode = world.vnode(piece.vnode());
            if (vnode.isEmpty() || !vnode.get().works()) {
                lost.add(vnode.map(this::nodeOf).orElse(piece.vnode()));
            }
        }
        return lost;
    }
}
