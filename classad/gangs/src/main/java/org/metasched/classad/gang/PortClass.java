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
 * An equivalence class of ports: ports that leave the same residual constraint, whatever their roots are called and whatever their
 * other ports say. The residual constraint depends on the neighbours of other ports only by the attributes at which the class looks,
 * so it is read once for each combination of these attributes' values, from the first root that has such a port.
 *
 * <p>Belongs to a pool; not thread-safe.
 */
final class PortClass {

    /**
     * A partial binding of the other ports as one port sees it. All partial bindings that agree in the attributes on which the port
     * depends leave it the same residual constraint and the same domain, and each equivalence class of its values propagates the same
     * to the open ports.
     *
     * @param demanded the attributes of the port that are not known yet and on which the constraint of some offer depends
     * @param wanted attributes of unbound neighbours on which the passed-on clauses and the demanded attributes depend
     * @param attributes names of those in {@code wanted} that this port's own neighbour will have
     * @param propagations propagated values by equivalence class of values, as far as computed
     */
    record PartialBinding(
            ResidualConstraint residual,
            LiveDomain domain,
            List<String> demanded,
            Set<MissingAttribute> wanted,
            Set<String> attributes,
            Map<Integer, Propagation> propagations) {}

    /** An attribute of another port's neighbour, and for each entry the code of its value, negative if the index does not know it. */
    private record Dependency(int port, int[] codes) {}

    private static final int OPEN = -1;

    /** The most partial bindings that are kept. */
    private static final int MOST_BINDINGS = 1 << 14;

    private final GangPool pool;
    private final GangMember.Variable variable;
    /** The partial binding with every port open. */
    final PartialBinding unbound;

    private final List<Dependency> dependencies = new ArrayList<>();

    /** Whether the indexes decide the domain: no port of the root is a list, and no expression uses a whole ad as a value. */
    final boolean indexable;
    /** Whether values differ in rank and only evaluation of all of them tells their order. */
    final boolean rankedByEvaluation;
    /** All entries in the port's order of preference; null for the order of the pool. Not to be changed. */
    final int @Nullable [] order;

    /** Partial bindings by the codes of the values on which they depend. */
    private final Map<List<Integer>, PartialBinding> bindings = new HashMap<>();

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

    /** The attributes to which a condition applies. */
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

    /** The attributes of a port's neighbour on which this port depends. */
    Set<String> dependsOn(int port) {
        return attributes(unbound.wanted(), attribute -> portOf(attribute) == port);
    }

    /**
     * The partial binding as this port sees it.
     *
     * @param bound for each port of the root its entry, or -1
     * @return null if the indexes do not decide it
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

    private @Nullable PartialBinding read(List<Integer> key, int[] bound) {
        List<GangMember.Variable> docked = dockDependencies(bound);
        PartialBinding binding = readBinding();
        // Clauses that need evaluation are evaluated while the neighbours are docked.
        boolean decided = !pool.index.mustEvaluate(binding.residual().request())
                || binding.domain().keep();
        docked.forEach(GangMember.Variable::undock);
        if (decided && bindings.size() < MOST_BINDINGS) {
            bindings.put(key, binding);
        }
        return decided ? binding : null;
    }

    /** Docks the neighbours on which this port depends. */
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

    /** Effect of a value of this port on the ports still open. */
    Propagation propagation(PartialBinding binding, int entry, int[] bound) {
        // Then a value propagates nothing to other ports but the attributes on which they depend themselves.
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

    /** Restricts the one domain that a clause is about; false if it is about several or the index does not decide it. */
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
