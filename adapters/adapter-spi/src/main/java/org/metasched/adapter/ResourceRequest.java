package org.metasched.adapter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Resources wanted from one site, without a start.
 *
 * @param need kind and amount of resource
 * @param duration length of the reservation, from one second to ten years
 * @param requester the person for whom the site reserves, if the site asks for one
 * @param via grids (servers that are sites of others) that passed it on, the earliest first; one that finds itself there is in a loop
 * @param server name of the server that sent the request, as the adapter's listener authenticated it; empty if unknown
 */
public record ResourceRequest(
        Need need, Duration duration, Optional<Requester> requester, List<SiteId> via, Optional<String> server) {

    private static final Duration LONGEST = Duration.ofDays(3653); // ten years

    public ResourceRequest {
        checkDuration(duration);
        via = List.copyOf(via);
    }

    /** A request that no grid passed on, by an unknown server. */
    public ResourceRequest(Need need, Duration duration, Optional<Requester> requester) {
        this(need, duration, requester, List.of(), Optional.empty());
    }

    /** The same request by the named server; an empty name means an unknown server. */
    public ResourceRequest by(String name) {
        return new ResourceRequest(
                need, duration, requester, via, Optional.of(name).filter(known -> !known.isEmpty()));
    }

    /** The same request for another resource. */
    public ResourceRequest of(Need other) {
        return new ResourceRequest(other, duration, requester, via, server);
    }

    /** The same request for another duration. */
    public ResourceRequest lasting(Duration other) {
        return new ResourceRequest(need, other, requester, via, server);
    }

    /** @throws IllegalArgumentException when the time is too long or too short for any request */
    public static void checkDuration(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The duration (" + duration + ") must be from PT1S to " + LONGEST + ".");
        }
    }

    /**
     * A request for a number of whole nodes, for no named requester.
     *
     * @throws IllegalArgumentException if the count is not positive, or the duration is out of its bounds
     */
    public static ResourceRequest nodes(int count, Duration duration) {
        return new ResourceRequest(new Need.Nodes(count), duration, Optional.empty());
    }
}
