package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.slots.Node;

/** Puts a site plan together from what {@code pbsnodes}, {@code qstat} and {@code pbs_rstat} print. */
final class PbsPlan {

    private final List<PbsOutput.Vnode> vnodes;
    private final Map<String, PbsOutput.Vnode> byName = new HashMap<>();
    private final SitePlan.Builder plan;
    private final Instant now;

    private PbsPlan(List<PbsOutput.Vnode> vnodes, SitePlan.Builder plan, Instant now) {
        this.vnodes = vnodes;
        this.plan = plan;
        this.now = now;
        vnodes.forEach(vnode -> byName.put(vnode.name(), vnode));
    }

    /**
     * @param works whether a node can be reserved
     * @param placed the states of jobs that are on nodes
     */
    static SitePlan of(
            PbsCommands commands,
            CommandLineSite site,
            SitePlan.Rules rules,
            Predicate<PbsOutput.Vnode> works,
            Set<String> placed)
            throws LocalSchedulerException {
        List<PbsOutput.Job> jobs = commands.jobs();
        List<PbsOutput.Vnode> vnodes = commands.nodes();
        if (!unknownJobs(vnodes, jobs).isEmpty()) {
            // A job that began between the two looks is in the second one; one that may not be seen stays unknown.
            jobs = commands.jobs();
        }
        Instant now = site.clock().instant();
        var builder = SitePlan.builder(site.preview(), rules, site.times(), now);
        var made = new PbsPlan(vnodes, builder, now);
        made.addHosts(works);
        for (PbsOutput.Job job : jobs) {
            if (placed.contains(job.state()) && !job.inReservation()) {
                made.addJob(job);
            }
        }
        made.addUnknown(unknownJobs(vnodes, jobs));
        for (PbsOutput.Resv resv : commands.reservations()) {
            List<Share> shares = made.onHosts(resv.shares(), resv.place());
            for (TimeSlot slot : slots(resv, site.preview().endFrom(now).plus(Duration.ofDays(1)))) {
                builder.reservation(shares, slot);
            }
        }
        return builder.build();
    }

    /** PBS shows where the next occurrence of a standing reservation is; the later ones are taken to be there too. */
    private static List<TimeSlot> slots(PbsOutput.Resv resv, Instant until) {
        return resv.again().map(rule -> rule.from(resv.slot(), until)).orElse(List.of(resv.slot()));
    }

    private static Set<String> unknownJobs(List<PbsOutput.Vnode> vnodes, List<PbsOutput.Job> jobs) {
        var unknown = new HashSet<String>();
        vnodes.forEach(vnode -> unknown.addAll(vnode.jobs()));
        jobs.forEach(job -> unknown.remove(job.id()));
        return unknown;
    }

    /** A host is offered when all its virtual nodes are. */
    private void addHosts(Predicate<PbsOutput.Vnode> works) {
        var cores = new LinkedHashMap<String, Integer>();
        var properties = new HashMap<String, Set<String>>();
        var broken = new HashSet<String>();
        for (PbsOutput.Vnode vnode : vnodes) {
            cores.merge(vnode.host(), vnode.cores(), Integer::sum);
            properties
                    .computeIfAbsent(vnode.host(), host -> new TreeSet<>(vnode.properties()))
                    .retainAll(vnode.properties());
            if (!works.test(vnode) || !vnode.forReservations()) {
                broken.add(vnode.host());
            }
        }
        cores.forEach((host, count) -> {
            if (count > 0 && !broken.contains(host)) {
                plan.node(new Node(host, count, properties.getOrDefault(host, Set.of())));
            }
        });
    }

    private void addJob(PbsOutput.Job job) {
        Instant end = job.latestEnd().orElse(SitePlan.NEVER);
        plan.job(onHosts(job.shares(), job.place()), end.isBefore(now) ? now : end);
    }

    /** Jobs that this account may not see are on nodes all the same, and nobody says until when. */
    private void addUnknown(Set<String> unknown) {
        for (PbsOutput.Vnode vnode : vnodes) {
            if (vnode.jobs().stream().anyMatch(unknown::contains)) {
                plan.job(Share.whole(List.of(vnode.host())), SitePlan.NEVER);
            }
        }
    }

    /** Shares of virtual nodes as shares of their hosts; exclusive ones take the whole node, or the whole host. */
    private List<Share> onHosts(List<Share> shares, String place) {
        var onHosts = new ArrayList<Share>();
        for (Share share : shares) {
            PbsOutput.Vnode vnode = byName.get(share.node());
            if (vnode != null) {
                onHosts.add(new Share(vnode.host(), taken(share, vnode, place)));
            }
        }
        return onHosts;
    }

    private static int taken(Share share, PbsOutput.Vnode vnode, String place) {
        String sharing = vnode.sharing();
        boolean shared = place.contains("shared");
        if (sharing.equals("force_exclhost")
                || place.contains("exclhost")
                || (sharing.equals("default_exclhost") && !shared)) {
            return SitePlan.WHOLE;
        }
        boolean exclusive = sharing.equals("force_excl")
                || (!sharing.equals("ignore_excl") && place.contains("excl"))
                || (sharing.equals("default_excl") && !shared);
        return exclusive ? vnode.cores() : share.cores();
    }
}
