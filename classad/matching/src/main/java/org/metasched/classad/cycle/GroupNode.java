package org.metasched.classad.cycle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An accounting group in the tree of groups, and its figures in one cycle, in weight of slots: quotas go down the tree,
 * surplus comes up. The root stands for submitters without a group. After HTCondor's {@code GroupEntry}.
 */
final class GroupNode {

    private static final double TINY = 1e-9;

    final SharePolicy.Group group;
    final @Nullable GroupNode parent;
    final List<GroupNode> children = new ArrayList<>();
    /** Whether members also negotiate with the root; of the root: whether members of any group do. */
    boolean autoregroups;

    /** Submitters that take part. */
    List<String> members = new ArrayList<>();

    double quota;
    double subtreeQuota;
    double requested;
    double subtreeRequested;
    double allocated;
    double usage;

    private GroupNode(SharePolicy.Group group, @Nullable GroupNode parent) {
        this.group = group;
        this.parent = parent;
        this.autoregroups = group.autoregroups();
    }

    static GroupNode rootOf(List<SharePolicy.Group> groups) {
        var root = new GroupNode(new SharePolicy.Group("<none>", 0, false, true, false), null);
        Map<String, GroupNode> known = new HashMap<>();
        var sorted = new ArrayList<>(groups);
        sorted.sort(Comparator.comparing(group -> Accountant.key(group.name())));
        for (var group : sorted) {
            int dot = group.name().lastIndexOf('.');
            GroupNode parent = dot < 0
                    ? root
                    : known.getOrDefault(Accountant.key(group.name().substring(0, dot)), root);
            var node = new GroupNode(group, parent);
            parent.children.add(node);
            known.put(Accountant.key(group.name()), node);
            root.autoregroups |= group.autoregroups();
        }
        return root;
    }

    /** This node and those below, level by level. */
    List<GroupNode> breadthFirst() {
        var all = new ArrayList<GroupNode>(List.of(this));
        for (int i = 0; i < all.size(); i++) {
            all.addAll(all.get(i).children);
        }
        return all;
    }

    /** The group of a submitter, by the longest known prefix of its name. Called on the root. */
    GroupNode of(String submitter) {
        int at = submitter.lastIndexOf('@');
        String left = at < 0 ? submitter : submitter.substring(0, at);
        int dot = left.lastIndexOf('.');
        GroupNode group = this;
        if (dot < 0) {
            return group;
        }
        for (String part : left.substring(0, dot).split("\\.", -1)) {
            GroupNode next = null;
            for (GroupNode child : group.children) {
                if (next == null
                        && child.group
                                .name()
                                .substring(child.group.name().lastIndexOf('.') + 1)
                                .equalsIgnoreCase(part)) {
                    next = child;
                }
            }
            if (next == null) {
                break;
            }
            group = next;
        }
        return group;
    }

    /** Shares a quota among this node and its children: static ones first, dynamic ones by their part of the rest. */
    void assign(double given, boolean oversubscribes) {
        if (given <= 0) {
            return;
        }
        subtreeQuota = given;
        double fixed = sum(true);
        double parts = sum(false);
        double toFixed = oversubscribes ? fixed : Math.min(fixed, given);
        double toParts = Math.max(0, given - toFixed);
        double handedDown = 0;
        for (GroupNode child : children) {
            double share = child.group.isStatic()
                    ? child.group.quota() * (fixed > 0 ? toFixed / fixed : 0)
                    : child.group.quota() * toParts / Math.max(1, parts);
            child.assign(share, oversubscribes);
            handedDown += share;
        }
        quota = Math.max(0, parent == null || !oversubscribes ? given - handedDown : given);
    }

    private double sum(boolean ofStatic) {
        double sum = 0;
        for (GroupNode child : children) {
            sum += child.group.isStatic() == ofStatic ? child.group.quota() : 0;
        }
        return sum;
    }

    /** Allocates the requested weight up to the quotas, and hands out the surplus of the subtree; returns the rest of it. */
    double allocate() {
        allocated = Math.min(requested, quota);
        requested -= allocated;
        subtreeRequested = requested;
        double surplus = quota - allocated;
        if (children.isEmpty()) {
            return surplus;
        }
        for (GroupNode child : children) {
            surplus += child.allocate();
            subtreeRequested += child.group.acceptsSurplus() ? child.subtreeRequested : 0;
        }
        return handOut(surplus);
    }

    private double handOut(double surplus) {
        if (surplus <= 0 || subtreeRequested <= 0) {
            return Math.max(0, surplus);
        }
        var hand = new Hand(this, surplus);
        hand.deal();
        for (int i = 0; i < children.size(); i++) {
            if (hand.got[i] > 0) {
                children.get(i).handOut(hand.got[i]);
            }
        }
        double own = hand.got[children.size()];
        allocated += own;
        requested -= own;
        subtreeRequested = hand.asked;
        return hand.surplus;
    }

    /** One handing out of surplus among the children of a node and, last, the node itself. */
    private static final class Hand {
        private final double[] want;
        private final double[] weight;
        private final double[] got;
        private double asked;
        private double surplus;

        private Hand(GroupNode node, double surplus) {
            int own = node.children.size();
            this.surplus = surplus;
            asked = node.subtreeRequested;
            want = new double[own + 1];
            weight = new double[own + 1];
            got = new double[own + 1];
            for (int i = 0; i < own; i++) {
                GroupNode child = node.children.get(i);
                want[i] = child.group.acceptsSurplus() ? child.subtreeRequested : 0;
                weight[i] = child.subtreeQuota;
            }
            want[own] = node.requested;
            weight[own] = node.quota;
        }

        private void deal() {
            if (surplus >= asked) {
                for (int i = 0; i < want.length; i++) {
                    got[i] = Math.max(0, want[i]);
                }
                surplus -= asked;
                asked = 0;
                return;
            }
            dealBy(true);
            dealBy(false);
        }

        /**
         * Hands out surplus in proportion to quotas, or equally, until all wants are met or nothing is left.
         *
         * @param quotas whether in proportion
         */
        private void dealBy(boolean quotas) {
            while (surplus > TINY) {
                double[] parts = new double[want.length];
                double all = 0;
                for (int i = 0; i < want.length; i++) {
                    parts[i] = want[i] > TINY ? (quotas ? weight[i] : 1) : 0;
                    all += parts[i];
                }
                if (all <= 0) {
                    return;
                }
                boolean isMet = false;
                double given = 0;
                for (int i = 0; i < want.length; i++) {
                    double share = surplus * parts[i] / all;
                    isMet |= parts[i] != 0 && share > want[i];
                    double gift = Math.min(share, want[i]);
                    got[i] += gift;
                    want[i] -= gift;
                    given += gift;
                }
                surplus -= given;
                asked -= given;
                if (!isMet) {
                    surplus = 0;
                }
            }
        }
    }
}
