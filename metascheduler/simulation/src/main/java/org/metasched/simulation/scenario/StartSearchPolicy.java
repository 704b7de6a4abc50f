package org.metasched.simulation.scenario;

import java.time.Duration;
import org.metasched.choice.Preference;

/** The policy by which a start that suits all sites is found. */
public sealed interface StartSearchPolicy {

    /** As it stands in a scenario. */
    String name();

    /** Whether the sites are chosen anew for each meta-job, and not those that its stream draws. */
    default boolean choosesSites() {
        return this instanceof ChoiceInTime || this instanceof GangFirst;
    }

    /** All starts of every site in one question round: the product's usual strategy. */
    record Windows() implements StartSearchPolicy {
        @Override
        public String name() {
            return "windows";
        }
    }

    /** Listing 1 of Streit et al. (ParCo 2005), repaired: each site's next start, until all agree. */
    record ListingOne() implements StartSearchPolicy {
        @Override
        public String name() {
            return "listing1";
        }
    }

    /**
     * Sites and start are decided together over the windows of all candidates: what the product does with an offer that leaves
     * sites open.
     *
     * @param preference what decides between two ways
     */
    record ChoiceInTime(Preference preference) implements StartSearchPolicy {
        @Override
        public String name() {
            return "choice";
        }
    }

    /** The gang of sites that ranks highest, whatever their time, and then {@link Windows} over these. */
    record GangFirst() implements StartSearchPolicy {
        @Override
        public String name() {
            return "gang";
        }
    }

    /**
     * Reserves everywhere, and if a site refuses tries again so much later, without looking first: one of the two ways that the
     * paper rejects in its section 3.1.
     *
     * @param step between two tries
     */
    record TrialAndError(Duration step) implements StartSearchPolicy {
        @Override
        public String name() {
            return "trial-and-error";
        }
    }

    /**
     * Reserves at each site from its own next start on, longer than needed, in the hope that all the slots have enough in
     * common: the other way that the paper rejects.
     *
     * @param factor by which reservations are longer than the job
     */
    record Padded(double factor) implements StartSearchPolicy {
        @Override
        public String name() {
            return "padded";
        }
    }
}
