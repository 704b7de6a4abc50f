package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.EvaluationSite.Conjunct;
import org.metasched.classad.index.MissingAttribute;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Ranking;

/**
 * An equivalence class of ports: ports with the same residual constraint, whatever the names and the other ports of their roots are. The
 * residual constraint depends on the neighbours of other ports only by certain attributes. It is read once for each combination of their
 * values, from the first root that has such a port.
 *
 * <p>An entry is the number of an offer's port in the pool. Belongs to a pool; not thread-safe.
 */
final class PortClass {

    /**
     * A partial binding of the other ports, as far as one port depends on it. All partial bindings with the same values of the attributes
     * on which the port depends have the same residual constraint and the same domain, and the same propagation of each class of values.
     *
     * @param demanded the attributes of the port that are not known yet and on which the constraint of some offer depends
     * @param wanted the attributes of unbound neighbours on which the passed-on clauses and the demanded attributes depend
     * @param attributes the names of those in {@code wanted} that belong to this port's own neighbour
     * @param propagations the propagation of each equivalence class of values, as far as computed
     */
    record PartialBinding(
            ResidualConstraint residual,
            LiveDomain domain,
            List<String> demanded,
            Set<MissingAttribute> wanted,
            Set<String> attributes,
            Map<Integer, Propagation> propagations) {}

    /**
     * An attribute of the neighbour of another port on which this port depends.
     *
     * @param port the index of the other port
     * @param codes the code of the attribute's value for each entry; negative if the index does not know the value
     */
    private record Dependency(int port, int[] codes) {}

    /** The code of an attribute whose port is open. */
    private static final int OPEN = -1;

    /** The most partial bindings that are kept. */
    private static final int MOST_BINDINGS = 1 << 14;

    private final GangPool pool;

    /** The port of the class from which residual constraints are read. */
    private final GangMember.Variable variable;

    /** The partial binding with every port open. */
    final PartialBinding unbound;

    private final List<Dependency> dependencies = new ArrayList<>();

    /** Whether the indexes decide the domain: no port of the root is a list, and no expression uses a whole ad as a value. */
    final boolean indexable;

    /** Whether the port ranks its values, but the indexes do not tell their order. */
    final boolean rankedByEvaluation;

    /**
     * All entries in the order of the port's ranks; null if the port does not rank, or only evaluation tells the order. Not to be
     * changed.
     */
    final int @Nullable [] order;

    /** Partial bindings by the codes of the values on which they depend. */
    private final Map<List<Integer>, PartialBinding> bindings = new HashMap<>();

    /** The number of roots with a port of this class. */
    private int users;

    /** The class of a port, read from a root whose ports are all open. */
    PortClass(GangPool pool, GangMember.Variable variable) {
        this.pool = pool;
        this.variable = variable;
        this.unbound = readBinding();
        for (MissingAttribute attribute : unbound.wanted()) {
            int port = portOf(attribute);
            if (port >= 0 && port != variable.port.index() && !attribute.isWhole()) {
                int[] codes = pool.index.column(attribute.attribute()).codes();
                dependencies.add(new Dependency(port, codes));
            }
        }
        this.indexable = variable.member().variables.stream().noneMatch(other -> other.port.isList())
                && unbound.wanted().stream().allMatch(attribute -> portOf(attribute) >= 0 && !attribute.isWhole());
        Ranking ranking = Ranking.of(pool.index, variable.openSite());
        this.order = ranking == null ? null : ranking.order();
        this.rankedByEvaluation = ranking != null && order == null;
    }

    /** Reads the partial binding of the ports as they are now. */
    private PartialBinding readBinding() {
        var residual = ResidualConstraint.of(variable, List.of(), pool.index);
        pool.index.prepare(residual.request());
        LiveDomain domain = pool.liveDomain(residual.request());
        domain.expect(users);
        List<String> demanded = residual.request().undecidedAttributes();
        EvaluationSite site = variable.openSite();
        var wanted = new HashSet<MissingAttribute>();
        residual.passedOn().forEach(conjunct -> wanted.addAll(conjunct.read().missing()));
        demanded.forEach(attribute -> wanted.addAll(site.attribute(attribute).missing()));
        Set<String> attributes = attributes(wanted, attribute -> attribute.link() == site.own());
        return new PartialBinding(residual, domain, demanded, wanted, attributes, new HashMap<>());
    }

    /** The names of the attributes that meet a condition. */
    static Set<String> attributes(Set<MissingAttribute> of, Predicate<MissingAttribute> which) {
        return of.stream().filter(which).map(MissingAttribute::attribute).collect(Collectors.toSet());
    }

    /** The port of the root on whose neighbour an attribute depends, or -1. */
    private int portOf(MissingAttribute wanted) {
        for (GangMember.Variable other : variable.member().variables) {
            if (other.isOpen() && other.openSite().own() == wanted.link()) {
                return other.port.index();
            }
        }
        return -1;
    }

    /** Counts one more root that has a port of this class. */
    void expectOneMore() {
        users++;
        unbound.domain().expect(1);
        bindings.values().forEach(binding -> binding.domain().expect(1));
    }

