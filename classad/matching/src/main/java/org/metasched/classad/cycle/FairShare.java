package org.metasched.classad.cycle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The sharing of a pool among submitters in one cycle, as HTCondor's negotiator does it ("pie slices"). Each submitter is due a part of
 * the whole pool inversely proportional to its effective priority, less the slots that it uses. Slots that are left over are shared
 * again, in the next <em>spin</em>. Accounting groups go first, each within its quota and the surplus that it accepts.
 *
 * <p>Amounts are weights of slots and are not rounded. The first match of a turn is allowed whenever the limit is above 0, so that
 * small remainders are not lost. Uses are read during the cycle, priorities at its beginning. Two amounts closer than 1e-9 are equal.
 *
 * <p>Not thread-safe. {@code O(spins · submitters + matches)} besides the work of the {@link NegotiableResources}.
 */
final class FairShare {

    /** Amounts that differ by this or less are equal. */
    static final double TINY = 1e-9;

    private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

    /** The sort key of the last place, as in HTCondor. */
    private static final double LAST = 3.4e38;

    /** The sort key of a group without a quota: before the last place, as in HTCondor. */
    private static final double NO_QUOTA = 3.3e38;

    private final SharePolicy policy;
    private final Accountant accountant;
    private final NegotiableResources resources;
    private final SubmitterUse use;

    /** The results, see {@link #shares()} and {@link #limits()}. */
    private final Map<String, Double> shares = new LinkedHashMap<>();

    private final Map<String, Double> limits = new LinkedHashMap<>();
    private final GroupNode root;

    FairShare(SharePolicy policy, Accountant accountant, NegotiableResources resources) {
        this.policy = policy;
        this.accountant = accountant;
        this.resources = resources;
        this.root = GroupNode.rootOf(policy.groups());
        this.use = new SubmitterUse(accountant, resources, root);
    }

    /** Shares the pool among these submitters and those with a standing; a submitter that neither waits nor uses a slot takes no part. */
    void run(List<String> submitters) {
        var all = new LinkedHashSet<>(submitters);
        var known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        known.addAll(submitters);
        accountant.standings().stream()
                .map(SubmitterStanding::submitter)
                .filter(known::add)
                .forEach(all::add);
        all.forEach(use::begin);
        var active = new ArrayList<>(all);
        active.removeIf(submitter -> use.waitingAtFirst(submitter) <= 0 && use.of(submitter) <= 0);
        if (root.children.isEmpty()) {
            floorThenAll(active, NO_LIMIT, null);
        } else {
            new GroupRounds(root.breadthFirst()).run(active);
        }
    }

    /** The part of the pool, from 0 to 1, that was due to each submitter in the first spin of the last negotiation with it. */
    Map<String, Double> shares() {
        return Collections.unmodifiableMap(shares);
    }

    /** The same parts as weights of slots. */
    Map<String, Double> limits() {
        return Collections.unmodifiableMap(limits);
    }

    /**
     * Serves the submitters that use less than their floor, then all.
     *
     * @param quota the weight that all of them may use together
     * @param group their group; null for submitters without a group
     */
    private void floorThenAll(List<String> active, double quota, @Nullable GroupNode group) {
        var low = new ArrayList<String>();
        for (String submitter : active) {
            double floor = use.standing(submitter).floor();
            if (floor > 0 && use.of(submitter) < floor) {
                low.add(submitter);
            }
        }
        if (!low.isEmpty()) {
            new Negotiation(low, quota, group, true).run();
        }
        new Negotiation(active, quota, group, false).run();
    }

    /** The rounds in which quotas are allocated to groups, and the groups are served. */
    private final class GroupRounds {
        private final List<GroupNode> groups;

        private GroupRounds(List<GroupNode> groups) {
            this.groups = groups;
        }

        private void run(List<String> active) {
            begin(active);
            root.assign(resources.weight(), policy.oversubscribes());
            for (int round = 0; round < policy.rounds(); round++) {
                groups.forEach(group -> {
                    group.allocated = 0;
                    group.subtreeRequested = 0;
                });
                root.allocate();
                if (root.autoregroups) {
                    root.quota = resources.weight();
                    root.allocated = resources.weight();
                }
                double allocated = 0;
                for (GroupNode group : groups) {
                    allocated += group.allocated;
                }
                inOrder().forEach(this::negotiate);
                if (settle() >= allocated - TINY) {
                    return;
                }
            }
        }

