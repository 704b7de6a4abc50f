package org.metasched.classad.gang;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Grouping;
import org.metasched.classad.index.OfferSet;

/**
 * The way from the offers of one port to those of the other: what each allows there, found out once for each group of offers that
 * the other port cannot tell apart. Classes of roots whose other ports are of one form share it. Not thread-safe.
 */
final class Passage {

    /** What one neighbour allows. */
    interface Beyond {
        /** The offers for the second port once an entry is bound to the first, or null if that cannot be told here. */
        @Nullable
        OfferSet beyond(int entry);
    }

    private final @Nullable Grouping groups;
    private final OfferSet explored;
    private final OfferSet leading;
    private final OfferSet used;
    private final Map<Integer, OfferSet> beyondGroup = new HashMap<>();

    /**
     * A passage that nobody has explored.
     *
     * @param groups entries of one group allow the same; null if all may differ
     */
    Passage(int entries, @Nullable Grouping groups) {
        this.groups = groups;
        this.explored = OfferSet.none(entries);
        this.leading = OfferSet.none(entries);
        this.used = OfferSet.none(entries);
    }

    /**
     * Keeps of the offers of a first port those behind which there is somebody.
     *
     * @return how many groups had to be looked at for that, or -1 if it cannot be told of one
     */
    int keepLeading(OfferSet offers, Beyond beyond) {
        int asked = 0;
        for (int entry = offers.nextNotIn(explored, 0); entry >= 0; entry = offers.nextNotIn(explored, entry)) {
            OfferSet there = beyond.beyond(entry);
            if (there == null) {
                return -1;
            }
            asked++;
            explore(entry, there);
        }
        offers.retainAll(leading);
        used.addAll(offers);
        return asked;
    }

    private void explore(int entry, OfferSet there) {
        Grouping known = groups;
        int group = known == null ? entry : known.groupOf(entry);
        beyondGroup.put(group, there);
        if (known == null) {
            explored.add(entry);
            if (!there.isEmpty()) {
                leading.add(entry);
            }
        } else {
            explored.addAll(known.members(group));
            if (!there.isEmpty()) {
                leading.addAll(known.members(group));
            }
        }
    }

    /** The offers of first ports that some class of roots may bind, each with those behind it. */
    void forEach(ObjIntConsumer<OfferSet> action) {
        used.forEach(entry -> {
            OfferSet there = beyondGroup.get(groups == null ? entry : groups.groupOf(entry));
            if (there != null) {
                action.accept(there, entry);
            }
        });
    }
}
