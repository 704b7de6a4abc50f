package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.slots.ComputeNode;

/**
 * The plan of a PBS site, made of {@link PbsRecords}. What is busy is worked out for each virtual node, and then added up for each
 * node of a request: a host, or with {@code place: vscatter} a virtual node.
 */
final class PbsPlan {

    /** Cores of a virtual node that are taken for a time. */
    private record Busy(int cores, TimeSlot slot) {}

    private final PbsRecords records;
    private final PbsSettings settings;
    private final Instant now;
    private final Map<String, PbsOutput.Vnode> working = new LinkedHashMap<>();
    private final Map<String, List<Busy>> busy = new TreeMap<>();

    private PbsPlan(PbsRecords records, PbsSettings settings, Instant now) {
        this.records = records;
        this.settings = settings;
        this.now = now;
        records.vnodes().stream()
                .filter(vnode -> vnode.cores() > 0 && PbsRecords.works(vnode) && vnode.forReservations())
                .forEach(vnode -> working.put(vnode.name(), vnode));
    }

    /** @param until how far standing reservations are followed */
    static SitePlan of(PbsRecords records, PbsSettings settings, CommandLineSite site, Instant until) {
        Instant now = site.clock().instant();
        var plan = new PbsPlan(records, settings, now);
        records.jobs().forEach(plan::addJob);
        plan.addJobsOnNodes();
        records.reservations().forEach(resv -> plan.addReservation(resv, until));
        return plan.build(SitePlan.builder(site.preview(), RULES, site.times(), now));
    }

    /** Rules of a plan without margins: cores that are taken of a node are computed here, so a node counts by its cores. */
    private static final SitePlan.Rules RULES = new SitePlan.Rules(Duration.ZERO, Duration.ZERO, Duration.ZERO, false);

    private void addJob(PbsJob job) {
        if (PbsRecords.isPlaced(job) && !job.inReservation()) {
            take(job.shares(), job.place(), until(job.latestEnd().orElse(SitePlan.NEVER)));
        }
    }

    /** A slot from the beginning of time: work that runs now, or should have ended by now, is busy. */
    private TimeSlot until(Instant end) {
        return new TimeSlot(Instant.EPOCH, end.isBefore(now) ? now : end);
    }

    /**
     * Jobs that the listing does not have, but a node does: those of an array end their limit after they were first seen; of
     * the end of one that may not be seen is unknown.
     */
    private void addJobsOnNodes() {
        for (PbsOutput.Vnode vnode : working.values()) {
            for (String id : vnode.jobs()) {
                if (records.unlisted().contains(id)) {
                    Optional<PbsJob> array = records.arrayOf(id);
                    if (array.isEmpty()) {
                        close(vnode, until(SitePlan.NEVER));
                    } else if (!array.get().inReservation()) {
                        addOfArray(vnode, id, array.get());
                    }
                }
            }
        }
    }

    private void addOfArray(PbsOutput.Vnode vnode, String id, PbsJob array) {
        Instant end = array.limit()
                .map(records.firstSeen().getOrDefault(id, now)::plus)
                .orElse(SitePlan.NEVER);
        take(List.of(new Share(vnode.name(), Math.min(vnode.cores(), array.cores()))), array.place(), until(end));
    }

    /** PBS shows where the next occurrence of a standing reservation is; the later ones are taken to be there too. */
    private void addReservation(PbsOutput.Resv resv, Instant until) {
        List<TimeSlot> slots = resv.again()
                .filter(rule -> resv.slot().start().isAfter(Instant.EPOCH))
                .map(rule -> rule.from(resv.slot(), until))
                .orElse(List.of(resv.slot()));
        for (TimeSlot slot : slots) {
            if (resv.odd().isPresent()) {
                working.values().stream()
                        .filter(vnode -> vnode.reservations().contains(resv.id()))
                        .forEach(vnode -> close(vnode, slot));
            } else {
                take(resv.shares(), resv.place(), slot);
            }
        }
    }

    private void take(List<Share> shares, String place, TimeSlot slot) {
        var closedHosts = new HashSet<String>();
        for (Share share : shares) {
            PbsOutput.Vnode vnode = working.get(share.node());
            if (vnode == null) {
                continue;
            }
            if (takesHost(vnode, place)) {
                closedHosts.add(vnode.host());
            } else if (settings.exclusive() || takesVnode(vnode, place)) {
                close(vnode, slot);
            } else {
                add(vnode, new Busy(share.cores(), slot));
            }
        }
        if (!closedHosts.isEmpty()) {
            working.values().stream()
                    .filter(vnode -> closedHosts.contains(vnode.host()))
                    .forEach(vnode -> close(vnode, slot));
        }
    }

    private void close(PbsOutput.Vnode vnode, TimeSlot slot) {
        add(vnode, new Busy(vnode.cores(), slot));
    }

    private void add(PbsOutput.Vnode vnode, Busy part) {
        if (part.slot().end().isAfter(now)) {
            busy.computeIfAbsent(vnode.name(), name -> new ArrayList<>()).add(part);
        }
    }

    private static boolean takesHost(PbsOutput.Vnode vnode, String place) {
        return vnode.sharing().equals("force_exclhost")
                || place.contains("exclhost")
                || (vnode.sharing().equals("default_exclhost") && !place.contains("shared"));
    }

    private static boolean takesVnode(PbsOutput.Vnode vnode, String place) {
        String sharing = vnode.sharing();
        return sharing.equals("force_excl")
                || (!sharing.equals("ignore_excl") && place.contains("excl"))
                || (sharing.equals("default_excl") && !place.contains("shared"));
    }

    private SitePlan build(SitePlan.Builder plan) {
        var cores = new LinkedHashMap<String, Integer>();
        var properties = new HashMap<String, Set<String>>();
        for (PbsOutput.Vnode vnode : working.values()) {
            String node = settings.nodeOf(vnode);
            cores.merge(node, vnode.cores(), Integer::sum);
            properties
                    .computeIfAbsent(node, name -> new TreeSet<>(vnode.properties()))
                    .retainAll(vnode.properties());
        }
        cores.forEach(
                (node, count) -> plan.node(new ComputeNode(node, count, properties.getOrDefault(node, Set.of()))));
        busy.forEach((name, parts) -> {
            PbsOutput.Vnode vnode = working.get(name);
            if (vnode != null) {
                for (Busy part : withoutOverlap(vnode.cores(), parts)) {
                    plan.reservation(List.of(new Share(settings.nodeOf(vnode), part.cores())), part.slot());
                }
            }
        });
        return plan.build();
    }

    /** A virtual node that is closed twice over is closed once: only then may its cores be added to those of its host. */
    private static List<Busy> withoutOverlap(int cores, List<Busy> parts) {
        var result = new ArrayList<Busy>();
        Optional<TimeSlot> open = Optional.empty();
        for (TimeSlot slot : parts.stream()
                .filter(part -> part.cores() >= cores)
                .map(Busy::slot)
                .sorted(Comparator.comparing(TimeSlot::start))
                .toList()) {
            if (open.isPresent() && !slot.start().isAfter(open.get().end())) {
                Instant end = slot.end().isAfter(open.get().end())
                        ? slot.end()
                        : open.get().end();
                open = Optional.of(new TimeSlot(open.get().start(), end));
            } else {
                open.ifPresent(closed -> result.add(new Busy(cores, closed)));
                open = Optional.of(slot);
            }
        }
        open.ifPresent(closed -> result.add(new Busy(cores, closed)));
        parts.stream().filter(part -> part.cores() < cores).forEach(result::add);
        return result;
    }
}
