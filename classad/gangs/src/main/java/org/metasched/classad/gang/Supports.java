package org.metasched.classad.gang;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.OfferSet;

/**
 * The supports of one port's values in the domain of the other port (arc consistency, Mackworth 1977), computed once for each
 * equivalence class of values. Classes of roots whose other ports are of one class share them. Not thread-safe.
 */
final class Supports {

    /** Computes the support of one value. */
    interface Propagator {
        /** The domain of the second port once an entry is bound to the first, or null if the indexes do not decide it. */
        @Nullable
        OfferSet support(int entry);
    }

    private final @Nullable EquivalenceClasses classes;
    private final OfferSet explored;
    private final OfferSet supported;
    private final OfferSet used;
    private final Map<Integer, OfferSet> supportOfClass = new HashMap<>();

    /**
     * Supports of which none is computed yet.
     *
     * @param classes entries of one class have the same support; null if any two may differ
     */
    Supports(int entries, @Nullable EquivalenceClasses classes) {
        this.classes = classes;
        this.explored = OfferSet.none(entries);
        this.supported = OfferSet.none(entries);
        this.used = OfferSet.none(entries);
    }

    /**
     * Removes from a first port's domain the values without support.
     *
     * @return how many supports were computed for that, or -1 if the indexes do not decide one of them
     */
    int keepSupported(OfferSet offers, Propagator propagator) {
        int computed = 0;
        OfferSet open = offers.copy();
        open.removeAll(explored);
        for (int entry = open.next(0); entry >= 0; entry = open.next(entry + 1)) {
            if (explored.contains(entry)) {
                continue;
            }
            OfferSet support = propagator.support(entry);
            if (support == null) {
                return -1;
            }
            computed++;
            remember(entry, support);
        }
        offers.retainAll(supported);
        used.addAll(offers);
        return computed;
    }

    private void remember(int entry, OfferSet support) {
        EquivalenceClasses known = classes;
        int valueClass = known == null ? entry : known.classOf(entry);
        supportOfClass.put(valueClass, support);
        if (known == null) {
            explored.add(entry);
            if (!support.isEmpty()) {
                supported.add(entry);
            }
        } else {
            explored.addAll(known.members(valueClass));
            if (!support.isEmpty()) {
                supported.addAll(known.members(valueClass));
            }
        }
    }

    /** Calls for each value that some class of roots may bind first, with its support. */
    void forEach(ObjIntConsumer<OfferSet> action) {
        used.forEach(entry -> {
            OfferSet support = supportOfClass.get(classes == null ? entry : classes.classOf(entry));
            if (support != null) {
                action.accept(support, entry);
            }
        });
    }
}
