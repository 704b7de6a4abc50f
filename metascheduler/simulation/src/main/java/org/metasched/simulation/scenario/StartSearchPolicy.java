package org.metasched.simulation.scenario;

import java.time.Duration;
import org.metasched.choice.Preference;

/** The policy by which a simulation searches a start that suits all sites. */
public sealed interface StartSearchPolicy {

    /** Its name in a scenario file. */
    String name();

    /** Whether the policy chooses the sites of each meta-job; otherwise its stream, a source of meta-jobs in the scenario, draws them. */
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

    /** Listing 1 of Streit et al. (ParCo 2005), repaired as in {@code NamedNegotiation}: each site's next start, until all agree. */
    record ListingOne() implements StartSearchPolicy {
        @Override
        public String name() {
            return "listing1";
        }
    }

    /**
     * Sites and start are decided together over the windows of all candidates, as the product does for an offer that leaves
     * sites open.
     *
     * @param preference order by which the best of several plans is chosen
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
     * Reserves everywhere, and if a site refuses tries again later, without looking first: one of two ways that Streit et al. reject
     * (section 3.1).
     *
     * @param step time from one start that is tried to the next
     */
    record TrialAndError(Duration step) implements StartSearchPolicy {
        @Override
        public String name() {
            return "trial-and-error";
        }
    }

    /**
     * Reserves at each site from its own next start on, longer than needed, in the hope that all the slots have enough in
     * common: the other way that Streit et al. reject.
     *
     * @param factor factor by which reservations are longer than the job
     */
    record Padded(double factor) implements StartSearchPolicy {
        @Override
        public String name() {
            return "padded";
        }
    }
}
