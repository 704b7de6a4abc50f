package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;

/**
 * Resources at one or more sites in one slot, all or nothing.
 *
 * @param parts parts with their sites, 1 to {@value #MOST_PARTS}; a site may occur more than once (nodes and licences)
 * @param earliest earliest common start
 * @param deadline latest end of a part
 */
public record CoAllocationRequest(List<SitePart> parts, Instant earliest, Instant deadline) {

    /** Most parts of a request. */
    public static final int MOST_PARTS = 1024;

    /**
     * One part of the whole.
     *
     * @param offset time from the common start to the start of this part: zero for plain co-allocation, never negative
     */
    public record SitePart(SiteId site, ResourceRequest request, Duration offset) {

        public SitePart {
            if (offset.isNegative()) {
                throw new IllegalArgumentException("The offset (" + offset + ") must not be negative.");
            }
        }

        /** A part that begins at the common start. */
        public SitePart(SiteId site, ResourceRequest request) {
            this(site, request, Duration.ZERO);
        }

        /** The time from the common start to the end of this part. */
        public Duration span() {
            return offset.plus(request.duration());
        }
    }

    public CoAllocationRequest {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > MOST_PARTS) {
            throw new IllegalArgumentException(
                    "The number of parts (" + parts.size() + ") must be from 1 to " + MOST_PARTS + ".");
        }
        Duration longest = longestSpan(parts);
        if (earliest.plus(longest).isAfter(deadline)) {
            throw new IllegalArgumentException("The request cannot fit: from its earliest start (" + earliest
                    + ") it takes " + longest + ", but the deadline is " + deadline + ".");
        }
    }

    /** The time from the common start to the end of the part that ends last. */
    public Duration span() {
        return longestSpan(parts);
    }

    /** The last common start with which every part ends in time. */
    public Instant latestStart() {
        return deadline.minus(span());
    }

    /** The requests to the site of a part that begin together with the part, its own among them. */
    Stream<ResourceRequest> atOnceWith(SitePart part) {
        return parts.stream()
                .filter(other -> other.site.equals(part.site) && other.offset.equals(part.offset))
                .map(SitePart::request);
    }

    private static Duration longestSpan(List<SitePart> parts) {
        return parts.stream().map(SitePart::span).max(Duration::compareTo).orElseThrow();
    }
}
