package org.metasched.claims;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.SiteClaims;
import org.metasched.publisher.Claims;
import org.metasched.publisher.HeldMatch;
import org.metasched.publisher.MatchUnit;

/**
 * Matches counted in a ledger of this machine. A site's ad may count matches of its own ({@code CurMatches}), taken by
 * others: that is the base line, on top of which the ledger's matches come, unless the ad was advertised from this very
 * ledger.
 *
 * <p>Thread-safe, and safe between processes of one machine. The ledger is read once a call, however many ads there are, and once more to
 * take a match.
 */
public final class LedgerClaims implements SiteClaims {

    /** The attribute of an ad that was made from a ledger: the {@link #where() address} of that ledger. */
    public static final String SOURCE = "CurMatchesLedger";

    /** The matches of others, left in the ad that was counted. */
    private static final String BASELINE = "CurMatchesOfOthers";

    private final String where;
    private final Claims ledger;

    /** @param directory in which the ledger is */
    public LedgerClaims(Path directory, Claims ledger) {
        this.where = whereOf(directory);
        this.ledger = ledger;
    }

    /** The address of a ledger, as notes of matches and ads name it: a {@code file:} URI. */
    public static String whereOf(Path directory) {
        return directory.toAbsolutePath().normalize().toUri().toString();
    }

    /**
     * The folder of the ledger in which all binders count that choose from the same ads: the one from which an ad was
     * published, else a folder for that file of ads alone.
     *
     * @param file from which the ads were read
     * @param folders in which folders for files of ads are made
     * @throws IOException if the file is not there
     * @throws IllegalArgumentException if the ads name a ledger whose address is none
     */
    public static Path placeFor(List<ClassAd> ads, Path file, Path folders) throws IOException {
        for (ClassAd ad : ads) {
            if (ad.evaluate(SOURCE) instanceof Value.Text source
                    && source.text().startsWith("file:")) {
                return Path.of(URI.create(source.text()));
            }
        }
        String real = file.toRealPath().toString();
        String name = file.getFileName().toString().replaceAll("[^A-Za-z0-9._-]", "_");
        return folders.resolve(name + "-" + UUID.nameUUIDFromBytes(real.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String where() {
        return where;
    }

    @Override
    public List<ClassAd> counted(List<ClassAd> siteAds) {
        Map<String, List<HeldMatch>> held = bySite(ledger.held());
        return siteAds.stream().map(ad -> counted(ad, heldAt(ad, held))).toList();
    }

    private ClassAd counted(ClassAd siteAd, List<HeldMatch> held) {
        if (!siteAd.has("MaxMatches")) {
            return siteAd;
        }
        int others = ofOthers(siteAd);
        return siteAd.with("CurMatches", others + current(siteAd, held)).with(BASELINE, (long) others);
    }

    private static Map<String, List<HeldMatch>> bySite(List<HeldMatch> held) {
        return held.stream().collect(Collectors.groupingBy(match -> match.site().toLowerCase(Locale.ROOT)));
    }

    private static List<HeldMatch> heldAt(ClassAd siteAd, Map<String, List<HeldMatch>> held) {
        return held.getOrDefault(BoundDag.siteName(siteAd).toLowerCase(Locale.ROOT), List.of());
    }

    /** @param siteAd as {@link #counted} gave it: its base line is left out of what the ledger may hold */
    @Override
    public Optional<String> take(ClassAd siteAd, String holder, int nodes) {
        var unit = MatchUnit.of(siteAd);
        List<HeldMatch> held =
                siteAd.has("MaxMatches") && unit == MatchUnit.JOB ? heldAt(siteAd, bySite(ledger.held())) : List.of();
        int most = siteAd.has("MaxMatches")
                ? unit.bound(
                        (long) whole(siteAd, "MaxMatches") - whole(siteAd, BASELINE),
                        current(siteAd, held),
                        matches(held))
                : Integer.MAX_VALUE;
        var want = new Claims.Want(
                UUID.randomUUID(), BoundDag.siteName(siteAd), holder, Claims.Claimant.here(), unit.matches(nodes));
        return ledger.take(want, most).map(HeldMatch::id).map(UUID::toString);
    }

    @Override
    public boolean settle(String match, boolean keep) {
        UUID id = MatchNote.idOf(match);
        return keep ? ledger.confirm(id) : ledger.release(id);
    }

    @Override
    public boolean renew(String match) {
        return ledger.renew(MatchNote.idOf(match));
    }

    /** @param held at that site */
    private static long current(ClassAd siteAd, List<HeldMatch> held) {
        return MatchUnit.of(siteAd).current(siteAd, BoundDag.siteName(siteAd), matches(held), () -> held);
    }

    private static int matches(List<HeldMatch> held) {
        return held.stream().mapToInt(HeldMatch::matches).sum();
    }

    /** Jobs that run are all counted by the site. */
    private int ofOthers(ClassAd ad) {
        boolean ours = MatchUnit.of(ad) == MatchUnit.JOB || isOfThisLedger(ad);
        return ours ? 0 : whole(ad, "CurMatches");
    }

    private boolean isOfThisLedger(ClassAd ad) {
        return ad.evaluate(SOURCE) instanceof Value.Text source && source.text().equals(where);
    }

    private static int whole(ClassAd ad, String attribute) {
        return ad.evaluate(attribute) instanceof Value.Int value
                ? (int) Math.max(0, Math.min(Integer.MAX_VALUE, value.value()))
                : 0;
    }
}
