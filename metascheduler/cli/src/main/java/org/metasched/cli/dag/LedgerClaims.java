package org.metasched.cli.dag;

import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.cli.output.Failure;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.SiteClaims;
import org.metasched.publisher.HeldMatch;
import org.metasched.publisher.MatchLedger;

/**
 * Matches counted in a ledger of this machine. A site's ad may count matches of its own ({@code CurMatches}), taken by others; they
 * come on top, unless the ad was advertised from this very ledger.
 */
public final class LedgerClaims implements SiteClaims {

    /** In an ad that {@code publish} made from a ledger: which one. */
    public static final String SOURCE = "CurMatchesLedger";

    /** What others hold, left in the ad that was counted. */
    private static final String BASELINE = "CurMatchesOfOthers";

    private final String where;
    private final MatchLedger ledger;

    public LedgerClaims(Path directory, MatchLedger ledger) {
        this.where = whereOf(directory);
        this.ledger = ledger;
    }

    public static String whereOf(Path directory) {
        return directory.toAbsolutePath().normalize().toUri().toString();
    }

    @Override
    public String where() {
        return where;
    }

    @Override
    public ClassAd counted(ClassAd siteAd) {
        if (!siteAd.has("MaxMatches")) {
            return siteAd;
        }
        int others = ofOthers(siteAd);
        return siteAd.with("CurMatches", (long) others + ledger.count(BoundDag.siteName(siteAd)))
                .with(BASELINE, (long) others);
    }

    @Override
    public Optional<String> take(ClassAd siteAd, String holder) {
        int most = siteAd.has("MaxMatches") ? whole(siteAd, "MaxMatches") - whole(siteAd, BASELINE) : Integer.MAX_VALUE;
        return ledger.take(BoundDag.siteName(siteAd), most, holder)
                .map(HeldMatch::id)
                .map(UUID::toString);
    }

    @Override
    public boolean settle(String match, boolean keep) {
        UUID id = idOf(match);
        if (!keep) {
            return ledger.release(id);
        }
        Optional<HeldMatch> held = ledger.find(id);
        held.ifPresent(ledger::confirm);
        return held.isPresent();
    }

    public static UUID idOf(String match) {
        try {
            return UUID.fromString(match);
        } catch (IllegalArgumentException e) {
            throw Failure.badInput("The match (" + match + ") that the DAG's note names is none.");
        }
    }

    private int ofOthers(ClassAd ad) {
        boolean ours = ad.evaluate(SOURCE) instanceof Value.Text source
                && source.text().equals(where);
        return ours ? 0 : whole(ad, "CurMatches");
    }

    private static int whole(ClassAd ad, String attribute) {
        return ad.evaluate(attribute) instanceof Value.Int value
                ? (int) Math.max(0, Math.min(Integer.MAX_VALUE, value.value()))
                : 0;
    }
}
