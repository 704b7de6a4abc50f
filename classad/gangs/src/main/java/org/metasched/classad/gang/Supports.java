package org.metasched.classad.gang;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.OfferSet;

/**
 * The supports of one port's values in the domain of the other port (arc consistency, Mackworth 1977), computed once for each
 * equivalence class of values. Root classes with two ports share an instance if the second is of one {@link PortClass} and the root does
 * not matter. Not thread-safe.
 */
final class Supports {

    private final @Nullable EquivalenceClasses classes;
    /** The values whose support is computed, those of them that have one, and those that a domain keeps. */
    private final OfferSet explored;

    private final OfferSet supported;
    private final OfferSet used;
    private final Map<Integer, OfferSet> supportOfClass = new HashMap<>();

    /**
     * Supports that are computed when they are needed.
     *
     * @param classes entries of one class have the same support; null if any two may differ
     */
    Supports(int entries, @Nullable EquivalenceClasses classes) {
        this.classes = classes;
        this.explored = OfferSet.none(entries);
        this.supported = OfferSet.none(entries);
        this.used = OfferSet.none(entries);
    }

    /** Removes from a first port's domain the values without support: with such a value, the second port has none. */
    void keepSupported(OfferSet offers, IntFunction<OfferSet> support) {
        OfferSet open = offers.copy();
        open.removeAll(explored);
        for (int entry = open.next(0); entry >= 0; entry = open.next(entry + 1)) {
            if (!explored.contains(entry)) {
                OfferSet computed = support.apply(entry);
                supportOfClass.put(classOf(entry), computed);
                addClassOf(entry, explored);
                if (!computed.isEmpty()) {
                    addClassOf(entry, supported);
                }
            }
        }
        offers.retainAll(supported);
        used.addAll(offers);
    }

    private int classOf(int entry) {
        return classes == null ? entry : classes.classOf(entry);
    }

    private void addClassOf(int entry, OfferSet to) {
        if (classes == null) {
            to.add(entry);
        } else {
            to.addAll(classes.members(classes.classOf(entry)));
        }
    }

    /** Calls the action for each value that {@link #keepSupported} has kept, with its support. */
    void forEach(ObjIntConsumer<OfferSet> action) {
        used.forEach(entry -> {
            OfferSet support = supportOfClass.get(classOf(entry));
            action.accept(Objects.requireNonNull(support, "A value that is used has a support."), entry);
        });
    }
}
