package org.metasched.classad.cycle;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.classad.ClassAd;

/**
 * The count of claims that a cycle takes its matches from: a match is claimed at the moment it is made, and what is claimed already
 * is neither given out again nor free. Called from the cycle only.
 */
public interface Taking {

    /**
     * A claim that is held.
     *
     * @param offer the name of the offer's ad
     * @param submitter who pays
     * @param customer of the ad of the customer
     */
    record Held(String offer, String submitter, String customer) {}

    /** Claims a match of the offer for a request, or nothing if the offer has none left. */
    Optional<UUID> take(JobRequest request, ClassAd offer, boolean preempts);

    /** All claims that are held now. */
    List<Held> held();

    /** Claims nothing and counts nothing: each match is an introduction only. */
    static Taking nothing() {
        return new Taking() {
            @Override
            public Optional<UUID> take(JobRequest request, ClassAd offer, boolean preempts) {
                return Optional.of(UUID.randomUUID());
            }

            @Override
            public List<Held> held() {
                return List.of();
            }
        };
    }
}