        /** Puts the submitters into their groups, with the slots that they use and want. */
        private void begin(List<String> active) {
            groups.forEach(group -> group.usage = use.of(group));
            for (String submitter : active) {
                GroupNode group = root.of(submitter);
                group.members.add(submitter);
                group.requested += use.of(submitter) + use.waitingAtFirst(submitter);
            }
            if (root.autoregroups) {
                for (GroupNode group : groups) {
                    if (group != root && group.autoregroups) {
                        root.members.addAll(group.members);
                    }
                }
            }
        }

        /** The groups in the order in which they are served: by use per quota, groups without a quota later, the root last. */
        private List<GroupNode> inOrder() {
            var keys = new HashMap<GroupNode, Double>();
            for (GroupNode group : groups) {
                keys.put(group, group == root ? LAST : group.quota > 0 ? use.of(group) / group.quota : NO_QUOTA);
            }
            var sorted = new ArrayList<>(groups);
            sorted.sort(Comparator.<GroupNode>comparingInt(group -> root.autoregroups && group == root ? 1 : 0)
                    .thenComparingDouble(group -> keys.getOrDefault(group, LAST)));
            return sorted;
        }

        /** Serves a group within its allocation. */
        private void negotiate(GroupNode group) {
            if (group.allocated <= 0
                    || group.members.isEmpty()
                    || (group.usage >= group.allocated && !policy.considersPreemption())) {
                return;
            }
            double slots = Math.max(group.allocated, group.quota);
            if (policy.strict()) {
                slots = limitByAncestors(group, slots);
            }
            // A sum of parts may miss a whole number by the errors of its roundings.
            if (Math.abs(slots - Math.rint(slots)) < 1e-6) {
                slots = Math.rint(slots);
            }
            // HTCondor passes the limit of a group on as a whole number.
            double whole = slots < 0 ? Math.ceil(slots) : Math.floor(slots);
            floorThenAll(group.members, whole, root.autoregroups && group == root ? null : group);
        }

        /** The slots of a group, reduced so that no ancestor that accepts no surplus exceeds its quota. */
        private double limitByAncestors(GroupNode group, double slots) {
            double more = slots - group.usage;
            for (GroupNode up = group; up != null; up = up.parent) {
                if (!up.group.acceptsSurplus()) {
                    double limit = up.group.isStatic() ? up.group.quota() : up.subtreeQuota;
                    more = Math.min(more, Math.max(0, limit - use.inSubtree(up)));
                }
            }
            return more + group.usage;
        }

        /** Sets the slots that groups request in the next round; returns the weight that all of them use of their allocations. */
        private double settle() {
            double used = 0;
            for (GroupNode group : groups) {
                group.usage = use.of(group);
                used += Math.min(group.usage, group.allocated);
                group.requested = group.usage < group.allocated ? group.usage : group.requested + group.allocated;
            }
            return used;
        }
    }

    /** The spins among the submitters of one group, or among those without a group. */
    private final class Negotiation {
        private final List<String> active;
        private final double quota;
        private final @Nullable GroupNode group;

        /** Whether submitters are served up to their floors only, in one spin. */
        private final boolean isForFloors;

        /** The sum of 1 / priority of all submitters that take part. */
        private double inversePriorities;

        /** The weight that is shared: that of the pool, or the quota if that is less. */
        private double pie;

        private double usedByGroup;

        /** The weight that submitters may still take in this spin. */
        private double remaining;

        /** @param active the submitters that take part, a list from which those that are done are removed */
        private Negotiation(List<String> active, double quota, @Nullable GroupNode group, boolean isForFloors) {
            this.active = active;
            this.quota = quota;
            this.group = group;
            this.isForFloors = isForFloors;
        }

        private void run() {
            int spin = 1;
            while (runSpin(spin) && !isForFloors && !active.isEmpty() && !resources.isEmpty()) {
                spin++;
            }
        }

        /** Runs one spin, the first being 1; returns whether another one may change something. */
        private boolean runSpin(int spin) {
            // In the first spin, a group that uses its quota may still pre-empt.
            boolean ignoresQuota = spin == 1 && policy.considersPreemption();
            usedByGroup = group == null ? 0 : use.of(group);
            if (!ignoresQuota && isFull(usedByGroup)) {
                return false;
            }
            if (!policy.considersPreemption()) {
                active.removeIf(submitter -> use.waitingAtFirst(submitter) <= 0);
            }
            inversePriorities = 0;
            for (String submitter : active) {
                inversePriorities += 1 / use.priority(submitter);
            }
            pie = Math.min(resources.weight(), quota);
            remaining = 0;
            for (String submitter : active) {
                remaining += limit(submitter);
            }
            double before = remaining;
            int members = active.size();
            if (!policy.considersPreemption() && remaining <= TINY) {
                return false;
            }
            if (spin == 1) {
                order();
            }
            for (String submitter : List.copyOf(active)) {
                if (!ignoresQuota && group != null && isFull(use.of(group))) {
                    break;
                }
                if (serve(submitter, spin)) {
                    active.remove(submitter);
                }
            }
            return remaining < before - TINY || active.size() < members;
        }

