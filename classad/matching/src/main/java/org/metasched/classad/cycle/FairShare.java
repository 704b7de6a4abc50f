package org.metasched.classad.cycle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shares a {@link NegotiableResources} among submitters for one cycle as HTCondor's negotiator does: each is due a part of the
 * whole pool inversely proportional to its effective priority, less what it uses; what is left over is shared again ("spins of
 * the pie"); accounting groups go first, each within its quota and the surplus it may have.
 *
 * <p>Limits are never rounded; the first match of each talk is allowed whenever the limit is above 0, so that small remainders
 * are not lost. Uses are read during the cycle, priorities at its beginning. Two figures closer than 1e-9 are equal.
 *
 * <p>Not thread-safe. {@code O(spins · submitters + matches)} beside the market.
 */
final class FairShare {

    private static final double TINY = 1e-9;
    private static final double NO_LIMIT = Double.POSITIVE_INFINITY;
    /** Sort keys after all others, as in HTCondor. */
    private static final double LAST = 3.4e38;
    /** Sort key of a group without a quota: next to last, as in HTCondor. */
    private static final double NO_QUOTA = 3.3e38;

    private final SharePolicy policy;
    private final Accountant accountant;
    private final NegotiableResources market;
    private final SubmitterUse use;
    private final Map<String, Double> shares = new LinkedHashMap<>();
    private final Map<String, Double> limits = new LinkedHashMap<>();
    private final GroupNode root;

    FairShare(SharePolicy policy, Accountant accountant, NegotiableResources market) {
        this.policy = policy;
        this.accountant = accountant;
        this.market = market;
        this.use = new SubmitterUse(accountant, market);
        this.root = GroupNode.rootOf(policy.groups());
    }

    /** Shares among these submitters; those that neither wait nor use anything take no part. */
    void run(List<String> submitters) {
        var all = new LinkedHashSet<>(submitters);
        accountant.standings().forEach(standing -> {
            if (all.stream().noneMatch(standing.submitter()::equalsIgnoreCase)) {
                all.add(standing.submitter());
            }
        });
        all.forEach(use::begin);
        var active = new ArrayList<String>();
        for (String submitter : all) {
            if (use.idleAtFirst(submitter) > 0 || use.of(submitter) > 0) {
                active.add(submitter);
            }
        }
        if (root.children.isEmpty()) {
            floorThenAll(active, NO_LIMIT, null);
        } else {
            new GroupRounds(root.breadthFirst()).run(active);
        }
    }

    /** The part of the pool that was due to each submitter in the last first spin it took part in. */
    Map<String, Double> shares() {
        return Collections.unmodifiableMap(shares);
    }

    /** These parts in weight of slots. */
    Map<String, Double> limits() {
        return Collections.unmodifiableMap(limits);
    }

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

    /** The rounds of allocation among groups. */
    private final class GroupRounds {
        private final List<GroupNode> groups;

        private GroupRounds(List<GroupNode> groups) {
            this.groups = groups;
        }

        private void run(List<String> active) {
            begin(active);
            root.assign(market.weight(), policy.oversubscribes());
            for (int round = 0; round < policy.rounds(); round++) {
                groups.forEach(group -> {
                    group.allocated = 0;
                    group.subtreeRequested = 0;
                });
                root.allocate();
                if (root.autoregroups) {
                    root.quota = market.weight();
                    root.allocated = market.weight();
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

        private void begin(List<String> active) {
            groups.forEach(group -> group.usage = use.of(group, root));
            for (String submitter : active) {
                GroupNode group = root.of(submitter);
                group.members.add(submitter);
                group.requested += use.of(submitter) + use.idleAtFirst(submitter);
            }
            if (root.autoregroups) {
                for (GroupNode group : groups) {
                    if (group != root && group.autoregroups) {
                        root.members.addAll(group.members);
                    }
                }
            }
        }

        /** The groups by use in proportion to quota; those without a quota next to last, submitters without a group last. */
        private List<GroupNode> inOrder() {
            var keys = new HashMap<GroupNode, Double>();
            for (GroupNode group : groups) {
                keys.put(group, group == root ? LAST : group.quota > 0 ? use.of(group, root) / group.quota : NO_QUOTA);
            }
            var sorted = new ArrayList<>(groups);
            sorted.sort(Comparator.<GroupNode>comparingInt(group -> root.autoregroups && group == root ? 1 : 0)
                    .thenComparingDouble(group -> keys.getOrDefault(group, LAST)));
            return sorted;
        }

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
            if (Math.abs(slots - Math.rint(slots)) < 1e-6) {
                slots = Math.rint(slots);
            }
            // HTCondor hands a group's limit on as a whole number.
            double whole = slots < 0 ? Math.ceil(slots) : Math.floor(slots);
            floorThenAll(group.members, whole, root.autoregroups && group == root ? null : group);
        }

        /** The slots of a group that lead no ancestor without surplus above its limit. */
        private double limitByAncestors(GroupNode group, double slots) {
            double more = slots - group.usage;
            for (GroupNode up = group; up != null; up = up.parent) {
                if (!up.group.acceptsSurplus()) {
                    double limit = up.group.isStatic() ? up.group.quota() : up.subtreeQuota;
                    more = Math.min(more, Math.max(0, limit - use.inSubtree(up, root)));
                }
            }
            return more + group.usage;
        }

        /** Notes the shares that groups did not use, for others in the next round. @return the total that was used */
        private double settle() {
            double used = 0;
            for (GroupNode group : groups) {
                group.usage = use.of(group, root);
                used += Math.min(group.usage, group.allocated);
                group.requested = group.usage < group.allocated ? group.usage : group.requested + group.allocated;
            }
            return used;
        }
    }

    /** The spins of one group, or of the pool without groups. */
    private final class Negotiation {
        private final List<String> active;
        private final double quota;
        private final @Nullable GroupNode group;
        private final boolean isForFloors;
        private double norm;
        private double pie;
        private double usedByGroup;
        private double remaining;

        /** @param active submitters that take part; those that are done are removed */
        private Negotiation(List<String> active, double quota, @Nullable GroupNode group, boolean isForFloors) {
            this.active = active;
            this.quota = quota;
            this.group = group;
            this.isForFloors = isForFloors;
        }

        private void run() {
            for (int spin = 1; spin(spin) && !isForFloors && !active.isEmpty() && !market.isEmpty(); spin++) {
                // again
            }
        }

        /** Runs one spin; returns whether another one may change something. */
        private boolean spin(int spin) {
            boolean isFirst = spin == 1 && policy.considersPreemption();
            usedByGroup = group == null ? 0 : use.of(group, root);
            if (!isFirst && isFull(usedByGroup)) {
                return false;
            }
            if (!policy.considersPreemption()) {
                active.removeIf(submitter -> use.idleAtFirst(submitter) <= 0);
            }
            norm = 0;
            for (String submitter : active) {
                norm += 1 / use.priority(submitter);
            }
            pie = Math.min(market.weight(), quota);
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
                if (!isFirst && group != null && isFull(use.of(group, root))) {
                    break;
                }
                if (serve(submitter, spin)) {
                    active.remove(submitter);
                }
            }
            return remaining < before - TINY || active.size() < members;
        }

        private boolean isFull(double use) {
            return group != null && use >= quota - TINY;
        }

        private double share(String submitter) {
            return 1 / use.priority(submitter) / norm;
        }

        private double limitByShare(String submitter) {
            return policy.ignoresPriorities() ? NO_LIMIT : Math.max(0, share(submitter) * pie - use.of(submitter));
        }

        private double limitOfIdle(String submitter) {
            double limit = limitByShare(submitter);
            return group == null ? limit : Math.min(limit, Math.max(0, quota - usedByGroup));
        }

        private double limit(String submitter) {
            return policy.considersPreemption() ? limitByShare(submitter) : limitOfIdle(submitter);
        }

        /** Orders submitters by priority, then by starvation; the order stays for all spins. */
        private void order() {
            var starvation = new HashMap<String, Double>();
            for (String submitter : active) {
                double all = use.of(submitter) + limit(submitter);
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

        /** Lets a submitter take its share; returns whether it is done. */
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
            double least = market.leastWeight();
            if (use.idleAtFirst(submitter) == 0) {
                return true;
            }
            if (spin > 1 && (limit < least - TINY || remaining < least - TINY)) {
                return false;
            }
            if (room == 0 || room < least) {
                return true;
            }
            return new Turn(limit, ofIdle).talk(submitter, room);
        }

        /** One submitter's talk with the market. */
        private final class Turn {
            private final double limit;
            private final double limitOfIdle;
            private double got;
            private double gotIdle;
            private boolean wasRefused;

            private Turn(double limit, double limitOfIdle) {
                this.limit = limit;
                this.limitOfIdle = limitOfIdle;
            }

            private boolean admits(double weight, NegotiableResources.Kind kind) {
                boolean admitted = switch (kind) {
                    case IDLE -> fits(gotIdle, weight, limitOfIdle);
                    case PRIORITY_PREEMPTION -> fits(got, weight, limit);
                    case RANK_PREEMPTION -> true;
                };
                wasRefused |= !admitted;
                return admitted;
            }

            private static boolean fits(double taken, double weight, double allowed) {
                return taken + weight - allowed <= TINY || (taken <= 0 && allowed > TINY);
            }

            private boolean talk(String submitter, double room) {
                NegotiableResources.Talk talk = market.talk(submitter);
                while (got < limit - TINY && got < room) {
                    var sale = talk.next(this::admits);
                    if (sale.isEmpty()) {
                        return !wasRefused;
                    }
                    double weight = sale.get().weight();
                    if (policy.releasesAtOnce()) {
                        sale.get().from().ifPresent(loser -> use.charge(loser, -weight));
                    }
                    use.charge(submitter, weight);
                    got += weight;
                    remaining -= weight;
                    gotIdle += sale.get().kind() == NegotiableResources.Kind.IDLE ? weight : 0;
                }
                return false;
            }
        }
    }
}
