package org.metasched.dag.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Mode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/**
 * Chooses the site of a DAG: both ads' Requirements are true; of several sites the one the DAG ranks highest, of equals the one
 * that ranks the DAG highest, of equals the first. Stateless.
 */
public final class SiteChoice {

    /**
     * A condition of either ad.
     *
     * @param isSites whether it is the site's
     * @param text the expression
     * @param value what it came to
     * @param met whether that satisfies
     */
    public record Condition(boolean isSites, String text, String value, boolean met) {}

    private SiteChoice() {}

    /** The best site, if any matches. */
    public static Optional<SiteMatch> best(ClassAd job, List<ClassAd> sites) {
        SiteMatch best = null;
        double bestOfSite = 0;
        for (ClassAd site : sites) {
            if (holds(job, site) && holds(site, job)) {
                double rank = rank(job, site);
                double ofSite = rank(site, job);
                if (best == null || rank > best.rank() || (rank == best.rank() && ofSite > bestOfSite)) {
                    best = new SiteMatch(job, site, rank);
                    bestOfSite = ofSite;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** Every conjunct of both ads' Requirements. */
    public static List<Condition> explain(ClassAd job, ClassAd site) {
        List<Condition> conditions = new ArrayList<>();
        explain(job, site, false, conditions);
        explain(site, job, true, conditions);
        return conditions;
    }

    private static void explain(ClassAd my, ClassAd target, boolean isSites, List<Condition> into) {
        Optional<Expr> requirements = constraint(my);
        if (requirements.isEmpty()) {
            into.add(new Condition(isSites, "Requirements", "undefined", false));
            return;
        }
        Scope scope = Scope.matching(my, target, Mode.OLD);
        for (Expr conjunct : requirements.get().conjuncts()) {
            Value value = conjunct.evaluate(scope);
            into.add(new Condition(isSites, conjunct.print(), value.print(), value.satisfies()));
        }
    }

    private static boolean holds(ClassAd my, ClassAd target) {
        return constraint(my)
                .map(expr -> expr.evaluate(Scope.matching(my, target, Mode.OLD)).satisfies())
                .orElse(false);
    }

    private static Optional<Expr> constraint(ClassAd ad) {
        return ad.lookup("Requirements").or(() -> ad.lookup("Constraint"));
    }

    private static double rank(ClassAd my, ClassAd target) {
        return my.evaluate("Rank", Scope.matching(my, target, Mode.OLD)).rank();
    }
}
