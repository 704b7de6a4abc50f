package org.metasched.classad.cycle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An accounting group in the tree of groups, with its amounts in one cycle, which are weights of slots. Quotas are assigned from the
 * root down; the surplus that a group does not request is distributed from the leaves up. The root is the group of the submitters
 * without a group. After HTCondor's {@code GroupEntry}.
 */
final class GroupNode {

    final SharePolicy.Group group;
    final @Nullable GroupNode parent;
    final List<GroupNode> children = new ArrayList<>();

    /** Whether members also negotiate with the root; in the root, whether members of any group do. */
    boolean autoregroups;

    /** The submitters of this group that take part in the cycle. */
    List<String> members = new ArrayList<>();

    /** The weight that this group may use apart from surplus: alone, and with its subgroups. */
    double quota;

    double subtreeQuota;

    /** The weight that this group still requests: alone, and with the subgroups that accept surplus. */
    double requested;

    double subtreeRequested;

    /** The weight that this group may use in this round, surplus included. */
    double allocated;

    /** The weight that this group uses. */
    double usage;

    private GroupNode(SharePolicy.Group group, @Nullable GroupNode parent) {
        this.group = group;
        this.parent = parent;
        this.autoregroups = group.autoregroups();
    }

    /** The root of the tree of groups; a group's parent is that of its name without the last part, {@code a} for {@code a.b}. */
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

    /** This node and all nodes below, level by level. */
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
        GroupNode group = this;
        for (int dot = left.indexOf('.'); dot >= 0; dot = left.indexOf('.', dot + 1)) {
            for (GroupNode child : group.children) {
                if (child.group.name().equalsIgnoreCase(left.substring(0, dot))) {
                    group = child;
                    break;
                }
            }
        }
        return group;
    }

    /**
     * Divides a quota among this node and its children: first the static quotas, then the dynamic ones as parts of the rest.
     *
     * @param oversubscribes whether static quotas are granted even if they exceed the given quota together
     */
    void assign(double given, boolean oversubscribes) {
        if (given <= 0) {
            return;
        }
        subtreeQuota = given;
        double fixed = sum(true);
        double parts = sum(false);
        double toFixed = oversubscribes ? fixed : Math.min(fixed, given);
        double toParts = Math.max(0, given - toFixed);
        double ofChildren = 0;
        for (GroupNode child : children) {
            double share = child.group.isStatic()
                    ? child.group.quota() * (fixed > 0 ? toFixed / fixed : 0)
                    : child.group.quota() * toParts / Math.max(1, parts);
            child.assign(share, oversubscribes);
            ofChildren += share;
        }
        quota = Math.max(0, parent == null || !oversubscribes ? given - ofChildren : given);
    }

    /** The sum of the static, else of the dynamic quotas of the children. */
    private double sum(boolean ofStatic) {
        double sum = 0;
        for (GroupNode child : children) {
            sum += child.group.isStatic() == ofStatic ? child.group.quota() : 0;
        }
        return sum;
    }

    /**
     * Allocates the requested weights up to the quotas, then distributes the surplus of this subtree; returns the rest of the
     * surplus.
     */
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
        return distribute(surplus);
    }

    /** Distributes surplus among the children and this node; returns the rest of it. */
    private double distribute(double surplus) {
        if (surplus <= 0 || subtreeRequested <= 0) {
            return Math.max(0, surplus);
        }
        var distribution = new SurplusDistribution(this, surplus);
        distribution.run();
        for (int i = 0; i < children.size(); i++) {
            if (distribution.got[i] > 0) {
                children.get(i).distribute(distribution.got[i]);
            }
        }
        double own = distribution.got[children.size()];
        allocated += own;
        requested -= own;
        subtreeRequested = distribution.asked;
        return distribution.surplus;
    }

    /** A distribution of surplus among the children of a node and the node itself, which is last in the arrays. */
    private static final class SurplusDistribution {
        /** The weight that each still requests, its quota, and the weight that it has received. */
        private final double[] want;

        private final double[] quota;
        private final double[] got;

        /** The sum of all requests that are not met. */
        private double asked;

        /** The rest of the surplus. */
        private double surplus;

        private SurplusDistribution(GroupNode node, double surplus) {
            int own = node.children.size();
            this.surplus = surplus;
            asked = node.subtreeRequested;
            want = new double[own + 1];
            quota = new double[own + 1];
            got = new double[own + 1];
            for (int i = 0; i < own; i++) {
                GroupNode child = node.children.get(i);
                want[i] = child.group.acceptsSurplus() ? child.subtreeRequested : 0;
                quota[i] = child.subtreeQuota;
            }
            want[own] = node.requested;
            quota[own] = node.quota;
        }

        private void run() {
            if (surplus >= asked) {
                for (int i = 0; i < want.length; i++) {
                    got[i] = Math.max(0, want[i]);
                }
                surplus -= asked;
                asked = 0;
                return;
            }
            distribute(true);
            distribute(false);
        }

        /**
         * Distributes surplus until all requests are met or nothing is left.
         *
         * @param byQuota whether parts are proportional to quotas; else they are equal
         */
        private void distribute(boolean byQuota) {
            while (surplus > FairShare.TINY) {
                double[] parts = new double[want.length];
                double all = 0;
                for (int i = 0; i < want.length; i++) {
                    parts[i] = want[i] > FairShare.TINY ? (byQuota ? quota[i] : 1) : 0;
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
                    double part = Math.min(share, want[i]);
                    got[i] += part;
                    want[i] -= part;
                    given += part;
                }
                surplus -= given;
                asked -= given;
                if (!isMet) {
                    // All of the surplus was given: what is left is a rounding error.
                    surplus = 0;
                }
            }
        }
    }
}
