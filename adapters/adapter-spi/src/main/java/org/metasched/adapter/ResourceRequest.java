package org.metasched.adapter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Resources wanted from one site, without a start.
 *
 * @param need kind and amount of resource
 * @param duration time without a gap, from one second to ten years
 * @param requester the person for whom the site reserves, if the site asks for one
 * @param via the grids that passed it on, the first first: one that finds itself here is in a loop
 * @param server which server speaks for the requester, as its message proved to the adapter's listener; no message says it
 */
public record ResourceRequest(
        Need need, Duration duration, Optional<Requester> requester, List<SiteId> via, Optional<String> server) {

    private static final Duration LONGEST = Duration.ofDays(3653);

    public ResourceRequest {
        checkDuration(duration);
        via = List.copyOf(via);
    }

    /** Straight from who asks. */
    public ResourceRequest(Need need, Duration duration, Optional<Requester> requester) {
        this(need, duration, requester, List.of());
    }

    /** A request by a server that is not known. */
    public ResourceRequest(Need need, Duration duration, Optional<Requester> requester, List<SiteId> via) {
        this(need, duration, requester, via, Optional.empty());
    }

    /** The same by the server of a name, or one that is not known if that is empty. */
    public ResourceRequest by(String name) {
        return new ResourceRequest(
                need, duration, requester, via, Optional.of(name).filter(known -> !known.isEmpty()));
    }

    /** The same for something else. */
    public ResourceRequest of(Need other) {
        return new ResourceRequest(other, duration, requester, via, server);
    }

    /** The same for so long. */
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
