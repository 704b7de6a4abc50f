package org.metasched.simulation.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.metasched.adapter.SiteId;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;

/**
 * A job that needs several sites.
 *
 * @param number number from 1, in the order of submission over all streams
 * @param parts parts of its request, with their sites
 * @param stream name of its stream
 * @param run time for which it uses each part, at most the reserved duration
 * @param hasGivenStart whether it wants to start at {@code earliest} rather than as soon as possible
 * @param latest latest start that it accepts
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

    /** The request for all parts, with a deadline that allows the latest start. */
    public CoAllocationRequest request() {
        var span = parts.stream().map(SitePart::span).max(Duration::compareTo).orElseThrow();
        return new CoAllocationRequest(parts, earliest, latest.plus(span));
    }

    /** The job with another number. */
    MetaJob numbered(long itsNumber) {
        return new MetaJob(itsNumber, stream, submitted, parts, run, hasGivenStart, earliest, latest);
    }

    /** The job with other sites for its parts. */
    public MetaJob at(IntFunction<SiteId> siteOfPart) {
        var placed = new ArrayList<SitePart>();
        for (var part : parts) {
            placed.add(new SitePart(siteOfPart.apply(placed.size()), part.request(), part.offset()));
        }
        return new MetaJob(number, stream, submitted, placed, run, hasGivenStart, earliest, latest);
    }

    /** Reserved duration of each part. */
    public Duration duration() {
        return parts.get(0).request().duration();
    }
}
