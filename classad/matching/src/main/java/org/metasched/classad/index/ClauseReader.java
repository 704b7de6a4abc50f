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

/**
 * The reader of expressions at an evaluation site some of whose links are still open. An expression that is known becomes a value; one
 * that is exactly an attribute of an unbound neighbour becomes a reference; a constraint is split into clauses, each with the attributes
 * that it misses. This is the partial evaluation of the gangmatching paper: a clause that mentions an open link waits for the port where
 * it becomes decidable.
 *
 * <p>Any other expression is evaluated as a whole once nothing is missing. A reader is used for one expression.
 */
final class ClauseReader {

    /** The longest chain of references that is followed; longer ones are left to evaluation. */
    private static final int DEEPEST = 40;
    /** The deepest nesting of conjunctions that is split; a deeper part is one conjunct. */
    private static final int DEEPEST_CONJUNCTION = 400;

    /** The most conjuncts of a constraint; one with more, which only a hostile ad has, is evaluated as a whole. */
    private static final int MOST_CLAUSES = 2_000;

    /** The most nodes that are read, so that reading a hostile ad ends. Beyond it, all open links count as wanted, which is safe. */
    private static final int MOST_NODES = 4_000;

    /** All missing attributes on which the value of the expression may depend. */
    private final Set<MissingAttribute> wanted = new HashSet<>();

    private int nodes;

    private ClauseReader() {}

    /** The conjuncts of a constraint, each with the level of its ad. */
    static List<Conjunct> conjuncts(Conjunct whole) {
        var conjuncts = new ArrayList<Conjunct>();
        collect(whole, conjuncts, 0);
        return conjuncts.size() < MOST_CLAUSES ? List.copyOf(conjuncts) : List.of(whole);
    }

    /** Adds the operands of conjunctions; an attribute of this side that is one is followed, as in {@code Requirements = START && ...}. */
    private static void collect(Conjunct part, List<Conjunct> into, int depth) {
        if (into.size() >= MOST_CLAUSES) {
            return;
        }
        Expr bare = part.expr().bare();
        if (bare instanceof Binary and && and.operator() == BinaryOperator.AND && depth < DEEPEST_CONJUNCTION) {
            collect(part.with(and.left()), into, depth + 1);
            collect(part.with(and.right()), into, depth + 1);
            return;
        }
        if (bare instanceof AttributeRef ref && !ref.absolute() && depth < DEEPEST) {
            Conjunct found = part.site().find(ref, part.level());
            if (found != null && found.expr().bare() instanceof Binary) {
                // A reference counts as ten levels, so that at most four of them are followed.
                collect(found, into, depth + 10);
                return;
            }
        }
        into.add(part.with(bare));
    }

    /** The clause of a conjunct: decided, a test of one attribute, a choice of tests, or else opaque. */
    static Clause clause(Conjunct conjunct) {
        Expr bare = conjunct.expr().bare();
        if (bare instanceof Binary binary && Comparisons.isComparison(binary.operator())) {
            return comparison(binary, conjunct);
        }
        Clause test = bare instanceof Call call && call.isNamed("member") ? membership(call, conjunct) : null;
        if (test != null) {
            return test;
        }
        boolean negated = bare instanceof Unary unary && unary.operator() == UnaryOperator.NOT;
        var reader = new ClauseReader();
        if (reader.read(conjunct.with(negated ? bare.children().get(0) : bare), 0) == null) {
            // !x holds exactly for false and 0, as does x == 0; x holds for true and numbers except 0, as does x != 0.
            BinaryOperator operator = negated ? BinaryOperator.EQUAL : BinaryOperator.NOT_EQUAL;
            return new Clause.Test(reader.wanted.iterator().next(), operator, Value.of(0));
        }
        return whole(conjunct, reader.wanted);
    }

    /** The clause of a conjunct that is evaluated as a whole. */
    private static Clause whole(Conjunct conjunct, Set<MissingAttribute> wanted) {
        return wanted.isEmpty() ? Clause.Decided.of(conjunct.value().satisfies()) : new Clause.Opaque(conjunct, wanted);
    }

    /** The clause of a comparison: a test if one side is an attribute of an unbound neighbour and the other a known scalar. */
    private static Clause comparison(Binary binary, Conjunct conjunct) {
        PartialValue left = term(conjunct.with(binary.left()));
        PartialValue right = term(conjunct.with(binary.right()));
        BinaryOperator operator = binary.operator();
        if (isScalar(left) && isScalar(right)) {
            return Clause.Decided.of(operator.holds(valueOf(left), valueOf(right)));
        }
        if (left instanceof PartialValue.Reference reference && isScalar(right)) {
            return new Clause.Test(reference.wanted(), operator, valueOf(right));
        }
        if (right instanceof PartialValue.Reference reference && isScalar(left)) {
            return new Clause.Test(reference.wanted(), operator.mirrored(), valueOf(left));
        }
        var wanted = new HashSet<>(left.missing());
        wanted.addAll(right.missing());
        return whole(conjunct, wanted);
    }

    private static boolean isScalar(PartialValue term) {
        return term instanceof PartialValue.Known known && Comparisons.isScalar(known.value());
    }

    private static Value valueOf(PartialValue term) {
        return term instanceof PartialValue.Known known ? known.value() : Value.UNDEFINED;
    }

