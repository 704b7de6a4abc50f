package org.metasched.classad.gang;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.LabelLink;
import org.metasched.classad.index.MissingAttribute;

/**
 * A partial binding of the other ports as one port sees it. All partial bindings that agree in the attributes on which the port
 * depends leave it the same residual constraint and the same domain, and each equivalence class of its values propagates the same
 * to the open ports. Belongs to a {@link PortClass}; not thread-safe.
 *
 * @param demanded the attributes of the port that are not known yet and on which the constraint of some offer depends
 * @param attributes of the coming neighbour on which an undecided clause depends
 * @param propagations what equivalence classes of values propagate, as far as that was computed
 */
record PartialBinding(
        ResidualConstraint residual,
        LiveDomain domain,
        Set<String> demanded,
        Set<String> attributes,
        Map<Integer, Propagation> propagations) {

    /** The partial binding that the bonds make at this moment. */
    static PartialBinding of(ResidualConstraint residual, LiveDomain domain) {
        Set<String> demanded = residual.request().undecidedAttributes();
        LabelLink own = residual.variable().openPlace().own();
        Set<String> attributes = openAttributes(residual, demanded).stream()
                .filter(wanted -> wanted.bond() == own)
                .map(MissingAttribute::attribute)
                .collect(Collectors.toSet());
        return new PartialBinding(residual, domain, demanded, attributes, new HashMap<>());
    }

    /** The attributes of unbound neighbours on which the shunted clauses and the attributes demanded by offers depend. */
    Set<MissingAttribute> openAttributes() {
        return openAttributes(residual, demanded);
    }

    private static Set<MissingAttribute> openAttributes(ResidualConstraint residual, Set<String> demanded) {
        var all = new HashSet<MissingAttribute>();
        residual.shunted().forEach(conjunct -> all.addAll(conjunct.read().missing()));
        EvaluationSite place = residual.variable().openPlace();
        demanded.forEach(attribute -> all.addAll(place.attribute(attribute).missing()));
        return all;
    }

    /** Whether a value propagates nothing to other ports but the attributes on which they depend themselves. */
    boolean isDecidedBy(int entry) {
        return residual.shunted().isEmpty() && !domain.all().deferred().contains(entry);
    }

    /** The equivalence classes of values that propagate the same; null if any two may differ. */
    @Nullable
    EquivalenceClasses classes(GangPool pool) {
        return pool.index.classes(attributes, demanded);
    }
}
