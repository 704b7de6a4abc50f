package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Call;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.MissingAttribute;

/**
 * The classification of the roots of a pool. Roots that differ only in attributes on which neither their ports nor any offer depends,
 * such as Name and QDate, belong to one {@link RootClass}. Likewise ports belong to one {@link PortClass}, even if the other ports of their
 * roots differ. These classes are autoclusters, found from references. Not thread-safe.
 */
final class RootClasses {

    /** The most classes that are kept: roots that all differ gain nothing from classes. */
    private static final int MOST_CLASSES = 1 << 17;

    private static final AttributeRef PORTS = AttributeRef.to("Ports");

    /** The value in a key of an attribute that is missing. */
    private static final Object ABSENT = new Object();

    /** The names in an expression that may read any attribute; compared by identity. */
    private static final List<AttributeRef> ANY = List.of(AttributeRef.to("self"));

    /** The key of a root or port that is a class of its own. */
    private static final List<Object> UNIQUE = List.of();

    private final GangPool pool;

    /** The attributes of roots on which the constraints of offers depend. */
    private final List<AttributeRef> demanded;

    /** Whether the constraint of some offer may depend on any attribute. */
    private final boolean offersSeeAll;

    private final Map<PortedAd, RootClass> prepared = new IdentityHashMap<>();
    private final Map<List<Object>, RootClass> rootClasses = new HashMap<>();
    private final Map<List<Object>, PortClass> portClasses = new HashMap<>();

    /** The number of each expression, by identity, for speed: equal texts nearly always parse to the same object. */
    private final Map<Expr, Integer> numbers = new IdentityHashMap<>();

    /** The number of each expression, by equality. */
    private final Map<Expr, Integer> numberOfEqual = new HashMap<>();

    /** The names that an expression may look up in the ads around it, by its number; {@link #ANY} if it may read any. */
    private final Map<Integer, List<AttributeRef>> namesIn = new HashMap<>();

    RootClasses(GangPool pool) {
        this.pool = pool;
        this.demanded =
                pool.index.demandedAttributes().stream().map(AttributeRef::to).toList();
        this.offersSeeAll = pool.index.demandedAttributes().contains(MissingAttribute.WHOLE);
    }

    /** Determines the class of a root before its search needs it. */
    void prepare(PortedAd root) {
        if (prepared.size() < MOST_CLASSES) {
            prepared.computeIfAbsent(root, this::find);
        }
    }

    /** The class of a root. */
    RootClass of(PortedAd root) {
        RootClass known = prepared.get(root);
        return known == null ? find(root) : known;
    }

    /** Finds or makes the class of a root, and counts the root in the classes of its ports. */
    private RootClass find(PortedAd root) {
        RootClass found = findOrRead(rootClasses, keyOf(root), () -> read(root));
        for (PortClass port : found.ports) {
            port.expectOneMore();
        }
        return found;
    }

    /** Makes the class of a root. */
    private RootClass read(PortedAd root) {
        var member = new GangMember(root);
        var ports = new ArrayList<PortClass>(root.ports().size());
        for (GangMember.Variable variable : member.variables) {
            ports.add(findOrRead(portClasses, keyOf(root, variable.port), () -> new PortClass(pool, variable)));
        }
        return new RootClass(pool, ports, root.gangRank() != null);
    }

    /** The class of a key; made, and kept unless the key is {@link #UNIQUE}, if it is new. */
    private static <C> C findOrRead(Map<List<Object>, C> known, List<Object> key, Supplier<C> read) {
        C found = known.get(key);
        if (found == null) {
            found = read.get();
            if (!key.isEmpty() && known.size() < MOST_CLASSES) {
                known.put(key, found);
            }
        }
        return found;
    }

    /** The key of a root: its ports, and its attributes on which these or offers depend. */
    private List<Object> keyOf(PortedAd root) {
        Expr ports = root.ad().lookup(PORTS).orElse(null);
        if (ports == null || root.gangRank() != null || offersSeeAll) {
            return UNIQUE;
        }
        var key = new ArrayList<Object>();
        boolean known =
                addOuter(root.ad(), ClassAd.EMPTY, ports, key) && addValues(root.ad(), ClassAd.EMPTY, demanded, key);
        return known ? key : UNIQUE;
    }

    /** The key of a port: the labels in its scope, its attributes, and attributes of the root on which these or offers depend. */
    private List<Object> keyOf(PortedAd root, Port port) {
        ClassAd inner = port.side().port();
        if (inner == null || offersSeeAll) {
            return UNIQUE;
        }
        var key = new ArrayList<Object>();
        root.ports().subList(0, port.index() + 1).forEach(label -> key.add(label.label()));
        key.addAll(inner.names());
        for (Expr expr : inner.expressions()) {
            if (!addOuter(root.ad(), inner, expr, key)) {
                return UNIQUE;
            }
        }
        return addValues(root.ad(), inner, demanded, key) ? key : UNIQUE;
    }

    /** Adds an expression and the values that it may look up in the ad around a port; false if these are unknown. */
    private boolean addOuter(ClassAd outer, ClassAd inner, Expr expr, List<Object> key) {
        Integer number = number(expr);
        key.add(number);
        List<AttributeRef> names = namesIn.computeIfAbsent(number, unseen -> names(expr));
        return names != ANY && addValues(outer, inner, names, key);
    }

    /** Adds the values of names in the ad around a port, unless the port has them; false if they are unknown. */
    private boolean addValues(ClassAd outer, ClassAd inner, List<AttributeRef> names, List<Object> key) {
        for (AttributeRef name : names) {
            if (inner.lookup(name).isEmpty()) {
                Expr expr = outer.lookup(name).orElse(null);
                // An attribute that may refer to others would have to be followed: such a root is a class of its own.
                if (expr != null && !(expr instanceof Literal)) {
                    return false;
                }
                key.add(expr == null ? ABSENT : number(expr));
            }
        }
        return true;
    }

    /** A number that equal expressions share. */
    private Integer number(Expr expr) {
        return numbers.computeIfAbsent(
                expr, unseen -> numberOfEqual.computeIfAbsent(unseen, equal -> numberOfEqual.size()));
    }

    /** The names that an expression may look up outside; {@link #ANY} if it may read any. */
    private static List<AttributeRef> names(Expr expr) {
        var names = new LinkedHashMap<String, AttributeRef>();
        return gather(expr, names) ? List.copyOf(names.values()) : ANY;
    }

    /** Collects the names in an expression; false if it may read any attribute. */
    private static boolean gather(Expr expr, Map<String, AttributeRef> into) {
        if (expr instanceof AttributeRef ref) {
            String name = ref.name().toLowerCase(Locale.ROOT);
            into.putIfAbsent(name, ref);
            return !ref.absolute() && !EvaluationSite.isSpecial(name);
        }
        boolean known = !(expr instanceof Call call && EvaluationSite.seesEverything(call));
        for (Expr child : expr.children()) {
            known = known && gather(child, into);
        }
        return known;
    }
}
