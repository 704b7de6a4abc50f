package org.metasched.classad;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The place an expression is evaluated in: an ad, the ads around it, the lookup rules and the limits; perhaps a moment.
 *
 * <p>A scope that a user makes never changes and may be shared between threads; the scopes of a {@link MatchContext} move
 * when the context does.
 */
public final class Scope {

    /** No attributes at all, strict rules. */
    public static final Scope NOWHERE = new Scope(ClassAd.EMPTY, null, LookupMode.NEW, Limits.DEFAULT);

    private ClassAd ad;
    private final @Nullable Scope parent;
    private final LookupMode mode;
    private final Limits limits;
    private @Nullable Scope other;
    private @Nullable EvaluationClock present;
    private final Value.Record record = new Value.Record(this);

    Scope(ClassAd ad, @Nullable Scope parent, LookupMode mode, Limits limits) {
        this.ad = Objects.requireNonNull(ad, "The ad of the scope is null.");
        this.parent = parent;
        this.mode = mode;
        this.limits = limits;
    }

    /** An ad on its own, strict rules. */
    public static Scope of(ClassAd ad) {
        return new Scope(ad, null, LookupMode.NEW, Limits.DEFAULT);
    }

    /** An ad on its own. */
    public static Scope of(ClassAd ad, LookupMode mode) {
        return new Scope(ad, null, mode, Limits.DEFAULT);
    }

    /** An ad on its own, evaluated within other limits than the usual ones. */
    public static Scope of(ClassAd ad, LookupMode mode, Limits limits) {
        return new Scope(ad, null, mode, limits);
    }

    /** A customer ad opposite an offer, as in a match: MY is the customer, TARGET and {@code other} the offer. */
    public static Scope matching(ClassAd my, ClassAd target, LookupMode mode) {
        return LanguageServices.loaded().matching(my, target, mode);
    }

    /** An ad inside this place, as if it were written there: what it lacks is looked up here. */
    public Scope inner(ClassAd nested) {
        var inner = new Scope(nested, this, mode, limits);
        inner.present = present;
        return inner;
    }

    /**
     * This place at a moment: evaluations that begin here see that time and draw their random numbers from its source. For the
     * places of a {@link MatchContext} use {@link MatchContext#at}: what comes out here does not move with the context.
     */
    public Scope at(EvaluationTime moment) {
        var same = new Scope(ad, parent == null ? null : parent.at(moment), mode, limits);
        same.present = new EvaluationClock(moment);
        same.other = other;
        return same;
    }

    /** The ad of this place. */
    public ClassAd ad() {
        return ad;
    }

    /** The place around this one, null for the outermost. */
    public @Nullable Scope parent() {
        return parent;
    }

    /** How names are looked up from here. */
    public LookupMode mode() {
        return mode;
    }

    /** How deep and how long an evaluation from here may be. */
    public Limits limits() {
        return limits;
    }

    /** The time that evaluations see which begin here; null for the clock's. */
    @Nullable
    EvaluationClock present() {
        return present;
    }

    void during(EvaluationClock time) {
        present = time;
    }

    Value.Record record() {
        return record;
    }

    /** The other side, if this is the place of a matched ad itself. */
    @Nullable
    Scope other() {
        return other;
    }

    void face(Scope opposite) {
        other = opposite;
    }

    void move(ClassAd to) {
        ad = to;
    }

    Scope root() {
        Scope root = this;
        Scope above;
        while ((above = root.parent) != null) {
            root = above;
        }
        return root;
    }

    /** Whether two scopes are the same place, perhaps reached on two ways. */
    boolean samePlace(Scope that) {
        Scope a = this;
        Scope b = that;
        while (a != b) {
            Scope aboveA = a.parent;
            Scope aboveB = b.parent;
            if (a.ad != b.ad || aboveA == null || aboveB == null) {
                return false;
            }
            a = aboveA;
            b = aboveB;
        }
        return true;
    }

    /**
     * The binding of a label: a place that can be exchanged. Stands only in the ads that contexts make, never in a parsed one.
     */
    static final class Ref extends Expr.Evaluated {

        private Value value = Value.UNDEFINED;

        Ref() {
            super(0);
        }

        void bind(Value to) {
            value = to;
        }

        Value value() {
            return value;
        }

        @Override
        public List<Expr> children() {
            return List.of();
        }

        @Override
        boolean sameAs(Expr other) {
            return false;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
