package org.metasched.publisher;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.metasched.publisher.HeldMatch.ProcessMark;

/**
 * The one count of claims per site: {@code CurMatches} is what it says, whoever asks and after any restart, so
 * {@code CurMatches < MaxMatches} holds under any number of concurrent claimants.
 *
 * <p>A claim is first <em>taken</em> (room is checked and the claim is durable in one step) and stays open while its claimant lives,
 * or while its lease is <em>renewed</em>. It is <em>confirmed</em> once its holder exists, and then ends by {@link #release} only:
 * asked for, or on evidence that the holder has come to its end. A path that is missing, a permission that is lacking, or a host
 * that is unknown ends no claim.
 *
 * <p>Thread-safe, and safe between processes. Both implementations pass one contract.
 */
public interface Claims {

    /** How long a claim stays unconfirmed when its claimant is out of sight and does not renew it. */
    Duration LEASE = Duration.ofMinutes(10);

    /**
     * Who takes a claim.
     *
     * @param owner as {@code user@machine}, or the authenticated subject
     */
    record Claimant(String owner, ProcessMark process) {

        /** This process. */
        public static Claimant here() {
            return new Claimant(System.getProperty("user.name", "?") + "@" + Host.name(), ProcessMark.current());
        }

        /** A process behind the network: only its lease and its word count. */
        public static Claimant elsewhere(String owner) {
            return new Claimant(owner, ProcessMark.ELSEWHERE);
        }
    }

    /** Takes a claim on a match of the site if fewer than {@code maxMatches} are held. */
    Optional<HeldMatch> take(String site, int maxMatches, String holder, Claimant claimant);

    /** Takes one for this process. */
    default Optional<HeldMatch> take(String site, int maxMatches, String holder) {
        return take(site, maxMatches, holder, Claimant.here());
    }

    /** The claimant lives: the lease begins anew. Whether the claim was held. */
    boolean renew(UUID id);

    /** The holder exists: from now on only {@link #release} ends the claim. Whether it was held. */
    boolean confirm(UUID id);

    /** Gives a claim back. Whether it was held: giving it back twice is not an error. */
    boolean release(UUID id);

    /** All claims that are held, oldest first. */
    List<HeldMatch> held();

    default Optional<HeldMatch> find(UUID id) {
        return held().stream().filter(match -> match.id().equals(id)).findFirst();
    }

    /** {@code CurMatches} of a site. */
    default int count(String site) {
        return counts().getOrDefault(site.toLowerCase(Locale.ROOT), 0);
    }

    /** {@code CurMatches} of all sites that have any, by their names in lower case, at one moment. */
    default Map<String, Integer> counts() {
        var counts = new TreeMap<String, Integer>();
        held().forEach(match -> counts.merge(match.site().toLowerCase(Locale.ROOT), 1, Integer::sum));
        return counts;
    }

    /** Gives back every confirmed claim whose holder has come to its end; how many. Holders are looked at outside any lock. */
    default int releaseEnded(Predicate<HeldMatch> ended) {
        List<HeldMatch> over =
                held().stream().filter(HeldMatch::confirmed).filter(ended).toList();
        return (int) over.stream().filter(match -> release(match.id())).count();
    }
}
