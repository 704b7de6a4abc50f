package org.metasched.agreement;

import java.util.List;

/**
 * A promise in an offer: that the services in its scope are there during the slot, whole.
 *
 * @param services names of the services it covers; empty means all
 */
public record GuaranteeTerm(String name, List<String> services) {

    public GuaranteeTerm {
        services = List.copyOf(services);
        if (name.isBlank() || name.length() > 256) {
            throw new IllegalArgumentException(
                    "A guarantee term's name (" + name.length() + " characters) must be 1 to 256 long.");
        }
    }

    boolean covers(String service) {
        return services.isEmpty() || services.contains(service);
    }
}
