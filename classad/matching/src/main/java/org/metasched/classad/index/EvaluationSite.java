package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/**
 * Where the expressions of one side of a docking are read: its port, the ad around it, and then the labels in scope, that is,
 * its own and those of the ports before it. Bonds come and go while a gang is sought. Not thread-safe.
 */
public final class EvaluationSite {

    /** How far in an expression stands: in the port, or in the ad that holds it. What an outer one lacks, an inner one may not give. */
    public enum Level {
        PORT,
        HOLDER
    }

    /** An attribute, and where it was found. */
    record Found(Expr expr, Level level) {}

    /**
     * A name for neighbours.
     *
     * @param bonds one for each neighbour
     * @param isList whether the name means a list of neighbours even if there is one
     */
    public record Label(String name, List<LabelLink> bonds, boolean isList) {}

    private static final Set<String> SPECIAL =
            Set.of("my", "self", "parent", "root", "toplevel", "currenttime", "target", "other", "ad");

    private static final Set<String> SELF = Set.of("my", "self", "parent", "root", "toplevel");

    private final MatchParty side;
    private final LabelLink own;
    private final List<Label> earlier;
    private @Nullable PlaceScopes scopes;
    private @Nullable List<Conjunct> conjuncts;

    /** The place of a side whose labels are just its own, with an open bond. */
    public EvaluationSite(MatchParty side) {
        this(side, new LabelLink(side.label()), List.of());
    }

    /** The place of a port with the labels of the ports before it. */
    public EvaluationSite(MatchParty side, LabelLink own, List<Label> earlier) {
        this.side = side;
        this.own = own;
        this.earlier = earlier;
    }

    /** Two sides that face each other. */
    public static EvaluationSite facing(MatchParty side, MatchParty other) {
        var place = new EvaluationSite(side);
        var opposite = new EvaluationSite(other);
        place.own.bind(opposite);
        opposite.own.bind(place);
        return place;
    }

    /** Answers a question while another place is bound to this one's open bond. */
    public <T> T facing(EvaluationSite opposite, Supplier<T> question) {
        opposite.own.bind(this);
        own.bind(opposite);
        try {
            return question.get();
        } finally {
            own.release();
        }
    }

    /** The side that stands here. */
    public MatchParty side() {
        return side;
    }

    /** The bond to the other side. */
    public LabelLink own() {
        return own;
    }

    List<Label> earlier() {
        return earlier;
    }

    Level inner() {
        return side.isWhole() ? Level.HOLDER : Level.PORT;
    }

    /** The attribute that a reference names, seen from a level outward, or null. */
    @Nullable
    Found find(AttributeRef name, Level from) {
        ClassAd port = side.port();
        Expr inPort = from == Level.PORT && port != null ? port.lookup(name).orElse(null) : null;
        if (inPort != null) {
            return new Found(inPort, Level.PORT);
        }
        Expr inHolder = side.holder().lookup(name).orElse(null);
        return inHolder == null ? null : new Found(inHolder, Level.HOLDER);
    }

    /** The label of a name; attributes of that name go first. */
    @Nullable
    Label label(String name) {
        for (Label label : earlier) {
            if (label.name().equalsIgnoreCase(name)) {
                return label;
            }
        }
        return side.calls(name) ? new Label(side.label(), List.of(own), false) : null;
    }

    /** Whether names that nothing here explains are looked up on the other side. */
    boolean fallsThrough() {
        return side.isWhole();
    }

    /** Names the language itself gives a meaning. */
    static boolean isSpecial(String name) {
        return SPECIAL.contains(name.toLowerCase(Locale.ROOT));
    }

    /** The bonds in scope that are open, and those that open neighbours would show. */
    List<LabelLink> openBonds() {
        var open = new ArrayList<LabelLink>();
        addOpen(own, open);
        for (Label label : earlier) {
            label.bonds().forEach(bond -> addOpen(bond, open));
        }
        return open;
    }

