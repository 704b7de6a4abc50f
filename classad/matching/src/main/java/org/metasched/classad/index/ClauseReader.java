package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Binary;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.Call;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.Selection;
import org.metasched.classad.Unary;
import org.metasched.classad.UnaryOperator;
import org.metasched.classad.Value;
import org.metasched.classad.index.EvaluationSite.Conjunct;
import org.metasched.classad.index.EvaluationSite.Level;

/**
 * Reads expressions in a place where some bonds are still open: what is known becomes a value, a plain attribute of an
 * unbound neighbour stays one, and a constraint falls apart into clauses, each with what it still wants. This is the partial
 * evaluation of the gangmatching paper: a clause that mentions an open bond waits for the port where it becomes decidable.
 *
 * <p>Where a tree is beyond these rules it is evaluated whole, once nothing is missing. Stateless.
 */
final class ClauseReader {

    /** Chains of references longer than this are not followed for an index; evaluation still decides them. */
    private static final int DEEPEST = 40;

    /** A constraint with more conjuncts, which only a hostile ad has, is evaluated as a whole. */
    private static final int MOST_CLAUSES = 2_000;

    /** After so many nodes whatever is open counts as wanted: safe, and no ad can make the search for references endless. */
    private static final int MOST_NODES = 4_000;

    private ClauseReader() {}

    /** What an expression wants, and how long it took to find out. */
    private static final class Gathering {
        final Set<MissingAttribute> wanted = new HashSet<>();
        private int nodes;

        boolean tired() {
            return ++nodes > MOST_NODES;
        }
    }

    /** The conjuncts of a constraint, and where each stands; a side without constraint has one that is never met. */
    static List<Conjunct> conjuncts(@Nullable Expr constraint, EvaluationSite place) {
        var whole = new Conjunct(constraint == null ? Literal.of(false) : constraint, place, place.inner());
        var conjuncts = new ArrayList<Conjunct>();
        collect(whole, conjuncts, 0);
        return conjuncts.size() < MOST_CLAUSES ? List.copyOf(conjuncts) : List.of(whole);
    }

    /** Splits conjunctions, also those behind an own attribute: {@code Requirements = START && ...}. */
    private static void collect(Conjunct part, List<Conjunct> into, int depth) {
        if (into.size() >= MOST_CLAUSES) {
            return;
        }
        EvaluationSite place = part.place();
        Expr bare = part.expr().bare();
        if (bare instanceof Binary and && and.operator() == BinaryOperator.AND && depth < 400) {
            collect(new Conjunct(and.left(), place, part.level()), into, depth + 1);
            collect(new Conjunct(and.right(), place, part.level()), into, depth + 1);
            return;
        }
        if (bare instanceof AttributeRef ref && !ref.absolute() && depth < DEEPEST) {
            EvaluationSite.Found found = place.find(ref, part.level());
            if (found != null && found.expr().bare() instanceof Binary) {
                collect(new Conjunct(found.expr(), place, found.level()), into, depth + 10);
                return;
            }
        }
        into.add(new Conjunct(bare, place, part.level()));
    }

    /** Reads one conjunct. */
    static Clause clause(Expr expr, EvaluationSite place, Level level) {
        Expr bare = expr.bare();
        if (bare instanceof Binary binary) {
            BinaryOperator operator = binary.operator();
            if (Comparisons.understands(operator)) {
                return comparison(binary, place, level);
            }
        } else if (bare instanceof Unary not && not.operator() == UnaryOperator.NOT) {
            // !x is met by false and 0 exactly, and so is x == 0.
            if (term(not.operand(), place, level, 0) instanceof PartialValue.Asked asked) {
                return new Clause.Test(asked.wanted(), BinaryOperator.EQUAL, Value.of(0));
            }
        } else if (bare instanceof Call call
                && call.isNamed("member")
                && call.arguments().size() == 2) {
            Clause member = membership(call, place, level);
            if (member != null) {
                return member;
            }
        } else if (bare instanceof AttributeRef || bare instanceof Selection) {
            // x alone is met by true and by numbers but 0, and so is x != 0.
            PartialValue term = term(bare, place, level, 0);
            if (term instanceof PartialValue.Asked asked) {
                return new Clause.Test(asked.wanted(), BinaryOperator.NOT_EQUAL, Value.of(0));
            }
        }
        return whole(bare, place, level);
    }

