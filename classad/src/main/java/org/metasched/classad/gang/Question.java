package org.metasched.classad.gang;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Grouping;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.Wanted;

/**
 * What a port asks once it is known what it looks at in other ports' neighbours: who answers, and what each neighbour that may
 * come means for the ports that are still open. Belongs to a {@link PortForm}; not thread-safe.
 */
final class Question {

    /**
     * What a neighbour means for the ports still open.
     *
     * @param limits for each port the offers to which it is limited, or null if it is not; empty if no port is limited
     */
    record Consequence(@Nullable OfferSet[] limits) {

        static final Consequence NONE = new Consequence(new OfferSet[0]);

        /** It does not fit after all. */
        static final Consequence MISFIT = new Consequence(new OfferSet[0]);

        /** Only evaluation, with everybody bound, can tell. */
        static final Consequence UNTOLD = new Consequence(new OfferSet[0]);

        /** Memory it takes, about. */
        long bytes() {
            long bytes = 64;
            for (OfferSet limit : limits) {
                bytes += limit == null ? 0 : limit.bytes();
            }
            return bytes;
        }

        @Nullable
        OfferSet limit(int port) {
            return limits.length == 0 ? null : limits[port];
        }
    }

    private final Ask ask;
    private final boolean hopeless;
    private final boolean shunts;
    private final Shortlist shortlist;
    private final Set<String> demanded;
    private final Set<String> attributes = new HashSet<>();
    private final Map<Integer, Consequence> consequences = new HashMap<>();

    /** A question as it is read from the bonds of this moment. */
    Question(Ask ask, Shortlist shortlist) {
        this.ask = ask;
        this.hopeless = ask.hopeless();
        this.shunts = !ask.shunted().isEmpty();
        this.shortlist = shortlist;
        this.demanded = ask.request().undecidedAttributes();
        for (Wanted wanted : waitsFor()) {
            if (wanted.bond() == ask.slots().waiting().own()) {
                attributes.add(wanted.attribute());
            }
        }
    }

    /** All that is missing for the clauses that wait and for the attributes by which neighbours judge. */
    Set<Wanted> waitsFor() {
        var all = new HashSet<Wanted>();
        ask.shunted().forEach(conjunct -> all.addAll(conjunct.read().missing()));
        Place place = ask.slots().waiting();
        demanded.forEach(attribute -> all.addAll(place.attribute(attribute).missing()));
        return all;
    }

    Ask ask() {
        return ask;
    }

    /** Whether something is false already, whoever comes. */
    boolean isHopeless() {
        return hopeless;
    }

    Shortlist shortlist() {
        return shortlist;
    }

    /** The attributes of the coming neighbour on which something depends that cannot be decided yet. */
    Set<String> attributes() {
        return attributes;
    }

    /** The attributes of the port that are not known yet and by which some offer judges. */
    Set<String> demanded() {
        return demanded;
    }

    /** Whether a neighbour means no more to other ports than what they look at themselves. */
    boolean isSettledBy(int entry) {
        return !shunts && !shortlist.candidates().waiting().contains(entry);
    }

    /** Neighbours of one group mean the same; null if all may differ. */
    @Nullable
    Grouping groups(GangPool pool) {
        return pool.index().grouping(attributes, demanded);
    }

    /** What a group of neighbours means, if it has been found out. */
    @Nullable
    Consequence consequence(int group) {
        return consequences.get(group);
    }

    void remember(int group, Consequence consequence) {
        consequences.put(group, consequence);
    }
}