        private boolean isFull(double used) {
            return group != null && used >= quota - TINY;
        }

        /** The part of the pie that is due to a submitter, from 0 to 1. */
        private double share(String submitter) {
            return 1 / use.priority(submitter) / inversePriorities;
        }

        /** The weight that a submitter may still take by its share of the pie. */
        private double limitByShare(String submitter) {
            return policy.ignoresPriorities() ? NO_LIMIT : Math.max(0, share(submitter) * pie - use.of(submitter));
        }

        /** The weight of idle slots that a submitter may still take by its share and its group's quota. */
        private double limitOfIdle(String submitter) {
            double limit = limitByShare(submitter);
            return group == null ? limit : Math.min(limit, Math.max(0, quota - usedByGroup));
        }

        private double limit(String submitter) {
            return policy.considersPreemption() ? limitByShare(submitter) : limitOfIdle(submitter);
        }

        /** Orders the submitters for all spins: by priority, then by the part of their limit that they use, the least first. */
        private void order() {
            var starvation = new HashMap<String, Double>();
            for (String submitter : active) {
                double all = use.of(submitter) + limit(submitter);
                // Cut to 12 decimals, so that parts that differ only by rounding errors are equal.
                starvation.put(submitter, all > 0 ? Math.rint(use.of(submitter) / all * 1e12) : LAST);
            }
            active.sort(Comparator.<String>comparingDouble(use::priority)
                    .thenComparingDouble(submitter -> starvation.getOrDefault(submitter, LAST)));
            if (!isForFloors) {
                for (String submitter : active) {
                    shares.put(submitter, share(submitter));
                    limits.put(submitter, share(submitter) * pie);
                }
            }
        }

        /** Lets a submitter take slots up to its limit in this spin; returns whether it is done, and has no part in further spins. */
        private boolean serve(String submitter, int spin) {
            double ofIdle = limitOfIdle(submitter);
            double limit = limit(submitter);
            SubmitterStanding standing = use.standing(submitter);
            if (isForFloors) {
                limit = Math.min(limit, standing.floor());
            }
            limit = Math.min(limit, remaining);
            double room = standing.ceiling() < 0
                    ? NO_LIMIT
                    : Math.max(0, standing.ceiling() - Math.floor(use.of(submitter) + TINY));
            double least = resources.leastWeight();
            if (use.waitingAtFirst(submitter) == 0) {
                return true;
            }
            if (spin > 1 && (limit < least - TINY || remaining < least - TINY)) {
                return false;
            }
            if (room == 0 || room < least) {
                return true;
            }
            return new Turn(limit, ofIdle).run(submitter, room);
        }

        /** One submitter's turn in a spin, and the weights that it has taken. */
        private final class Turn {
            private final double limit;
            private final double limitOfIdle;
            private double taken;
            private double takenIdle;
            private boolean wasRefused;

            private Turn(double limit, double limitOfIdle) {
                this.limit = limit;
                this.limitOfIdle = limitOfIdle;
            }

            /** Whether a slot fits the limit that holds for its kind. */
            private boolean admits(double weight, NegotiableResources.Kind kind) {
                boolean admitted = switch (kind) {
                    case IDLE -> fits(takenIdle, weight, limitOfIdle);
                    case PRIORITY_PREEMPTION -> fits(taken, weight, limit);
                    case RANK_PREEMPTION -> true;
                };
                wasRefused |= !admitted;
                return admitted;
            }

            private static boolean fits(double used, double weight, double allowed) {
                return used + weight - allowed <= TINY || (used <= 0 && allowed > TINY);
            }

            /** Takes slots up to the limit and the room below the ceiling; returns whether a higher limit could serve no more requests. */
            private boolean run(String submitter, double room) {
                NegotiableResources.SubmitterTurn turn = resources.turn(submitter);
                while (taken < limit - TINY && taken < room) {
                    var matched = turn.next(this::admits);
                    if (matched.isEmpty()) {
                        return !wasRefused;
                    }
                    double weight = matched.get().weight();
                    if (policy.releasesAtOnce()) {
                        matched.get().from().ifPresent(loser -> use.charge(loser, -weight));
                    }
                    use.charge(submitter, weight);
                    taken += weight;
                    remaining -= weight;
                    takenIdle += matched.get().kind() == NegotiableResources.Kind.IDLE ? weight : 0;
                }
                return false;
            }
        }
    }
}
