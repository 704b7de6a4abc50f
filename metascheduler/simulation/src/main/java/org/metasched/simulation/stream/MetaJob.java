package org.metasched.simulation.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;

/**
 * A job that wants several sites.
 *
 * @param number from 1, in the order of submission over all streams
 * @param parts what it asks the sites for
 * @param run how long it really uses each part, at most as long as it asks for
 * @param hasGivenStart whether it wants to start at {@code earliest} rather than as soon as possible
 * @param latest the last start that it takes
 */
public record MetaJob(
        long number,
        String stream,
        Instant submitted,
        List<SitePart> parts,
        Duration run,
        boolean hasGivenStart,
        Instant earliest,
        Instant latest) {

    public MetaJob {
        parts = List.copyOf(parts);
    }

    public CoAllocationRequest request() {
        var span = parts.stream().map(SitePart::span).max(Duration::compareTo).orElseThrow();
        return new CoAllocationRequest(parts, earliest, latest.plus(span));
    }

    /** How long each part is reserved. */
    public Duration duration() {
        return parts.get(0).request().duration();
    }
}
