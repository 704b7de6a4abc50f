package org.metasched.classad.cycle;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/**
 * Settings for sharing a pool among submitters, with the names of HTCondor's configuration in brackets.
 *
 * @param considersPreemption whether claimed slots take part (NEGOTIATOR_CONSIDER_PREEMPTION)
 * @param releasesAtOnce whether a pre-empted match leaves its submitter's use at once; else in the next cycle
 * @param ignoresPriorities whether submitters may take more than their priority allows (NEGOTIATOR_IGNORE_USER_PRIORITIES)
 * @param oversubscribes whether quotas of children may exceed their parent's (NEGOTIATOR_ALLOW_QUOTA_OVERSUBSCRIPTION)
 * @param strict whether quotas of ancestors that accept no surplus bind the whole subtree (NEGOTIATOR_STRICT_ENFORCE_QUOTA)
 * @param rounds maximum number of rounds of allocation (GROUP_QUOTA_MAX_ALLOCATION_ROUNDS)
 * @param groups accounting groups with their quotas; the parent of each must be among them
 */
public record SharePolicy(
        boolean considersPreemption,
        boolean releasesAtOnce,
        boolean ignoresPriorities,
        boolean oversubscribes,
        boolean strict,
        int rounds,
        List<Group> groups) {

    /** The defaults of HTCondor; no groups. */
    public static final SharePolicy DEFAULT = new SharePolicy(true, true, false, true, true, 3, List.of());

    public SharePolicy {
        groups = List.copyOf(groups);
        if (rounds < 1) {
            throw new IllegalArgumentException("The rounds of allocation (" + rounds + ") must be at least 1.");
        }
        var names = new HashSet<String>();
        for (Group group : groups) {
            if (!names.add(group.name().toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("The group (" + group.name() + ") must be named once.");
            }
            int dot = group.name().lastIndexOf('.');
            String parent = dot < 0 ? "" : group.name().substring(0, dot);
            if (dot >= 0 && groups.stream().noneMatch(other -> other.name().equalsIgnoreCase(parent))) {
                throw new IllegalArgumentException(
                        "The group (" + group.name() + ") needs its parent (" + parent + ") among the groups.");
            }
        }
    }

    /** This policy with other groups in place of its own. */
    public SharePolicy with(List<Group> others) {
        return new SharePolicy(
                considersPreemption, releasesAtOnce, ignoresPriorities, oversubscribes, strict, rounds, others);
    }

    /**
     * An accounting group.
     *
     * @param name the names of its ancestors and its own, joined by dots
     * @param quota a weight of slots if it is static; else a part, from 0 to 1, of what static quotas leave of the parent's quota
     * @param acceptsSurplus whether it may use what others leave
     * @param autoregroups whether its members also compete among the submitters without a group
     */
    public record Group(String name, double quota, boolean isStatic, boolean acceptsSurplus, boolean autoregroups) {
        public Group {
            if (!(quota >= 0)) {
                throw new IllegalArgumentException(
                        "The quota (" + quota + ") of group " + name + " must not be negative.");
            }
            if (!isStatic && quota > 1) {
                throw new IllegalArgumentException(
                        "The dynamic quota (" + quota + ") of group " + name + " must be from 0 to 1.");
            }
        }
    }
}