    private static Clause comparison(Binary binary, EvaluationSite place, Level level) {
        PartialValue left = term(binary.left(), place, level, 0);
        PartialValue right = term(binary.right(), place, level, 0);
        if (left instanceof PartialValue.Known a && right instanceof PartialValue.Known b) {
            if (Comparisons.isScalar(a.value()) && Comparisons.isScalar(b.value())) {
                return Clause.Decided.of(binary.operator().holds(a.value(), b.value()));
            }
        } else if (left instanceof PartialValue.Asked asked
                && right instanceof PartialValue.Known known
                && Comparisons.isScalar(known.value())) {
            return new Clause.Test(asked.wanted(), binary.operator(), known.value());
        } else if (left instanceof PartialValue.Known known
                && right instanceof PartialValue.Asked asked
                && Comparisons.isScalar(known.value())) {
            return new Clause.Test(asked.wanted(), binary.operator().mirrored(), known.value());
        }
        return whole(binary, place, level);
    }

    /** {@code member(x, list)} is met if x equals an element: true of no x that is not scalar. */
    private static @Nullable Clause membership(Call call, EvaluationSite place, Level level) {
        if (term(call.arguments().get(0), place, level, 0) instanceof PartialValue.Asked asked
                && term(call.arguments().get(1), place, level, 0) instanceof PartialValue.Known known
                && known.value() instanceof Value.ListOf list) {
            var tests = new ArrayList<Clause.Test>();
            for (int i = 0; i < list.size(); i++) {
                Value element = list.get(i);
                if (!Comparisons.isScalar(element)) {
                    return null;
                }
                tests.add(new Clause.Test(asked.wanted(), BinaryOperator.EQUAL, element));
            }
            return new Clause.AnyOf(tests);
        }
        return null;
    }

    private static Clause whole(Expr expr, EvaluationSite place, Level level) {
        Set<MissingAttribute> wanted = wanted(expr, place, level, 0);
        return wanted.isEmpty()
                ? Clause.Decided.of(place.evaluate(expr, level).satisfies())
                : new Clause.Opaque(expr, place, level, wanted);
    }

    /** What an expression comes to in a place, as far as that is known. */
    static PartialValue term(Expr expr, EvaluationSite place, Level level, int depth) {
        Expr bare = expr.bare();
        if (bare instanceof Literal literal) {
            return new PartialValue.Known(literal.value());
        }
        if (depth < DEEPEST) {
            if (bare instanceof AttributeRef ref && !ref.absolute()) {
                return name(ref, place, level, depth);
            }
            if (bare instanceof Selection selection) {
                PartialValue selected = selection(selection, place, level, depth);
                if (selected != null) {
                    return selected;
                }
            }
        }
        return general(bare, place, level, depth);
    }

    private static PartialValue name(AttributeRef ref, EvaluationSite place, Level level, int depth) {
        EvaluationSite.Found found = place.find(ref, level);
        if (found != null) {
            return term(found.expr(), place, found.level(), depth + 1);
        }
        EvaluationSite.Label label = place.label(ref.name());
        if (label == null && place.fallsThrough() && !EvaluationSite.isSpecial(ref.name())) {
            LabelLink other = place.own();
            EvaluationSite peer = other.peer();
            return peer == null
                    ? new PartialValue.Asked(MissingAttribute.of(other, ref.name()))
                    : attributeOf(peer, ref, depth);
        }
        return general(ref, place, level, depth);
    }

    /** {@code label.x}, {@code MY.x} and the like; null if the base is none of these. */
    private static @Nullable PartialValue selection(Selection selection, EvaluationSite place, Level level, int depth) {
        if (!(selection.base().bare() instanceof AttributeRef base)
                || base.absolute()
                || place.find(base, level) != null) {
            return null;
        }
        EvaluationSite.Label label = place.label(base.name());
        if (label != null) {
            if (label.isList()) {
                return null;
            }
            LabelLink bond = label.bonds().get(0);
            EvaluationSite peer = bond.peer();
            return peer == null
                    ? new PartialValue.Asked(MissingAttribute.of(bond, selection.name()))
                    : selectedFrom(peer, selection, depth);
        }
        if (base.isNamed("my") || base.isNamed("self")) {
            EvaluationSite.Found found = place.find(selection, level);
            return found == null ? null : term(found.expr(), place, found.level(), depth + 1);
        }
        return null;
    }

