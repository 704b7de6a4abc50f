package org.metasched.classad.cycle;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;

/**
 * Rules of a pool other than shares. Immutable. In both rules MY is the offer, with RemoteUserPrio, and TARGET the request, with
 * SubmitterUserPrio.
 *
 * @param preemption condition for taking a claimed offer from another submitter (PREEMPTION_REQUIREMENTS), the only place where their
 *     priorities are compared; empty for never
 * @param rankPreemption condition for giving a claimed offer to a request that it ranks higher; empty for always, as HTCondor does
 * @param limits concurrency limits by their names in lower case (NAME_LIMIT); {@code prefix.*} for all others with a prefix
 *     (CONCURRENCY_LIMIT_DEFAULT_PREFIX), {@code *} for all others (CONCURRENCY_LIMIT_DEFAULT), which else have none
 */
public record PoolRules(Optional<Expr> preemption, Optional<Expr> rankPreemption, Map<String, Double> limits) {

    /** No offer is taken away by priority, each may be by rank, and nothing is limited. */
    public static final PoolRules DEFAULT = new PoolRules(Optional.empty(), Optional.empty(), Map.of());

    /** The name of a limit, perhaps after a prefix and a dot. */
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?");

    public PoolRules {
        limits = Map.copyOf(limits);
    }

    /** The total of a limit. */
    double limit(String name) {
        String family = name.substring(0, name.indexOf('.') + 1) + "*";
        return limits.getOrDefault(
                name, limits.getOrDefault(family, limits.getOrDefault("*", Double.POSITIVE_INFINITY)));
    }

    /**
     * The amount that an ad takes of each limit, by {@code ConcurrencyLimits = "xsw, db:2"}; none if the pool has no limits. A count is 1
     * if it is not positive, unreadable or longer than 9 digits; names of another form are passed over.
     */
    Map<String, Double> takes(ClassAd ad) {
        var takes = new HashMap<String, Double>();
        if (!limits.isEmpty() && OfferFacts.value(ad, "ConcurrencyLimits") instanceof Value.Text text) {
            for (String part : text.text().toLowerCase(Locale.ROOT).split("[,\\s]+", -1)) {
                String[] words = part.split(":", 2);
                if (NAME.matcher(words[0]).matches()) {
                    takes.merge(words[0], words.length == 1 ? 1 : count(words[1]), Double::sum);
                }
            }
        }
        return takes;
    }

    private static double count(String text) {
        double count = text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?") ? Double.parseDouble(text) : 1;
        return count > 0 ? count : 1;
    }
}
