package org.metasched.classad.index;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Call;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/**
 * The environment of the expressions of one side of a docking: the attributes of its port, those of the ad around it, and the labels in
 * scope, which are its own and those of the ports before it. Links are bound and released during the search for a gang. Not thread-safe.
 */
public final class EvaluationSite {

    /** The ad to which an expression belongs. */
    public enum Level {
        /** The port: its expressions see the attributes of the port, then those of the holder. */
        PORT,
        /** The ad around the port: its expressions do not see the attributes of the port. */
        HOLDER
    }

    /**
     * A label, the name of one or several neighbours.
     *
     * @param links the links to the neighbours, one for each
     * @param isList whether the name means a list of neighbours even if there is one
     */
    public record Label(String name, List<LabelLink> links, boolean isList) {}

    /** The names, in lower case, to which the language gives a meaning that may depend on the whole ad. */
    private static final Set<String> SPECIAL =
            Set.of(("my self parent root toplevel ad left right lctx rctx symmetricmatch"
                            + " leftmatchesright rightmatchesleft leftrankvalue rightrankvalue")
                    .split(" "));

    /** CurrentTime, which each ad has. */
    private static final Expr TIME = Call.of("time", List.of());

    private final MatchParty side;
    private final LabelLink own;

    /** The labels of the ports before this one. */
    final List<Label> earlier;

    private @Nullable EvaluationScopes scopes;
    private @Nullable List<Conjunct> conjuncts;

    /** The evaluation site of a side that sees its own label alone, with an open link. */
    public EvaluationSite(MatchParty side) {
        this(side, new LabelLink(side.label()), List.of());
    }

    /** The evaluation site of a port with the labels of the ports before it. */
    public EvaluationSite(MatchParty side, LabelLink own, List<Label> earlier) {
        this.side = side;
        this.own = own;
        this.earlier = earlier;
    }

    /** The result of a question that is asked while this site and another one are bound to each other; then opens this site's link. */
    public <T> T facing(EvaluationSite opposite, Supplier<T> question) {
        opposite.own.bind(this);
        own.bind(opposite);
        try {
            return question.get();
        } finally {
            own.release();
        }
    }

    /** The side to which this site belongs. */
    public MatchParty side() {
        return side;
    }

    /** The link to the other side. */
    public LabelLink own() {
        return own;
    }

    /** The innermost ad of this side. */
    Level inner() {
        return side.isWhole() ? Level.HOLDER : Level.PORT;
    }

    /** The attribute that a reference names, looked up from an ad of this side outward; null if there is none. */
    @Nullable
    Conjunct find(AttributeRef name, Level from) {
        ClassAd port = side.port();
        Expr inPort = from == Level.PORT && port != null ? port.lookup(name).orElse(null) : null;
        if (inPort != null) {
            return new Conjunct(inPort, this, Level.PORT);
        }
        Expr inHolder = side.holder().lookup(name).orElse(name.isNamed("CurrentTime") ? TIME : null);
        return inHolder == null ? null : new Conjunct(inHolder, this, Level.HOLDER);
    }

    /** An expression to be read at this site, in the innermost ad. */
    public Conjunct conjunct(Expr expr) {
        return new Conjunct(expr, this, inner());
    }

    /** The label of a name; null if there is none. The caller looks for an attribute of that name before. */
    @Nullable
    Label label(String name) {
        for (Label label : earlier) {
            if (label.name().equalsIgnoreCase(name)) {
                return label;
            }
        }
        return side.namesOtherSide(name) ? new Label(side.label(), List.of(own), false) : null;
    }