    /** An attribute of a neighbour, as its label gives it: from the port outward. */
    static PartialValue attributeOf(EvaluationSite neighbour, AttributeRef attribute, int depth) {
        EvaluationSite.Found found = neighbour.find(attribute, neighbour.inner());
        return found == null
                ? lacking(neighbour, attribute, depth)
                : term(found.expr(), neighbour, found.level(), depth + 1);
    }

    private static PartialValue selectedFrom(EvaluationSite neighbour, Selection selection, int depth) {
        EvaluationSite.Found found = neighbour.find(selection, neighbour.inner());
        return found == null
                ? lacking(neighbour, AttributeRef.to(selection.name()), depth)
                : term(found.expr(), neighbour, found.level(), depth + 1);
    }

    /** What a neighbour's ads lack may be a label or a name of the language. */
    private static PartialValue lacking(EvaluationSite neighbour, AttributeRef attribute, int depth) {
        return neighbour.label(attribute.name()) != null || EvaluationSite.isSpecial(attribute.name())
                ? general(attribute, neighbour, neighbour.inner(), depth)
                : new PartialValue.Known(Value.UNDEFINED);
    }

    private static PartialValue general(Expr expr, EvaluationSite place, Level level, int depth) {
        Set<MissingAttribute> wanted = wanted(expr, place, level, depth);
        return wanted.isEmpty()
                ? new PartialValue.Known(place.evaluate(expr, level))
                : new PartialValue.Undecided(wanted);
    }

    /** Everything not known yet that the value of an expression may depend on. */
    private static Set<MissingAttribute> wanted(Expr expr, EvaluationSite place, Level level, int depth) {
        var gathering = new Gathering();
        gather(expr, place, level, gathering, depth);
        return gathering.wanted;
    }

    private static void gather(Expr expr, EvaluationSite place, Level level, Gathering into, int depth) {
        Expr bare = expr.bare();
        if (bare instanceof Literal) {
            return;
        }
        if (depth > DEEPEST || into.tired()) {
            place.openBonds().forEach(bond -> into.wanted.add(MissingAttribute.whole(bond)));
        } else if (bare instanceof AttributeRef ref) {
            gatherName(ref, place, level, into, depth);
        } else if (bare instanceof Selection selection) {
            PartialValue selected = selection(selection, place, level, depth + 1);
            if (selected == null) {
                gather(selection.base(), place, level, into, depth + 1);
            } else {
                into.wanted.addAll(selected.missing());
            }
        } else {
            if (bare instanceof Call call && seesEverything(call)) {
                place.openBonds().forEach(bond -> into.wanted.add(MissingAttribute.whole(bond)));
            }
            for (Expr child : bare.children()) {
                gather(child, place, level, into, depth + 1);
            }
        }
    }

    private static void gatherName(AttributeRef ref, EvaluationSite place, Level level, Gathering into, int depth) {
        EvaluationSite.Found found = ref.absolute() ? null : place.find(ref, level);
        if (found != null) {
            gather(found.expr(), place, found.level(), into, depth + 1);
            return;
        }
        EvaluationSite.Label label = place.label(ref.name());
        if (label != null) {
            for (LabelLink bond : label.bonds()) {
                EvaluationSite peer = bond.peer();
                if (peer == null) {
                    into.wanted.add(MissingAttribute.whole(bond));
                } else {
                    // Used as a value: whatever the neighbour still lacks may show through.
                    peer.openBonds().forEach(open -> into.wanted.add(MissingAttribute.whole(open)));
                }
            }
        } else if (ref.absolute() || EvaluationSite.isSpecial(ref.name())) {
            place.openBonds().forEach(bond -> into.wanted.add(MissingAttribute.whole(bond)));
        } else if (place.fallsThrough()) {
            LabelLink other = place.own();
            EvaluationSite peer = other.peer();
            if (peer == null) {
                into.wanted.add(MissingAttribute.of(other, ref.name()));
            } else {
                into.wanted.addAll(attributeOf(peer, ref, depth + 1).missing());
            }
        }
    }

    /** Functions that look names up in texts. */
    private static boolean seesEverything(Call call) {
        return call.isNamed("eval") || call.isNamed("unparse") || call.isNamed("unresolved");
    }
}
