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

    /**
     * What is to be claimed.
     *
     * @param id never used before
     * @param matches how many of the site's matches the claim counts for, at least 1
     */
    record Want(UUID id, String site, String holder, Claimant claimant, int matches) {}

    /**
     * Takes a claim if no more than {@code maxMatches} of the site's are held then.
     *
     * @throws IllegalArgumentException if a claim that is held has its id
     */
    Optional<HeldMatch> take(Want want, int maxMatches);

    /** Takes one match under a new id. */
    default Optional<HeldMatch> take(String site, int maxMatches, String holder, Claimant claimant) {
        return take(new Want(UUID.randomUUID(), site, holder, claimant, 1), maxMatches);
    }

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

    /** The refusal of an id that another claim has. */
    static IllegalArgumentException isTaken(UUID id) {
        return new IllegalArgumentException("A claim that is held has this id (" + id + "); expected a new one.");
    }

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
        held().forEach(match -> counts.merge(match.site().toLowerCase(Locale.ROOT), match.matches(), Integer::sum));
        return counts;
    }

    /** Gives back every confirmed claim whose holder has come to its end; how many. Holders are looked at outside any lock. */
    default int releaseEnded(Predicate<HeldMatch> ended) {
        List<HeldMatch> over =
                held().stream().filter(HeldMatch::confirmed).filter(ended).toList();
        return (int) over.stream().filter(match -> release(match.id())).count();
    }
}
