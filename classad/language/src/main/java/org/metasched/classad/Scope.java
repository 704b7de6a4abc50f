package org.metasched.classad;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The environment in which an expression is evaluated: an ad whose attributes it sees, the scopes around that ad, the lookup rules, the
 * limits, and perhaps a given time.
 *
 * <p>A scope that a user makes never changes and may be shared between threads. The ads of the scopes of a {@link MatchContext} change
 * with the context.
 */
public final class Scope {

    /** A scope without attributes, in {@link LookupMode#NEW}. */
    public static final Scope NOWHERE = new Scope(ClassAd.EMPTY, null, LookupMode.NEW, Limits.DEFAULT);

    private ClassAd ad;
    private final @Nullable Scope parent;
    private final LookupMode mode;
    private final Limits limits;

    /** The scope of the opposite ad in a match; else null. */
    private @Nullable Scope other;

    /** The given time; null if each evaluation takes its time from the system's clock. */
    private @Nullable EvaluationClock clock;

    /** The ad in this scope as a value. */
    private final Value.Record record = new Value.Record(this);

    Scope(ClassAd ad, @Nullable Scope parent, LookupMode mode, Limits limits) {
        this.ad = Objects.requireNonNull(ad, "The ad of the scope is null.");
        this.parent = parent;
        this.mode = mode;
        this.limits = limits;
    }

    /** The scope of an ad on its own, in {@link LookupMode#NEW}. */
    public static Scope of(ClassAd ad) {
        return new Scope(ad, null, LookupMode.NEW, Limits.DEFAULT);
    }

    /** The scope of an ad on its own. */
    public static Scope of(ClassAd ad, LookupMode mode) {
        return new Scope(ad, null, mode, Limits.DEFAULT);
    }

    /** The scope of an ad on its own, with limits of its own. */
    public static Scope of(ClassAd ad, LookupMode mode, Limits limits) {
        return new Scope(ad, null, mode, limits);
    }

    /** The scope of an ad opposite another one, as in a match: MY is the first, TARGET and {@code other} are the second. */
    public static Scope matching(ClassAd my, ClassAd target, LookupMode mode) {
        return LanguageServices.loaded().matching(my, target, mode);
    }

    /** The scope of an ad as if it were written inside the ad of this scope: names that it lacks are looked up here. */
    public Scope inner(ClassAd nested) {
        var inner = new Scope(nested, this, mode, limits);
        inner.clock = clock;
        return inner;
    }

    /**
     * A copy of this scope with a given time: evaluations in it see that time and draw their random numbers from its source. For the
     * scopes of a {@link MatchContext} use {@link MatchContext#at}: the copy keeps its ad when the context changes.
     */
    public Scope at(EvaluationTime moment) {
        var same = new Scope(ad, parent == null ? null : parent.at(moment), mode, limits);
        same.clock = new EvaluationClock(moment);
        same.other = other;
        return same;
    }

    /** The ad of this scope. */
    public ClassAd ad() {
        return ad;
    }

    /** The scope around this one; null for the outermost. */
    public @Nullable Scope parent() {
        return parent;
    }

    /** The rules by which names are looked up in this scope. */
    public LookupMode mode() {
        return mode;
    }

    /** The limits of evaluations in this scope. */
    public Limits limits() {
        return limits;
    }

    /** The given time; null if each evaluation takes its time from the system's clock. */
    @Nullable
    EvaluationClock clock() {
        return clock;
    }

    /** Sets the time that evaluations in this scope see, and in scopes that are made inside it from now on. */
    void setClock(EvaluationClock given) {
        clock = given;
    }

    /** The ad in this scope as a value. */
    Value.Record record() {
        return record;
    }

    /** The scope of the opposite ad, if this is the scope of an ad in a match; null for others, also for those inside such an ad. */
    @Nullable
    Scope other() {
        return other;
    }

    /** Sets the scope of the opposite ad in a match. */
    void setOther(Scope opposite) {
        other = opposite;
    }

    /** Replaces the ad: for the scopes of a {@link MatchContext} only. */
    void setAd(ClassAd to) {
        ad = to;
    }

    /** The outermost scope around this one. */
    Scope root() {
        Scope root = this;
        Scope above;
        while ((above = root.parent) != null) {
            root = above;
        }
        return root;
    }

    /** Whether two scopes have the same ads, up to a scope that both share: the same ad may have a scope for each lookup of it. */
    boolean isSameAs(Scope that) {
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
     * An expression whose value can be exchanged, such as the ad that a label is bound to. Only {@link MatchContext} and {@link
     * LabelBindings} make such expressions; a parsed ad has none.
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