    /** Whether a name, ignoring case, may stand for the whole ad. */
    public static boolean isSpecial(String name) {
        return SPECIAL.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Whether a call may read any attribute: its function looks up names that are computed as texts. */
    public static boolean seesEverything(Call call) {
        return call.isNamed("eval") || call.isNamed("unparse") || call.isNamed("unresolved");
    }

    /** The open links of labels in scope, and of the labels in scope of their bound neighbours. */
    List<LabelLink> openLinks() {
        return Stream.concat(Stream.of(own), links(earlier))
                .flatMap(link -> {
                    EvaluationSite peer = link.peer();
                    return peer == null
                            ? Stream.of(link)
                            : links(peer.earlier).filter(further -> further.peer() == null);
                })
                .toList();
    }

    private static Stream<LabelLink> links(List<Label> labels) {
        return labels.stream().flatMap(label -> label.links().stream());
    }

    /** The clauses of this side's constraint, as far as they are decided now. */
    public List<Clause> clauses() {
        return conjuncts().stream().map(Conjunct::read).toList();
    }

    /** The conjuncts of this side's constraint, to be {@link Conjunct#read read} again when more links are bound. */
    public List<Conjunct> conjuncts() {
        if (conjuncts == null) {
            Expr constraint = side.constraint();
            conjuncts = ClauseReader.conjuncts(conjunct(constraint == null ? Literal.of(false) : constraint));
        }
        return conjuncts;
    }

    /**
     * An expression and where it is read: a conjunct of the constraint, a part of one, or an attribute.
     *
     * @param level the ad to which the expression belongs
     */
    public record Conjunct(Expr expr, EvaluationSite site, Level level) {

        /** Another expression at the same evaluation site and level. */
        public Conjunct with(Expr other) {
            return other == expr ? this : new Conjunct(other, site, level);
        }

        /** The clause with the links as they are now. */
        public Clause read() {
            return ClauseReader.clause(this);
        }

        /** The value of the expression, as far as it is known with the links as they are now. */
        public PartialValue term() {
            return ClauseReader.term(this);
        }

        /** The value of the expression with the links as they are now; labels of open links are UNDEFINED. */
        public Value value() {
            return expr instanceof Literal literal
                    ? literal.value()
                    : expr.evaluate(site.scopes().at(level));
        }

        /**
         * The expression with the values of the side's own attributes, while parts that depend on neighbours remain. Expressions with equal
         * results have equal values for equal neighbours. If that cannot be guaranteed, the result equals no other one.
         *
         * @param openLists whether a neighbour may have a list with elements other than constants
         */
        public Object residual(boolean openLists) {
            ClassAd port = site.side.port();
            Scope scope = Scope.of(site.side.holder(), LookupMode.OLD, EvaluationScopes.LIMITS);
            Expr residual = expr.flatten(level == Level.PORT && port != null ? scope.inner(port) : scope);
            // An own attribute that remains as a name may have another value in another ad.
            boolean unknown = openLists && OpenLists.mayBeReadBy(residual)
                    || residual.names().stream()
                            .anyMatch(name -> site.find(AttributeRef.to(name), level) != null || isSpecial(name));
            return unknown ? new Object() : residual;
        }
    }

    /** The attributes of unbound neighbours on which an own expression depends. */
    public Set<MissingAttribute> missingFor(Expr expr) {
        return conjunct(expr).term().missing();
    }

    /** Value of an attribute of this side, as its neighbours see it. */
    public PartialValue attribute(String name) {
        return attribute(AttributeRef.to(name));
    }

    /** Value of an attribute of this side, as its neighbours see it. */
    PartialValue attribute(AttributeRef name) {
        return ClauseReader.attributeOf(this, name);
    }

    /** Whether this side's constraint holds with the links as they are now; false without a constraint. */
    public boolean isSatisfied() {
        Expr constraint = side.constraint();
        return constraint != null && conjunct(constraint).value().satisfies();
    }

    /** This side's rank of the other side; 0 if it has none, or if that is no number. */
    public double rank() {
        Expr rank = side.rank();
        double value = rank == null ? 0.0 : conjunct(rank).value().rank();
        return Double.isNaN(value) ? 0.0 : value;
    }

    /** The scopes in which this site's expressions are evaluated. */
    EvaluationScopes scopes() {
        if (scopes == null) {
            scopes = new EvaluationScopes(this);
        }
        return scopes;
    }
}