    /** The attributes of a port's neighbour on which this port depends; the port may be this one. */
    Set<String> attributesReadOf(int port) {
        return attributes(unbound.wanted(), attribute -> portOf(attribute) == port);
    }

    /**
     * The partial binding, as far as this port depends on it.
     *
     * @param bound for each port of the root its entry, or -1
     * @return the partial binding; null if the indexes do not decide it, or if its domain needs evaluation and there is no memory for it
     */
    @Nullable
    PartialBinding under(int[] bound) {
        if (dependencies.isEmpty()) {
            return unbound;
        }
        var codes = new ArrayList<Integer>(dependencies.size());
        boolean allOpen = true;
        for (Dependency dependency : dependencies) {
            int entry = bound[dependency.port()];
            int code = entry < 0 ? OPEN : dependency.codes()[entry];
            if (entry >= 0 && code < 0) {
                return null;
            }
            allOpen &= entry < 0;
            codes.add(code);
        }
        PartialBinding known = allOpen ? unbound : bindings.get(codes);
        return known == null ? read(codes, bound) : known;
    }

    /**
     * Reads a partial binding with its neighbours docked, and keeps it.
     *
     * @return null if the domain needs evaluation and there is no memory for it
     */
    private @Nullable PartialBinding read(List<Integer> key, int[] bound) {
        List<GangMember.Variable> docked = dockDependencies(bound);
        PartialBinding binding = readBinding();
        // A domain that needs evaluation is computed while the neighbours are docked, and must be kept: later it cannot
        // be computed.
        boolean usable = !pool.index.mustEvaluate(binding.residual().request())
                || binding.domain().keep();
        docked.forEach(GangMember.Variable::undock);
        if (usable && bindings.size() < MOST_BINDINGS) {
            bindings.put(key, binding);
        }
        return usable ? binding : null;
    }

    /** Docks the neighbours on which this port depends; returns their ports, which the caller undocks. */
    private List<GangMember.Variable> dockDependencies(int[] bound) {
        var docked = new ArrayList<GangMember.Variable>();
        for (GangMember.Variable other : variable.member().variables) {
            int entry = bound[other.port.index()];
            if (entry >= 0 && dependencies.stream().anyMatch(on -> on.port() == other.port.index())) {
                other.dock(pool.memberOf(entry));
                docked.add(other);
            }
        }
        return docked;
    }

    /** The propagation of a value of this port to the open ports. */
    Propagation propagation(PartialBinding binding, int entry, int[] bound) {
        // The port passes no clause on to other ports, and no clause of the offer waits for attributes of the root that
        // are not known yet. So the value restricts no other port.
        if (binding.residual().passedOn().isEmpty()
                && !binding.domain().all().deferred().contains(entry)) {
            return Propagation.NONE;
        }
        EquivalenceClasses classes = pool.index.classes(binding.attributes(), binding.demanded());
        if (classes == null) {
            return Propagation.UNDECIDED;
        }
        int valueClass = classes.classOf(entry);
        Propagation known = binding.propagations().get(valueClass);
        if (known == null) {
            List<GangMember.Variable> docked = dockDependencies(bound);
            GangMember neighbour = pool.memberOf(entry);
            variable.dock(neighbour);
            known = propagate(binding, neighbour);
            variable.undock();
            docked.forEach(GangMember.Variable::undock);
            if (pool.reserve(known.bytes())) {
                binding.propagations().put(valueClass, known);
            }
        }
        return known;
    }

    /** Computes the propagation of a value that is docked. */
    private Propagation propagate(PartialBinding binding, GangMember neighbour) {
        var conjuncts = new ArrayList<>(binding.residual().passedOn());
        conjuncts.addAll(neighbour.dockSite().conjuncts());
        var limits = new OfferSet[variable.member().variables.size()];
        for (Conjunct conjunct : conjuncts) {
            Clause clause = conjunct.read();
            if (clause == Clause.Decided.NOT_MET) {
                return Propagation.INCONSISTENT;
            }
            if (clause != Clause.Decided.MET && !limit(clause, limits)) {
                return Propagation.UNDECIDED;
            }
        }
        return new Propagation(limits);
    }

    /**
     * Restricts the domain of the port on which a clause depends; false if it depends on several ports, or the index does not
     * decide it.
     */
    private boolean limit(Clause clause, @Nullable OfferSet[] limits) {
        int port = -1;
        for (MissingAttribute wanted : clause.missing()) {
            int wantedAt = portOf(wanted);
            if (wantedAt < 0 || wanted.isWhole() || port >= 0 && port != wantedAt) {
                return false;
            }
            port = wantedAt;
        }
        OfferSet undecided = OfferSet.none(pool.index.size());
        EvaluationSite site = variable.member().variables.get(port).openSite();
        OfferSet met = pool.index.meeting(site, clause, undecided);
        OfferSet before = limits[port];
        limits[port] = before == null ? met : met.common(before);
        return undecided.isEmpty();
    }
}
