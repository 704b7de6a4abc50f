package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Call;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;

/**
 * Roots that differ only in attributes that their ports never look at, like Name and QDate: they are one form, and what the ports of
 * a form ask before anybody is bound is read once. Autoclusters of roots, found from references. Not thread-safe.
 */
final class RootForms {

    /** More forms than this are not remembered: a pool of roots that all differ gains nothing from it. */
    private static final int MOST_FORMS = 1 << 16;

    /** Names that may mean the whole ad. */
    private static final Set<String> SELF = Set.of("my", "self", "parent", "root", "toplevel");

    /** An expression by its identity: parsed again, the same text is nearly always the same object. */
    private record Same(Expr expr) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Same same && same.expr == expr;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(expr);
        }
    }

    private static final AttributeRef PORTS = AttributeRef.to("Ports");
    private static final Expr ABSENT = AttributeRef.to("absent");
    private static final List<AttributeRef> ANY = List.of(AttributeRef.to("self"));

    private final Map<List<Same>, Member> forms = new HashMap<>();

    /** For each list of ports the names that it may look up in its ad, or empty if that could be any. */
    private final Map<Expr, List<AttributeRef>> namesIn = new IdentityHashMap<>();

    /** A member that stands for the form of a root, for one search at a time. */
    Member of(PortedAd root) {
        List<Same> key = key(root);
        Member known = key == null ? null : forms.get(key);
        if (known == null) {
            known = new Member(root, -1, -1);
            if (key != null && forms.size() < MOST_FORMS) {
                forms.put(key, known);
            }
        }
        return known;
    }

    private @Nullable List<Same> key(PortedAd root) {
        ClassAd ad = root.ad();
        Expr ports = ad.lookup(PORTS).orElse(null);
        if (ports == null || root.gangRank() != null) {
            return null;
        }
        List<AttributeRef> names =
                namesIn.size() < MOST_FORMS ? namesIn.computeIfAbsent(ports, RootForms::names) : names(ports);
        var key = new ArrayList<Same>(names.size() + 1);
        key.add(new Same(ports));
        for (AttributeRef name : names) {
            Expr expr = ad.lookup(name).orElse(null);
            // An attribute that itself looks at others would have to be followed; such roots are forms of their own.
            if (name == ANY.get(0) || expr != null && !(expr instanceof Literal)) {
                return null;
            }
            key.add(new Same(expr == null ? ABSENT : expr));
        }
        return key;
    }

    private static List<AttributeRef> names(Expr ports) {
        var names = new LinkedHashMap<String, AttributeRef>();
        return gather(ports, names) ? List.copyOf(names.values()) : ANY;
    }

    private static boolean gather(Expr expr, Map<String, AttributeRef> into) {
        if (expr instanceof AttributeRef ref) {
            String name = ref.name().toLowerCase(Locale.ROOT);
            into.putIfAbsent(name, ref);
            return !ref.absolute() && !SELF.contains(name);
        }
        if (expr instanceof Call call
                && (call.isNamed("eval") || call.isNamed("unparse") || call.isNamed("unresolved"))) {
            return false;
        }
        for (Expr child : expr.children()) {
            if (!gather(child, into)) {
                return false;
            }
        }
        return true;
    }
}
