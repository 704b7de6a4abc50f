package org.metasched.classad;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.text.Name;

/**
 * Two ads face to face, as in a match: each is MY to itself and TARGET (or {@code other}) to the opposite one. Either side can be
 * exchanged without making objects, which is what a matchmaker does a million times.
 *
 * <p>Not thread-safe: one context for each thread. Lists and ads that an evaluation returns show the ads that stand here now.
 */
public final class MatchContext {

    private final Scope left;
    private final Scope right;
    private final boolean constraints;

    /** Attributes that were asked of an ad on either side, and where the last one had them. */
    private final Wishes leftWishes = new Wishes();

    private final Wishes rightWishes = new Wishes();

    /** The side that refused last: it is asked first, so that most pairs cost one evaluation. */
    private Scope pickier;

    private static final class Wishes {
        final Lookup.Memo requirements = new Lookup.Memo(Name.of("Requirements"));
        final Lookup.Memo constraint = new Lookup.Memo(Name.of("Constraint"));
        final Lookup.Memo rank = new Lookup.Memo(Name.of("Rank"));
    }

    /** The left ad whose Requirements were read, and what they ask of the right side. */
    private @Nullable ClassAd expecting;

    private Lookup.Memo[] expected = {};

    /** A result keeps the compiler from leaving the reads out. */
    private int expectedNumbers;

    /** The time of this pair of ads: given, or taken from the clock once for both sides. */
    private EvaluationClock present = new EvaluationClock(null);

    /** An empty context of the reference dialect. */
    public MatchContext(LookupMode mode) {
        this(mode, Dialect.REFERENCE, Limits.DEFAULT);
    }

    /** An empty context. In the papers' dialect an ad without Requirements is asked for its Constraint. */
    public MatchContext(LookupMode mode, Dialect dialect, Limits limits) {
        constraints = dialect == Dialect.PAPER;
        var leftRef = new Scope.Ref();
        var rightRef = new Scope.Ref();
        var leftContextRef = new Scope.Ref();
        var rightContextRef = new Scope.Ref();
        Scope root = new Scope(matchAd(leftRef, rightRef, leftContextRef, rightContextRef), null, mode, limits);
        Scope leftContext = new Scope(sideAd("LEFT", "RIGHT"), root, mode, limits);
        Scope rightContext = new Scope(sideAd("RIGHT", "LEFT"), root, mode, limits);
        left = new Scope(ClassAd.EMPTY, leftContext, mode, limits);
        right = new Scope(ClassAd.EMPTY, rightContext, mode, limits);
        pickier = left;
        left.face(right);
        right.face(left);
        leftRef.bind(left.record());
        rightRef.bind(right.record());
        leftContextRef.bind(leftContext.record());
        rightContextRef.bind(rightContext.record());
    }

    /** A pair of ads that stays, with the rules of HTCondor's tools. Immutable. */
    public static MatchPair of(ClassAd job, ClassAd machine) {
        return new MatchPair(job, machine, LookupMode.OLD);
    }

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

    private static ClassAd sideAd(String mine, String others) {
        var my = new AttributeRef(Name.of(mine), true);
        var target = new AttributeRef(Name.of(others), true);
        return ClassAd.of(List.of("ad", "my", "other", "target"), List.of(my, my, target, target));
    }

    /**
     * All that is evaluated here from now on sees that time, and draws its random numbers from that source, until another moment is
     * given. Without one, each question takes the time from the clock: one time for both sides, and for the Rank that follows.
     */
    public void at(EvaluationTime moment) {
        during(new EvaluationClock(moment));
    }

    /**
     * All that is evaluated here from now on sees one time, which is taken from the clock when it is first asked for, and draws its
     * random numbers from one source, as if it all happened at once.
     */
    public void atOneMoment() {
        during(EvaluationClock.once());
    }

    private void during(EvaluationClock time) {
        present = time;
        left.during(time);
        right.during(time);
    }

    /** Puts an ad on the left side. {@code O(1)}; what was evaluated for the last one is forgotten. */
    public void left(ClassAd ad) {
        present.renew();
        left.move(ad);
    }