    /**
     * The clause of {@code member(x, list)}: x equals an element. Null unless x is an attribute of an unbound neighbour and all are
     * scalar.
     */
    private static @Nullable Clause membership(Call call, Conjunct conjunct) {
        if (call.arguments().size() == 2
                && term(conjunct.with(call.arguments().get(0))) instanceof PartialValue.Reference reference
                && valueOf(term(conjunct.with(call.arguments().get(1)))) instanceof Value.ListOf list) {
            var tests = new ArrayList<Clause.Test>();
            for (Expr part : list.elements()) {
                PartialValue element = term(conjunct.with(part));
                if (call.isLexical() && !(part instanceof Literal) || !isScalar(element)) {
                    return null;
                }
                tests.add(new Clause.Test(reference.wanted(), BinaryOperator.EQUAL, valueOf(element)));
            }
            return new Clause.AnyOf(tests);
        }
        return null;
    }

    /** The value of an expression at its evaluation site, as far as it is known. */
    static PartialValue term(Conjunct part) {
        var reader = new ClauseReader();
        return reader.value(reader.read(part, 0));
    }

    /** The value of an attribute of an evaluation site as far as it is known, as neighbours see it: looked up from the port outward. */
    static PartialValue attributeOf(EvaluationSite site, AttributeRef attribute) {
        var reader = new ClauseReader();
        return reader.value(reader.attribute(site, attribute, 0));
    }

    /** The result of reading; {@code end} is the result of {@link #read}. */
    private PartialValue value(@Nullable Conjunct end) {
        if (end == null) {
            return new PartialValue.Reference(wanted.iterator().next());
        }
        return wanted.isEmpty() ? new PartialValue.Known(end.value()) : new PartialValue.Undecided(wanted);
    }

    /**
     * Reads an expression: collects the missing attributes that its value depends on.
     *
     * @return the expression at the end of the chain of references; null if that is exactly an attribute of an unbound neighbour
     */
    private @Nullable Conjunct read(Conjunct part, int depth) {
        Expr bare = part.expr().bare();
        if (bare instanceof Literal) {
            return part.with(bare);
        }
        if (depth > DEEPEST || ++nodes > MOST_NODES) {
            wantAllOf(part.site());
        } else if (bare instanceof AttributeRef ref) {
            return name(ref, part, depth);
        } else if (bare instanceof Selection selection) {
            return selection(selection, part, depth);
        } else {
            if (bare instanceof Call call && EvaluationSite.seesEverything(call)) {
                wantAllOf(part.site());
            }
            for (Expr child : bare.children()) {
                read(part.with(child), depth + 1);
            }
        }
        return part.with(bare);
    }

    /** Lets the value depend on all attributes of all open links of a site. */
    private void wantAllOf(EvaluationSite site) {
        site.openLinks().forEach(link -> wanted.add(MissingAttribute.whole(link)));
    }

    /** Reads a name: an own attribute, a label, a name of the language, or, in a match without ports, an attribute of the neighbour. */
    private @Nullable Conjunct name(AttributeRef ref, Conjunct part, int depth) {
        EvaluationSite site = part.site();
        Conjunct found = ref.absolute() ? null : site.find(ref, part.level());
        if (found != null) {
            return read(found, depth + 1);
        }
        EvaluationSite.Label label = site.label(ref.name());
        if (label != null) {
            for (LabelLink link : label.links()) {
                EvaluationSite peer = link.peer();
                if (peer == null) {
                    wanted.add(MissingAttribute.whole(link));
                } else {
                    // The ad is used as a value, which may depend on all that the neighbour still lacks.
                    wantAllOf(peer);
                }
            }
        } else if (ref.absolute() || EvaluationSite.isSpecial(ref.name())) {
            wantAllOf(site);
        } else if (site.side().isWhole()) {
            return attribute(site.own(), ref, depth);
        }
        return part.with(ref);
    }

    /** Reads a selection: {@code label.x}, {@code MY.x} and the like, or one from any other base. */
    private @Nullable Conjunct selection(Selection selection, Conjunct part, int depth) {
        EvaluationSite site = part.site();
        if (selection.base().bare() instanceof AttributeRef base
                && !base.absolute()
                && site.find(base, part.level()) == null) {
            EvaluationSite.Label label = site.label(base.name());
            if (label != null && !label.isList()) {
                return attribute(label.links().get(0), selection.selected(), depth);
            }
            boolean isOwn = label == null && (base.isNamed("my") || base.isNamed("self"));
            Conjunct found = isOwn ? site.find(selection.selected(), part.level()) : null;
            if (found != null) {
                return read(found, depth + 1);
            }
            if (isOwn
                    && site.side().isWhole()
                    && site.label(selection.name()) == null
                    && !EvaluationSite.isSpecial(selection.name())) {
                return part.with(Literal.of(Value.UNDEFINED));
            }
        }
        read(part.with(selection.base()), depth + 1);
        return part.with(selection);
    }

    /** Reads an attribute of the neighbour at a link, which is missing while the link is open. */
    private @Nullable Conjunct attribute(LabelLink link, AttributeRef attribute, int depth) {
        EvaluationSite peer = link.peer();
        if (peer == null) {
            wanted.add(MissingAttribute.of(link, attribute.name()));
            return null;
        }
        return attribute(peer, attribute, depth);
    }

    /** Reads an attribute of a bound neighbour. */
    private @Nullable Conjunct attribute(EvaluationSite neighbour, AttributeRef attribute, int depth) {
        Conjunct found = neighbour.find(attribute, neighbour.inner());
        if (found != null) {
            return read(found, depth + 1);
        }
        // A name that the neighbour's ads lack may be one of its labels, or a built-in attribute of the language.
        return neighbour.label(attribute.name()) != null || EvaluationSite.isSpecial(attribute.name())
                ? name(attribute, neighbour.conjunct(attribute), depth)
                : neighbour.conjunct(Literal.of(Value.UNDEFINED));
    }
}
