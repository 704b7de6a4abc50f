package org.metasched.classad.gang;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.Wanted;

/**
 * A partial binding of the other ports as one port sees it. All partial bindings that agree in the attributes on which the port
 * depends leave it the same residual constraint and the same domain, and each equivalence class of its values propagates the same
 * to the open ports. Belongs to a {@link PortClass}; not thread-safe.
 */
final class PartialBinding {

    private final ResidualConstraint residual;
    private final boolean unsatisfiable;
    private final boolean shunts;
    private final LiveDomain domain;
    private final Set<String> demanded;
    private final Set<String> attributes = new HashSet<>();
    private final Map<Integer, Propagation> propagations = new HashMap<>();

    /** The partial binding that the bonds make at this moment. */
    PartialBinding(ResidualConstraint residual, LiveDomain domain) {
        this.residual = residual;
        this.unsatisfiable = residual.unsatisfiable();
        this.shunts = !residual.shunted().isEmpty();
        this.domain = domain;
        this.demanded = residual.request().undecidedAttributes();
        for (Wanted wanted : openAttributes()) {
            if (wanted.bond() == residual.variable().openPlace().own()) {
                attributes.add(wanted.attribute());
            }
        }
    }

    /** The attributes of unbound neighbours on which the shunted clauses and the attributes demanded by offers depend. */
    Set<Wanted> openAttributes() {
        var all = new HashSet<Wanted>();
        residual.shunted().forEach(conjunct -> all.addAll(conjunct.read().missing()));
        Place place = residual.variable().openPlace();
        demanded.forEach(attribute -> all.addAll(place.attribute(attribute).missing()));
        return all;
    }

    ResidualConstraint residual() {
        return residual;
    }

    /** Whether the residual constraint is false for every offer. */
    boolean isUnsatisfiable() {
        return unsatisfiable;
    }

    LiveDomain domain() {
        return domain;
    }

    /** The attributes of the coming neighbour on which an undecided clause depends. */
    Set<String> attributes() {
        return attributes;
    }

    /** The attributes of the port that are not known yet and on which the constraint of some offer depends. */
    Set<String> demanded() {
        return demanded;
    }

    /** Whether a value propagates nothing to other ports but the attributes on which they depend themselves. */
    boolean isDecidedBy(int entry) {
        return !shunts && !domain.all().deferred().contains(entry);
    }

    /** The equivalence classes of values that propagate the same; null if any two may differ. */
    @Nullable
    EquivalenceClasses classes(GangPool pool) {
        return pool.index().classes(attributes, demanded);
    }

    /** What an equivalence class of values propagates, if that was computed before. */
    @Nullable
    Propagation propagation(int valueClass) {
        return propagations.get(valueClass);
    }

    void remember(int valueClass, Propagation propagation) {
        propagations.put(valueClass, propagation);
    }
}
