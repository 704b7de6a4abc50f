package org.metasched.simulation.scenario;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.metasched.choice.Preference;

/** The policy by which a simulation searches a start that suits all sites of a meta-job, and chooses the sites if it does so. */
public sealed interface StartSearchPolicy {

    /** The names of the policies in a scenario file. */
    Map<Class<?>, String> NAMES = Map.of(
            Windows.class, "windows",
            ListingOne.class, "listing1",
            ChoiceInTime.class, "choice",
            GangFirst.class, "gang",
            TrialAndError.class, "trial-and-error",
            Padded.class, "padded");

    /** Its name in a scenario file. */
    default String name() {
        return Objects.requireNonNull(NAMES.get(getClass()));
    }

    /** Whether the policy chooses the sites of each meta-job; otherwise the {@link StreamScenario} draws them. */
    default boolean choosesSites() {
        return this instanceof ChoiceInTime || this instanceof GangFirst;
    }

    /** All starts of every site in one question round: the product's usual strategy. */
    record Windows() implements StartSearchPolicy {}

    /** Listing 1 of Streit et al. (ParCo 2005), repaired as in {@code NamedNegotiation}: each site's next start, until all agree. */
    record ListingOne() implements StartSearchPolicy {}

    /**
     * Sites and start are chosen together over the windows of all candidates, as the product does for offers that do not name sites.
     *
     * @param preference order by which the best of several plans is chosen
     */
    record ChoiceInTime(Preference preference) implements StartSearchPolicy {}

    /** First the sites that rank highest together, at any time; then {@link Windows} over these. */
    record GangFirst() implements StartSearchPolicy {}

    /**
     * Reserves everywhere without asking for starts first, and tries again later if a site refuses: one of two policies that Streit et al.
     * reject (ParCo 2005, section 3.1).
     *
     * @param step time from one start that is tried to the next
     */
    record TrialAndError(Duration step) implements StartSearchPolicy {}

    /**
     * Reserves at each site from its own next start on, longer than needed, if all slots have enough time in common: the other policy that
     * Streit et al. reject.
     *
     * @param factor factor by which reservations are longer than the job
     */
    record Padded(double factor) implements StartSearchPolicy {}
}
