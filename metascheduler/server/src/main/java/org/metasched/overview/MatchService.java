package org.metasched.overview;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;

/** Shows and releases the matches that are held at sites, and binds their DAGs anew. The package {@code server} implements it. Thread-safe. */
public interface MatchService {

    /**
     * A match of a site that is held.
     *
     * @param confirmed whether its holder has it until it is released
     * @param taken time at which it was acquired
     * @param holder directory of a bound DAG, or another purpose
     * @param owner subject that took it, as far as it is known
     * @param leaseEnd end of the time in which it waits for its holder, unless it is confirmed
     * @param matches number of the site's matches that it counts for
     */
    record Match(
            String id,
            String site,
            boolean confirmed,
            Instant taken,
            String holder,
            String owner,
            Instant leaseEnd,
            int matches) {

        /** Whether a bound DAG holds the match, as far as the name of the holder tells. */
        public boolean isOfDag() {
            return holder.startsWith("/");
        }
    }

    /**
     * The progress of a bound DAG.
     *
     * @param word bound, running, interrupted, stopped or finished
     * @param states number of nodes by state; empty if only its programs know
     * @param expectedEnd time of its end at the pace so far
     * @param svg a picture of it, unless it has too many nodes
     */
    record Dag(
            String word, long nodes, Map<String, Long> states, Optional<Instant> expectedEnd, Optional<String> svg) {}

    List<Match> held();

    /** The matches that a caller sees: operators all, others their own. */
    default List<Match> seen(Authorizer guard, Subject subject) {
        boolean isAll = guard.looksAfterServer(subject);
        return held().stream()
                .filter(match -> isAll || subject.isKnown() && match.owner().equals(subject.name()))
                .toList();
    }

    /** The DAG that holds a match, where this server may look into its directory. */
    Optional<Dag> dag(Match match);

    /**
     * Binds a DAG that {@link #dag} knows to another site now.
     *
     * @return its new site; empty when no other one matches
     * @throws IllegalArgumentException when it cannot be moved, with a sentence
     */
    Optional<String> rebind(Match match);

    /** Releases a match; false when it is not held any more. */
    boolean release(UUID id);
}
