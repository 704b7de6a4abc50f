package org.metasched.adapter.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.metasched.adapter.TimeSlot;

/**
 * Usage that the rules count: grants of nodes over time. Immutable.
 *
 * @param grants the grants, those that were given up too
 */
record GrantedUsage(List<Grant> grants) {

    static final GrantedUsage NONE = new GrantedUsage(List.of());

    /**
     * A reservation that the policy allowed.
     *
     * @param key request key
     * @param id reservation id at the scheduler, or an empty text before the reservation is made
     * @param project account that is charged, or an empty text
     * @param slot time for which it counts; ends at the moment when it was given up
     * @param over whether it was given up
     */
    record Grant(
            String key,
            String id,
            String subject,
            String server,
            String project,
            int nodes,
            TimeSlot slot,
            boolean over) {

        /** The grant, given up now; its slot must have begun. */
        Grant givenUp(Instant now) {
            return new Grant(key, id, subject, server, project, nodes, new TimeSlot(slot.start(), now), true);
        }

        Grant withId(String reservation) {
            return new Grant(key, reservation, subject, server, project, nodes, slot, over);
        }
    }

    /** A stretch of time in which the number of taken nodes is constant. */
    record Level(Instant from, Instant until, int nodes) {}

    GrantedUsage {
        grants = List.copyOf(grants);
    }

    /** Number of the selected grants that are held at an instant, begun or not. */
    long held(Predicate<Grant> selected, Instant now) {
        return grants.stream()
                .filter(grant -> !grant.over() && selected.test(grant))
                .filter(grant -> grant.slot().end().isAfter(now))
                .count();
    }

    /** Node-seconds of the selected grants between two instants. */
    long nodeSeconds(Predicate<Grant> selected, Instant from, Instant until) {
        return grants.stream()
                .filter(selected)
                .mapToLong(grant ->
                        grant.nodes() * overlap(grant.slot(), from, until).toSeconds())
                .sum();
    }

    private static Duration overlap(TimeSlot slot, Instant from, Instant until) {
        Instant start = TimeSlot.later(slot.start(), from);
        Instant end = TimeSlot.earlier(slot.end(), until);
        return start.isBefore(end) ? Duration.between(start, end) : Duration.ZERO;
    }

    /** The nodes taken by the selected grants between two instants, as levels in order without gaps; {@code O(g log g)} for g grants. */
    List<Level> levels(Predicate<Grant> selected, Instant from, Instant until) {
        var changes = new TreeMap<Instant, Integer>();
        changes.put(from, 0);
        changes.put(until, 0);
        for (Grant grant : grants) {
            Instant start = TimeSlot.later(grant.slot().start(), from);
            Instant end = TimeSlot.earlier(grant.slot().end(), until);
            if (start.isBefore(end) && selected.test(grant)) {
                changes.merge(start, grant.nodes(), Integer::sum);
                changes.merge(end, -grant.nodes(), Integer::sum);
            }
        }
        var levels = new ArrayList<Level>();
        int nodes = 0;
        Instant levelStart = from;
        for (Map.Entry<Instant, Integer> change : changes.entrySet()) {
            if (levelStart.isBefore(change.getKey())) {
                levels.add(new Level(levelStart, change.getKey(), nodes));
            }
            nodes += change.getValue();
            levelStart = change.getKey();
        }
        return levels;
    }
}
