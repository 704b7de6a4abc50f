package org.metasched.classad;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Name;

/**
 * A match of two ads, left and right: each is MY to itself and TARGET (or {@code other}) to the opposite one. Either ad can be exchanged
 * without making objects: a matchmaker compares millions of pairs in one context.
 *
 * <p>Not thread-safe: each thread needs its own context. A list or ad that an evaluation returned shows the ads that are in the context
 * when it is read.
 */
public final class MatchContext {

    private final Scope left;
    private final Scope right;

    /** Whether an ad without Requirements is asked for its Constraint. */
    private final boolean readsConstraint;

    /** The attributes of the left and of the right ad that the context reads. */
    private final PolicyMemos leftPolicy = new PolicyMemos();

    private final PolicyMemos rightPolicy = new PolicyMemos();

    /** The side that refused last. It is evaluated first, so that most pairs cost one evaluation. */
    private Scope lastRefusing;

    /** The attributes of one side that the context reads. */
    private static final class PolicyMemos {
        final Lookup.Memo requirements = new Lookup.Memo(Name.of("Requirements"));
        final Lookup.Memo constraint = new Lookup.Memo(Name.of("Constraint"));
        final Lookup.Memo rank = new Lookup.Memo(Name.of("Rank"));
    }

    /** The left ad of the last {@link #expect}, and the attributes that its Requirements read from the right ad. */
    private @Nullable ClassAd askingAd;

    private Lookup.Memo[] askedOfRight = {};

    /** A result of the reads of {@link #expect}, without which the JIT compiler could remove them. */
    private int numbersRead;

    /** The time of both sides: given, or that of the system, renewed for each question. */
    private EvaluationClock clock = new EvaluationClock(null);

    /** A context of two empty ads in the reference dialect. */
    public MatchContext(LookupMode mode) {
        this(mode, Dialect.REFERENCE, Limits.DEFAULT);
    }

    /** A context of two empty ads. In the papers' dialect, the Constraint of an ad without Requirements takes their place. */
    public MatchContext(LookupMode mode, Dialect dialect, Limits limits) {
        readsConstraint = dialect == Dialect.PAPER;
        var leftRef = new Scope.Ref();
        var rightRef = new Scope.Ref();
        var leftContextRef = new Scope.Ref();
        var rightContextRef = new Scope.Ref();
        Scope root = new Scope(matchAd(leftRef, rightRef, leftContextRef, rightContextRef), null, mode, limits);
        Scope leftContext = new Scope(sideAd("LEFT", "RIGHT"), root, mode, limits);
        Scope rightContext = new Scope(sideAd("RIGHT", "LEFT"), root, mode, limits);
        left = new Scope(ClassAd.EMPTY, leftContext, mode, limits);
        right = new Scope(ClassAd.EMPTY, rightContext, mode, limits);
        lastRefusing = left;
        left.setOther(right);
        right.setOther(left);
        leftRef.bind(left.record());
        rightRef.bind(right.record());
        leftContextRef.bind(leftContext.record());
        rightContextRef.bind(rightContext.record());
    }

    /** An immutable match of two ads, in {@link LookupMode#OLD} as in HTCondor's tools. */
    public static MatchPair of(ClassAd job, ClassAd machine) {
        return new MatchPair(job, machine, LookupMode.OLD);
    }

    /** The outermost ad of a match, as libclassad's MatchClassAd defines it. */
    private static ClassAd matchAd(Scope.Ref left, Scope.Ref right, Scope.Ref leftContext, Scope.Ref rightContext) {
        Expr leftRequires = Selection.of(AttributeRef.to("LEFT"), "requirements");
        Expr rightRequires = Selection.of(AttributeRef.to("RIGHT"), "requirements");
        return new ClassAd.Builder()
                .set("symmetricMatch", new Binary(BinaryOperator.AND, rightRequires, leftRequires))
                .set("leftMatchesRight", rightRequires)
                .set("rightMatchesLeft", leftRequires)
                .set("leftRankValue", Selection.of(AttributeRef.to("LEFT"), "rank"))
                .set("rightRankValue", Selection.of(AttributeRef.to("RIGHT"), "rank"))
                .set("lCtx", leftContext)
                .set("LEFT", left)
                .set("rCtx", rightContext)
                .set("RIGHT", right)
                .build();
    }

    /** The ad around one side, which defines MY and TARGET as attributes of the outermost ad. */
    private static ClassAd sideAd(String mine, String others) {
        var my = new AttributeRef(Name.of(mine), true);
        var target = new AttributeRef(Name.of(others), true);
        return ClassAd.of(List.of("ad", "my", "other", "target"), List.of(my, my, target, target));
    }

    /**
     * Sets the time that evaluations in this context see from now on, and the source of their random numbers. Without a given time, each
     * method that asks for Requirements reads the system's clock once, for both sides, and for the Rank that is asked for next.
     */
    public void at(EvaluationTime moment) {
        setClock(new EvaluationClock(moment));
    }

    /**
     * Makes all evaluations in this context from now on happen at one instant, the system's time at the first use. Their random numbers
     * come from one source.
     */
    public void atOneMoment() {
        setClock(EvaluationClock.once());
    }

    /** Sets the time of the context and of both scopes. */
    private void setClock(EvaluationClock time) {
        clock = time;
        left.setClock(time);
        right.setClock(time);
    }

