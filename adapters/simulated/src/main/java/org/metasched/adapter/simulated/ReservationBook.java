package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.AvailabilityProfile;
import org.metasched.slots.CountProfile;
import org.metasched.slots.NodePlan;

/**
 * Resources of a simulated site and their reservations: nodes with their identities, and countable resources (bandwidth of its
 * link, licences). Not thread-safe.
 */
final class ReservationBook {

    /** Most reservations that are remembered: beyond it the oldest ended ones are forgotten. */
    private static final int MOST_REMEMBERED = 100_000;

    /** The most needs in {@link #suiting}. */
    private static final int MOST_NEEDS = 100;

    private final SimulatedSite description;
    final NodePlan nodes;
    /** Limit on the number of nodes reserved at any instant, if there is one. */
    private final Optional<CountProfile> allowance;

    private final BitSet down = new BitSet();
    /** The nodes, up or not, that suit a need, by that need with amount 1. */
    private final Map<Need, BitSet> suiting = new HashMap<>();

    private final Map<String, CountProfile> units = new HashMap<>();
    private final Map<ReservationId, SimulatedReservation> byId = new LinkedHashMap<>();
    private final Map<RequestKey, SimulatedReservation> byKey = new HashMap<>();
    private long lastNumber;

    ReservationBook(SimulatedSite description, NodePlan nodes) {
        this.description = description;
        this.nodes = nodes;
        this.allowance = description.reservable.map(CountProfile::new);
        if (description.bandwidth > 0) {
            units.put("bandwidth", new CountProfile(description.bandwidth));
        }
        description.licences.forEach((feature, count) -> units.put("licence " + feature, new CountProfile(count)));
    }

    BitSet upAmong(BitSet some) {
        var up = (BitSet) some.clone();
        up.andNot(down);
        return up;
    }

    /**
     * The free amount over time for a need.
     *
     * @throws Refused when the site has nothing of the kind
     */
    AvailabilityProfile profileFor(Need need) throws Refused {
        Optional<Need.Nodes> wanted = need.asNodes();
        if (wanted.isEmpty()) {
            return unitsFor(need);
        }
        var machine = nodes.among(usable(wanted.get()));
        return allowance.isEmpty() ? machine : new WithinAllowance(machine, allowance.get());
    }

    /** The nodes that suit the need and are up, free or not. */
    private BitSet usable(Need.Nodes need) {
        if (suiting.size() > MOST_NEEDS) {
            suiting.clear();
        }
        return upAmong(suiting.computeIfAbsent(
                need.withAmount(1), any -> nodes.suiting(need.coresPerNode(), need.properties())));
    }

    private CountProfile unitsFor(Need need) throws Refused {
        String what = need.fold(n -> "nodes", bandwidth -> "bandwidth", licences -> "licence " + licences.feature());
        var profile = units.get(what);
        if (profile == null) {
            throw new Refused("Site " + description.id + " has no " + what + "; it has nodes"
                    + (units.isEmpty() ? "" : " and " + String.join(", ", units.keySet())) + ".");
        }
        return profile;
    }

    ReservationId nextId() {
        return new ReservationId("R" + ++lastNumber + "." + description.id);
    }

    /** Makes a reservation, if the need is free for the whole slot. */
    Optional<SimulatedReservation> make(RequestKey key, Need need, TimeSlot slot) throws Refused {
        if (profileFor(need).leastFree(slot) < need.amount()) {
            return Optional.empty();
        }
        var held = new SimulatedReservation(nextId(), key, need, slot, choose(need, slot));
        take(held);
        return Optional.of(held);
    }

    private BitSet choose(Need need, TimeSlot slot) {
        return need.asNodes()
                .map(wanted -> nodes.choose(need.amount(), slot, usable(wanted))
                        .orElseThrow(() -> new IllegalStateException("Free nodes of " + slot + " cannot be chosen.")))
                .orElseGet(BitSet::new);
    }

    /** Changes need and slot, if they are free beside the other reservations; else leaves the reservation and returns false. */
    boolean change(SimulatedReservation held, Need need, TimeSlot slot) throws Refused {
        // Throws before anything is given back.
        var unused = profileFor(need);
        giveBack(held);
        boolean isFree = profileFor(need).leastFree(slot) >= need.amount();
        if (isFree) {
            held.need = need;
            held.slot = slot;
            held.nodes = choose(need, slot);
        }
        take(held);
        return isFree;
    }