    private static void addOpen(LabelLink bond, List<LabelLink> into) {
        EvaluationSite peer = bond.peer();
        if (peer == null) {
            into.add(bond);
        } else {
            for (Label label : peer.earlier) {
                for (LabelLink further : label.bonds()) {
                    if (further.isOpen()) {
                        into.add(further);
                    }
                }
            }
        }
    }

    /** The clauses of this side's constraint, as far as they are decided now. */
    public List<Clause> clauses() {
        return conjuncts().stream().map(Conjunct::read).toList();
    }

    /** The conjuncts of this side's constraint, to be {@link Conjunct#read read} whenever more is known. */
    public List<Conjunct> conjuncts() {
        List<Conjunct> known = conjuncts;
        if (known == null) {
            known = ClauseReader.conjuncts(side.constraint(), this);
            conjuncts = known;
        }
        return known;
    }

    /** A part of a constraint in its place. */
    public record Conjunct(Expr expr, EvaluationSite place, Level level) {

        /** The clause with the bonds as they are now. */
        public Clause read() {
            return ClauseReader.clause(expr, place, level);
        }

        /** Value of a part with the bonds as they are now. */
        public PartialValue term(Expr part) {
            return ClauseReader.term(part, place, level);
        }

        /** The value of a part of it with the bonds as they are now. */
        public Value evaluate(Expr part) {
            return place.evaluate(part, level);
        }

        /** Its value with the bonds as they are now. */
        public Value value() {
            return place.evaluate(expr, level);
        }
    }

    /** The attributes of unbound neighbours on which an own expression depends. */
    public Set<MissingAttribute> missingFor(Expr expr) {
        return ClauseReader.term(expr, this, inner()).missing();
    }

    /** Value of an attribute of this side, as its neighbours see it. */
    public PartialValue attribute(String name) {
        return attribute(AttributeRef.to(name));
    }

    /** Value of an attribute of this side, as its neighbours see it. */
    PartialValue attribute(AttributeRef name) {
        return ClauseReader.attributeOf(this, name);
    }

    /** The value of an own expression; names of open bonds are UNDEFINED. */
    public Value evaluate(Expr expr) {
        return evaluate(expr, inner());
    }

    /** Whether this side's constraint is true, with all bonds as they are. */
    public boolean isSatisfied() {
        Expr constraint = side.constraint();
        return constraint != null && evaluate(constraint, inner()).satisfies();
    }

    /** This side's rank of the other; 0 without one. */
    public double rank() {
        Expr rank = side.rank();
        return rank == null ? 0.0 : finite(evaluate(rank, inner()).rank());
    }

    private static double finite(double rank) {
        return Double.isNaN(rank) ? 0.0 : rank;
    }

    /** Evaluates in the language's own way; names of open bonds are UNDEFINED. */
    Value evaluate(Expr expr, Level level) {
        return expr.evaluate(scopes().at(level));
    }

    /**
     * An expression of this side with the side's own attributes filled in and all that depends on others left as it is. Equal results
     * mean the same to equal neighbours; where that is unknown, the result is equal to nothing else.
     *
     * @param openLists whether a neighbour may have a list with elements other than constants
     */
    public Object residual(Expr expr, boolean openLists) {
        return residual(expr, inner(), openLists);
    }

    Object residual(Expr expr, Level level, boolean openLists) {
        Scope scope = Scope.of(side.holder(), LookupMode.OLD, PlaceScopes.LIMITS);
        ClassAd port = side.port();
        Expr residual = expr.flatten(level == Level.PORT && port != null ? scope.inner(port) : scope);
        if (openLists && OpenLists.mayBeReadBy(residual)) {
            return new Object();
        }
        // What is left of an own attribute stays behind its name, and would be different under the same name elsewhere.
        for (String name : residual.names()) {
            if (find(AttributeRef.to(name), level) != null || SELF.contains(name.toLowerCase(Locale.ROOT))) {
                return new Object();
            }
        }
        return residual;
    }

    PlaceScopes scopes() {
        PlaceScopes known = scopes;
        if (known == null) {
            known = new PlaceScopes(this);
            scopes = known;
        }
        return known;
    }
}
