package org.metasched.it;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.server.ServerAssembly;

/** Holds what clients were told against the agreements there are and against everything that the sites hold. */
final class HistoryCheck {

    private final PersistentClients clients;
    private final ServerAssembly server;
    private final Map<String, SimulatedScheduler> sites;
    private final List<String> details = new ArrayList<>();

    HistoryCheck(PersistentClients clients, ServerAssembly server, Map<String, SimulatedScheduler> sites) {
        this.clients = clients;
        this.server = server;
        this.sites = sites;
    }

    /** Whether the sites hold as many reservations as living agreements have: before that, give it time. */
    boolean isQuiet() {
        return sites.values().stream().mapToInt(site -> site.held().size()).sum()
                == living().stream().mapToInt(one -> one.commitments().size()).sum();
    }

    /** What went wrong, by its kind. */
    Map<String, Integer> counts() {
        details.clear();
        var counts = new TreeMap<String, Integer>();
        var living = living();
        var wanted = living.stream()
                .flatMap(one -> one.commitments().stream())
                .map(part -> part.site() + "/" + part.reservation().key())
                .collect(Collectors.toSet());
        var held = new HashSet<String>();
        sites.forEach((name, site) -> site.held()
                .forEach(status -> held.add(name + "/" + status.reservation().key())));
        counts.put("orphans", without(held, wanted, "orphan"));
        counts.put("half", without(wanted, held, "missing"));
        counts.put("lost", lost(living));
        counts.put("undone", undone(living));
        counts.put("doubled", doubled(living));
        counts.put("double-booked", doubleBooked());
        return counts;
    }

    List<String> details() {
        return details;
    }

    private List<Agreement> living() {
        return server.agreements().newest(Set.of(AgreementState.OBSERVED), Optional.empty(), 100_000);
    }

    private int without(Set<String> some, Set<String> others, String what) {
        var left = new HashSet<>(some);
        left.removeAll(others);
        left.forEach(one -> details.add(what + " " + one));
        return left.size();
    }

    /** Promised and not there; a pending one may have been rejected, and is to be known. */
    private int lost(List<Agreement> living) {
        var ids = living.stream().map(one -> one.id().value()).collect(Collectors.toSet());
        int promised = without(new HashSet<>(clients.accepted.values()), ids, "lost");
        long forgotten = clients.pending.values().stream()
                .filter(id -> server.agreements()
                        .find(new AgreementId(id))
                        .filter(one -> one.state() == AgreementState.OBSERVED || one.state() == AgreementState.REJECTED)
                        .isEmpty())
                .peek(id -> details.add("pending and lost " + id))
                .count();
        return promised + (int) forgotten;
    }

    /** Living, though its initiator was told that it was ended or refused. */
    private int undone(List<Agreement> living) {
        int count = 0;
        for (var one : living) {
            String name = one.offer().key().id();
            if (clients.refused.containsKey(name) || clients.ended.containsKey(name)) {
                details.add("living against its word " + one.id() + " of " + name);
                count++;
            }
        }
        return count;
    }

    private int doubled(List<Agreement> living) {
        var names = new HashSet<String>();
        return (int) living.stream()
                .filter(one -> !names.add(one.offer().key().id()))
                .peek(one -> details.add("doubled " + one.id()))
                .count();
    }

    /** Nodes of a site that two reservations have at the same time. */
    private int doubleBooked() {
        int count = 0;
        for (var site : sites.values()) {
            var byNode = new HashMap<String, List<TimeSlot>>();
            for (ReservationStatus status : site.held()) {
                var reservation = status.reservation();
                reservation
                        .nodeNames()
                        .forEach(node -> byNode.computeIfAbsent(node, n -> new ArrayList<>())
                                .add(reservation.slot()));
            }
            for (var slots : byNode.values()) {
                slots.sort(Comparator.comparing(TimeSlot::start));
                Instant end = Instant.MIN;
                for (var slot : slots) {
                    count += slot.start().isBefore(end) ? 1 : 0;
                    end = slot.end();
                }
            }
        }
        return count;
    }
}