    /** Puts an ad on the right side. {@code O(1)}; what was evaluated for the last one is forgotten. */
    public void right(ClassAd ad) {
        present.renew();
        right.move(ad);
    }

    /**
     * Reads what the left ad's Requirements will ask of some ads that come to the right side next. A large pool waits for its memory
     * at each ad; the reads of several ads wait together.
     */
    public void expect(ClassAd[] ads, int count) {
        ClassAd asking = left.ad();
        if (asking != expecting) {
            expecting = asking;
            expected = Lookup.askedOfOther(requirements(left), asking);
        }
        int numbers = 0;
        for (Lookup.Memo name : expected) {
            for (int i = 0; i < count; i++) {
                numbers += name.in(ads[i]) instanceof Literal literal && literal.isNumber() ? 1 : 0;
            }
        }
        expectedNumbers = numbers;
    }

    /** The place of the left ad. */
    public Scope leftScope() {
        return left;
    }

    /** The place of the right ad. */
    public Scope rightScope() {
        return right;
    }

    /** Whether each ad meets the other's Requirements. An ad without Requirements matches no ad. */
    public boolean symmetricMatch() {
        present.renew();
        if (!accepts(pickier)) {
            return false;
        }
        Scope second = pickier == left ? right : left;
        if (accepts(second)) {
            return true;
        }
        pickier = second;
        return false;
    }

    /** Whether the left ad's Requirements hold. */
    public boolean leftAccepts() {
        present.renew();
        return accepts(left);
    }

    /** Whether the right ad's Requirements hold. */
    public boolean rightAccepts() {
        present.renew();
        return accepts(right);
    }

    private boolean accepts(Scope side) {
        Expr required = requirements(side);
        return required != null && Evaluation.satisfied(required, side, present);
    }

    private Wishes wishes(Scope side) {
        return side == left ? leftWishes : rightWishes;
    }

    private @Nullable Expr requirements(Scope side) {
        Wishes wishes = wishes(side);
        Expr required = wishes.requirements.in(side.ad());
        return required == null && constraints ? wishes.constraint.in(side.ad()) : required;
    }

    /** The value of the left ad's Requirements. */
    public Value leftRequirements() {
        present.renew();
        return valueOf(requirements(left), left);
    }

    /** The value of the right ad's Requirements. */
    public Value rightRequirements() {
        present.renew();
        return valueOf(requirements(right), right);
    }

    private Value valueOf(@Nullable Expr expr, Scope scope) {
        return expr == null ? Value.UNDEFINED : Evaluation.attribute(expr, scope, present);
    }

    /** How much the left ad wants the right one: its Rank, 0 if that is no number. */
    public double leftRank() {
        return rank(left);
    }

    /** How much the right ad wants the left one: its Rank, 0 if that is no number. */
    public double rightRank() {
        return rank(right);
    }

    private double rank(Scope side) {
        Expr wanted = wishes(side).rank.in(side.ad());
        return wanted == null ? 0.0 : Evaluation.rank(wanted, side, present);
    }

    /**
     * Two ads face to face that stay: {@code MatchContext.of(job, machine)}. Immutable and thread-safe; each question makes its own
     * {@link MatchContext}, which a matchmaker with many pairs keeps and moves instead.
     *
     * @param left MY to itself, TARGET to the right one
     * @param mode how names are looked up
     */
    public record MatchPair(ClassAd left, ClassAd right, LookupMode mode) {

        public MatchPair {
            Objects.requireNonNull(left, "The left ad is null.");
            Objects.requireNonNull(right, "The right ad is null.");
            Objects.requireNonNull(mode, "The mode is null.");
        }

        /** Whether each ad meets the other's Requirements. */
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

        /** How much the left ad wants the right one: its Rank, 0 if that is no number. */
        public double leftRank() {
            return context().leftRank();
        }

        /** How much the right ad wants the left one: its Rank, 0 if that is no number. */
        public double rightRank() {
            return context().rightRank();
        }

        /** The value of an expression in the place of the left ad. */
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
