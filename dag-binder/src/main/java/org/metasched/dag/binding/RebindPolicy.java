package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/**
 * Condition on which a bound DAG should be bound anew. The ClassAd expression may use {@code BoundSeconds} (since the DAG was bound),
 * {@code Progress} (as {@link DagProgress}, in lower case), {@code SiteAdvertised}, {@code SiteSilentSeconds} (since the ad of the site was
 * made) and {@code TARGET}, the site's ad. Immutable.
 */
public record RebindPolicy(Expr condition) {

    /** @param expression such as {@code BoundSeconds > 7200 && !SiteAdvertised} */
    public static RebindPolicy parse(String expression) throws ClassAdSyntaxException {
        return new RebindPolicy(Expr.parse(expression));
    }

    /**
     * Whether the expression is true for a DAG; undefined and error are not.
     *
     * @param directory directory of the bound DAG, with its record
     * @param ads current ads, that of the DAG's site among them if it is advertised
     */
    public boolean isDue(Path directory, BindingRecord record, List<ClassAd> ads, Instant now) throws IOException {
        Optional<ClassAd> site = ads.stream()
                .filter(ad -> BoundDag.siteName(ad).equalsIgnoreCase(record.site()))
                .findFirst();
        Instant bound =
                Files.getLastModifiedTime(directory.resolve(BindingRecord.FILE)).toInstant();
        DagProgress progress = DagProgress.of(directory, record.origin().dag());
        ClassAd facts = ClassAd.EMPTY
                .with("BoundSeconds", Duration.between(bound, now).toSeconds())
                .with("Progress", progress.name().toLowerCase(Locale.ROOT))
                .with("SiteAdvertised", site.isPresent())
                .with("SiteSilentSeconds", site.map(ad -> silentFor(ad, now)).orElse(Long.MAX_VALUE));
        return condition
                .evaluate(Scope.matching(facts, site.orElse(ClassAd.EMPTY), LookupMode.OLD))
                .satisfies();
    }

    /** Seconds since the ad was made; 0 if it does not say when. */
    private static long silentFor(ClassAd ad, Instant now) {
        return ad.evaluate("MyCurrentTime") instanceof Value.Int sent
                ? Math.max(0, now.getEpochSecond() - sent.value())
                : 0;
    }
}