    /** Replaces the left ad. {@code O(1)}. */
    public void left(ClassAd ad) {
        clock.renew();
        left.setAd(ad);
    }

    /** Replaces the right ad. {@code O(1)}. */
    public void right(ClassAd ad) {
        clock.renew();
        right.setAd(ad);
    }

    /**
     * Prefetches the attributes that the left ad's Requirements read from the ads that will be the right ad next. In a large pool each
     * ad is a cache miss; the misses of several ads are waited for together.
     *
     * @param ads the next right ads, in the first {@code count} elements
     */
    public void expect(ClassAd[] ads, int count) {
        ClassAd asking = left.ad();
        if (asking != askingAd) {
            askingAd = asking;
            askedOfRight = Lookup.askedOfOther(requirements(left), asking);
        }
        int numbers = 0;
        for (Lookup.Memo name : askedOfRight) {
            for (int i = 0; i < count; i++) {
                numbers += name.in(ads[i]) instanceof Literal literal && literal.isNumber() ? 1 : 0;
            }
        }
        numbersRead = numbers;
    }

    /** The scope of the left ad, whose ad changes with the context. */
    public Scope leftScope() {
        return left;
    }

    /** The scope of the right ad, whose ad changes with the context. */
    public Scope rightScope() {
        return right;
    }

    /** Whether the Requirements of both ads hold. An ad without Requirements matches no ad. */
    public boolean symmetricMatch() {
        clock.renew();
        if (!accepts(lastRefusing)) {
            return false;
        }
        Scope second = lastRefusing == left ? right : left;
        if (accepts(second)) {
            return true;
        }
        lastRefusing = second;
        return false;
    }

    /** Whether the left ad's Requirements hold. */
    public boolean leftAccepts() {
        clock.renew();
        return accepts(left);
    }

    /** Whether the right ad's Requirements hold. */
    public boolean rightAccepts() {
        clock.renew();
        return accepts(right);
    }

    /** Whether the Requirements of a side hold. */
    private boolean accepts(Scope side) {
        Expr required = requirements(side);
        return required != null && Evaluation.satisfied(required, side, clock);
    }

    private PolicyMemos policy(Scope side) {
        return side == left ? leftPolicy : rightPolicy;
    }

    /** The expression of a side's Requirements, or in the papers' dialect of its Constraint; null if it has none. */
    private @Nullable Expr requirements(Scope side) {
        PolicyMemos policy = policy(side);
        Expr required = policy.requirements.in(side.ad());
        return required == null && readsConstraint ? policy.constraint.in(side.ad()) : required;
    }

    /** The value of the left ad's Requirements; UNDEFINED if it has none. */
    public Value leftRequirements() {
        clock.renew();
        return valueOf(requirements(left), left);
    }

    /** The value of the right ad's Requirements; UNDEFINED if it has none. */
    public Value rightRequirements() {
        clock.renew();
        return valueOf(requirements(right), right);
    }

    /** The value of an attribute in a scope; UNDEFINED for null. */
    private Value valueOf(@Nullable Expr expr, Scope scope) {
        return expr == null ? Value.UNDEFINED : Evaluation.attribute(expr, scope, clock);
    }

    /** The left ad's Rank of the right one, higher being better; 0 if it is no number. */
    public double leftRank() {
        return rank(left);
    }

    /** The right ad's Rank of the left one, higher being better; 0 if it is no number. */
    public double rightRank() {
        return rank(right);
    }

    private double rank(Scope side) {
        Expr wanted = policy(side).rank.in(side.ad());
        double rank = wanted == null ? 0.0 : Evaluation.rank(wanted, side, clock);
        return Double.isNaN(rank) ? 0.0 : rank;
    }

    /**
     * A match of two ads that cannot be exchanged: {@code MatchContext.of(job, machine)}. Immutable and thread-safe. Each method makes a
     * {@link MatchContext}: a matchmaker with many pairs uses one context instead.
     *
     * @param left the ad that is MY to itself and TARGET to the right one
     * @param right the ad that is MY to itself and TARGET to the left one
     * @param mode the rules by which names are looked up
     */
    public record MatchPair(ClassAd left, ClassAd right, LookupMode mode) {

        public MatchPair {
            Objects.requireNonNull(left, "The left ad is null.");
            Objects.requireNonNull(right, "The right ad is null.");
            Objects.requireNonNull(mode, "The mode is null.");
        }

        /** Whether the Requirements of both ads hold. An ad without Requirements matches no ad. */
        public boolean matches() {
            return context().symmetricMatch();
        }

        /** Whether the left ad's Requirements hold. */
        public boolean leftAccepts() {
            return context().leftAccepts();
        }

        /** Whether the right ad's Requirements hold. */
        public boolean rightAccepts() {
            return context().rightAccepts();
        }

        /** The left ad's Rank of the right one, higher being better; 0 if it is no number. */
        public double leftRank() {
            return context().leftRank();
        }

        /** The right ad's Rank of the left one, higher being better; 0 if it is no number. */
        public double rightRank() {
            return context().rightRank();
        }

        /** The value of an expression in the scope of the left ad. */
        public Value evaluate(Expr expr) {
            return expr.evaluate(context().leftScope());
        }

        private MatchContext context() {
            var context = new MatchContext(mode);
            context.left(left);
            context.right(right);
            return context;
        }
    }
}
