package org.metasched.agreement;

import java.util.List;
import java.util.Optional;

/**
 * A promise in an offer (WS-Agreement 1.0, section 4.2.7).
 *
 * @param services names of the services it covers; empty means all
 * @param condition the qualifying condition: while it does not hold, the state is not determined
 * @param objective the service level objective; if empty, that all reserved resources are there during the slot
 * @param compensations rewards and penalties that become due when the promise is kept or broken
 */
public record GuaranteeTerm(
        String name,
        List<String> services,
        Optional<String> condition,
        Optional<String> objective,
        List<Compensation> compensations) {

    /** Most penalties and rewards of one term. */
    public static final int MOST_COMPENSATIONS = 16;

    public GuaranteeTerm {
        services = List.copyOf(services);
        compensations = List.copyOf(compensations);
        if (name.isBlank() || name.length() > 256) {
            throw new IllegalArgumentException(
                    "A guarantee term's name (" + name.length() + " characters) must be 1 to 256 long.");
        }
        if (compensations.size() > MOST_COMPENSATIONS) {
            throw new IllegalArgumentException("The number of penalties and rewards (" + compensations.size()
                    + ") of guarantee term " + name + " must be at most " + MOST_COMPENSATIONS + ".");
        }
    }

    public boolean covers(String service) {
        return services.isEmpty() || services.contains(service);
    }

    /** Whether the term promises no more than that the reserved resources are there. */
    public boolean promisesResourcesOnly() {
        return condition.isEmpty() && objective.isEmpty() && compensations.isEmpty();
    }
}