    /** Takes free resources for another user, who has no reservation here and does not give them back. */
    void takeForOthers(Need need, TimeSlot slot) throws Refused {
        Optional<Need.Nodes> wanted = need.asNodes();
        if (wanted.isPresent()) {
            nodes.choose(need.amount(), slot, usable(wanted.get())).ifPresent(set -> nodes.take(set, slot));
        } else {
            unitsFor(need).take(need.amount(), slot);
        }
    }

    /** Adds a reservation that an earlier process made. */
    void restore(SimulatedReservation held) {
        String digits = held.id.value().replaceAll("^R|\\..*$", "");
        lastNumber = Math.max(lastNumber, digits.matches("\\d{1,17}") ? Long.parseLong(digits) : 0);
        if (held.cancelled) {
            remember(held);
        } else {
            take(held);
        }
    }

    private void take(SimulatedReservation held) {
        if (held.need.asNodes().isPresent()) {
            nodes.take(held.nodes, held.slot);
            allowance.ifPresent(most -> most.take(held.need.amount(), held.slot));
        } else {
            units(held).take(held.need.amount(), held.slot);
        }
        remember(held);
    }

    private CountProfile units(SimulatedReservation held) {
        try {
            return unitsFor(held.need);
        } catch (Refused e) {
            throw new IllegalStateException(
                    "Site " + description.id + " holds reservation " + held.id + " of " + held.need.words()
                            + ", which it does not have any more.\n"
                            + "Maybe the state file is of an earlier configuration.",
                    e);
        }
    }

    private void remember(SimulatedReservation held) {
        byId.put(held.id, held);
        byKey.put(held.key, held);
    }

    void cancel(SimulatedReservation held) {
        giveBack(held);
        held.cancelled = true;
    }

    private void giveBack(SimulatedReservation held) {
        if (held.need.asNodes().isPresent()) {
            nodes.giveBack(held.nodes, held.slot);
            allowance.ifPresent(most -> most.giveBack(held.need.amount(), held.slot));
        } else {
            units(held).giveBack(held.need.amount(), held.slot);
        }
    }

    Optional<SimulatedReservation> find(ReservationId id) {
        return Optional.ofNullable(byId.get(id));
    }

    Optional<SimulatedReservation> find(RequestKey key) {
        return Optional.ofNullable(byKey.get(key));
    }

    Collection<SimulatedReservation> all() {
        return byId.values();
    }

    /** Forgets the oldest ended reservations when there are too many. */
    void forgetOld(Instant now) {
        var oldest = byId.values().iterator();
        while (byId.size() > MOST_REMEMBERED && oldest.hasNext()) {
            var held = oldest.next();
            if (!held.stateAt(now).isHeld()) {
                oldest.remove();
                byKey.remove(held.key, held);
            }
        }
    }

    /** Breaks nodes. A reservation gets substitutes for the rest of its slot, if enough nodes are free to replace all that it lost. */
    void fail(Set<String> names, Instant now) {
        down.or(nodes.named(names));
        for (var held : byId.values()) {
            if (held.stateAt(now).isHeld() && held.nodes.intersects(down)) {
                replaceBroken(held, now);
            }
        }
    }

    private void replaceBroken(SimulatedReservation held, Instant now) {
        var broken = (BitSet) held.nodes.clone();
        broken.and(down);
        var rest = new TimeSlot(TimeSlot.later(held.slot.start(), now), held.slot.end());
        var substitutes =
                held.need.asNodes().flatMap(wanted -> nodes.choose(broken.cardinality(), rest, usable(wanted)));
        substitutes.ifPresent(others -> {
            nodes.giveBack(held.nodes, held.slot);
            held.nodes.andNot(broken);
            held.nodes.or(others);
            nodes.take(held.nodes, rest);
        });
    }

    void repair(Set<String> names) {
        down.andNot(nodes.named(names));
    }

    ReservationStatus status(SimulatedReservation held, Instant now) {
        var lost = (BitSet) held.nodes.clone();
        lost.and(down);
        var state = held.stateAt(now);
        var lostNames = state.isHeld() ? nodes.names(lost) : List.<String>of();
        String detail = lostNames.isEmpty() ? "" : "degraded: " + lostNames + " are down and no others are free";
        return new ReservationStatus(state, reservation(held), lostNames, detail);
    }

    Reservation reservation(SimulatedReservation held) {
        return new Reservation(held.id, held.key, held.slot, held.need, nodes.names(held.nodes));
    }
}
