package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.slots.ComputeNode;

/**
 * The plan of a PBS site, made of {@link PbsRecords}. A node of a request is a host, with its virtual nodes as parts, or with
 * {@code place: vscatter} a virtual node.
 */
final class PbsPlan {

    /** Rules of a plan without margins, in which a node counts by its cores: a closed node has all of them taken. */
    private static final SitePlan.Rules RULES = new SitePlan.Rules(Duration.ZERO, Duration.ZERO, Duration.ZERO, false);

    private final PbsRecords records;
    private final PbsSettings settings;
    private final Instant now;
    private final List<PbsOutput.Vnode> working;
    private final SitePlan.Builder plan;

    private PbsPlan(PbsRecords records, PbsSettings settings, CommandLineSite site) {
        this.records = records;
        this.settings = settings;
        this.now = site.clock().instant();
        this.working = records.vnodes().stream()
                .filter(vnode -> vnode.cores() > 0 && PbsRecords.works(vnode) && vnode.forReservations())
                .toList();
        this.plan = SitePlan.builder(site.preview(), RULES, site.times(), now);
    }

    /** @param until end of the time in which occurrences of standing reservations are listed */
    static SitePlan of(PbsRecords records, PbsSettings settings, CommandLineSite site, Instant until) {
        var plan = new PbsPlan(records, settings, site);
        records.jobs().forEach(plan::addJob);
        plan.addJobsOnNodes();
        records.reservations().forEach(resv -> plan.addReservation(resv, until));
        return plan.build();
    }

    private void addJob(PbsJob job) {
        if (PbsRecords.isPlaced(job) && !job.inReservation()) {
            take(job.shares(), job.place(), until(job.latestEnd().orElse(SitePlan.NEVER)));
        }
    }

    /** A slot from the epoch to an end, which is at least a second from now: work that should have ended is still there. */
    private TimeSlot until(Instant end) {
        return new TimeSlot(Instant.EPOCH, TimeSlot.later(end, now.plusSeconds(1)));
    }

    /**
     * Adds jobs that a node names and the listing of jobs does not. A job of an array ends at the latest one limit after it was first seen.
     * The end of a job that the adapter's account may not see is unknown.
     */
    private void addJobsOnNodes() {
        for (PbsOutput.Vnode vnode : records.vnodes()) {
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

    /**
     * Adds a reservation. PBS shows the nodes of the next occurrence of a standing reservation; the later ones are assumed to have the
     * same.
     */
    private void addReservation(PbsOutput.Resv resv, Instant until) {
        List<TimeSlot> slots = resv.recurrence()
                .filter(rule -> resv.slot().start().isAfter(Instant.EPOCH))
                .map(rule -> rule.from(resv.slot(), until))
                .orElse(List.of(resv.slot()));
        for (TimeSlot slot : slots) {
            if (resv.odd().isPresent()) {
                working.stream()
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
            PbsOutput.Vnode vnode = records.byName().get(share.node());
            if (vnode == null) {
                continue;
            }
            if (takesHost(vnode, place)) {
                closedHosts.add(vnode.host());
            } else if (settings.exclusive() || takesVnode(vnode, place)) {
                close(vnode, slot);
            } else {
                add(share, slot);
            }
        }
        working.stream().filter(vnode -> closedHosts.contains(vnode.host())).forEach(vnode -> close(vnode, slot));
    }

    private void close(PbsOutput.Vnode vnode, TimeSlot slot) {
        add(new Share(vnode.name(), vnode.cores()), slot);
    }

    private void add(Share part, TimeSlot slot) {
        if (slot.end().isAfter(now)) {
            plan.reservation(List.of(part), slot);
        }
    }

    /** Whether work on the virtual node closes the whole host to our requests, which ask for {@code excl} or name no sharing. */
    private boolean takesHost(PbsOutput.Vnode vnode, String place) {
        boolean namesSharing = place.contains("shared") || place.contains("excl");
        return vnode.sharing().equals("force_exclhost")
                || place.contains("exclhost")
                || (vnode.sharing().equals("default_exclhost") && !(namesSharing && settings.exclusive()));
    }

    private static boolean takesVnode(PbsOutput.Vnode vnode, String place) {
        return vnode.sharing().startsWith("force_excl")
                || vnode.sharing().startsWith("default_excl")
                || (!vnode.sharing().equals("ignore_excl") && place.contains("excl"));
    }

    private SitePlan build() {
        var hosts = new LinkedHashMap<String, List<PbsOutput.Vnode>>();
        working.forEach(vnode -> hosts.computeIfAbsent(settings.nodeOf(vnode), name -> new ArrayList<>())
                .add(vnode));
        hosts.forEach((name, vnodes) -> {
            var cores = new TreeMap<String, Integer>();
            var properties = new TreeSet<>(vnodes.get(0).properties());
            for (PbsOutput.Vnode vnode : vnodes) {
                cores.put(vnode.name(), vnode.cores());
                properties.retainAll(vnode.properties());
            }
            int sum = cores.values().stream().mapToInt(Integer::intValue).sum();
            plan.node(new ComputeNode(name, sum, properties), cores);
        });
        return plan.build();
    }
}
