package org.metasched.classad.cycle;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Mode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/**
 * What a pool allows beside shares. Immutable.
 *
 * @param preemption when a claimed offer may be taken from a submitter of worse priority (PREEMPTION_REQUIREMENTS): MY is the offer, with
 *     RemoteUserPrio, and TARGET the request, with SubmitterUserPrio; nothing for never
 * @param limits of concurrency by their names in lower case (NAME_LIMIT); other names have none
 */
public record PoolRules(Optional<Expr> preemption, Map<String, Double> limits) {

    /** No offer is taken away by priority, and nothing is limited. */
    public static final PoolRules USUAL = new PoolRules(Optional.empty(), Map.of());

    public PoolRules {
        limits = Map.copyOf(limits);
    }

    /** How much of each limit an ad takes, as {@code ConcurrencyLimits = "xsw, db:2"} says; a count that is not positive is 1. */
    Map<String, Double> takes(ClassAd ad) {
        var takes = new HashMap<String, Double>();
        if (!limits.isEmpty()
                && ad.has("ConcurrencyLimits")
                && ad.evaluate("ConcurrencyLimits", Scope.of(ad, Mode.OLD)) instanceof Value.Text text) {
            for (String part : text.text().toLowerCase(Locale.ROOT).split("[,\\s]+", -1)) {
                String[] words = part.split(":", 2);
                if (limits.containsKey(words[0])) {
                    takes.merge(words[0], words.length == 1 ? 1 : count(words[1]), Double::sum);
                }
            }
        }
        return takes;
    }

    private static double count(String text) {
        boolean isNumber = text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?");
        double count = isNumber ? Double.parseDouble(text) : 1;
        return count > 0 ? count : 1;
    }

    /** Whether a request may take an offer from one who has the other priority. */
    boolean preempts(ClassAd offer, double remote, ClassAd request, double submitter) {
        return preemption
                .filter(policy -> policy.evaluate(Scope.matching(
                                offer.with("RemoteUserPrio", remote),
                                request.with("SubmitterUserPrio", submitter),
                                Mode.OLD))
                        .satisfies())
                .isPresent();
    }
}
