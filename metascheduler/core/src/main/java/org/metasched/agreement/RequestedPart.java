package org.metasched.agreement;

import java.time.Duration;
import java.util.Optional;
import org.metasched.adapter.Program;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;

/**
 * What one service description term asks for.
 *
 * @param term name of the term, unique in its request
 * @param service name of the service that the term describes
 * @param site where, or nothing for a term that says what but not where
 * @param request how much for how long
 * @param offset from the common start, never negative
 * @param requirements a ClassAd expression that the site must satisfy, opaque here; only without a site
 * @param program what runs in the reservation, if the term describes more than resources
 */
public record RequestedPart(
        String term,
        String service,
        Optional<SiteId> site,
        ResourceRequest request,
        Duration offset,
        Optional<String> requirements,
        Optional<Program> program) {

    public RequestedPart {
        if (term.isBlank() || term.length() > 256) {
            throw new IllegalArgumentException(
                    "A term's name (" + term.length() + " characters) must be 1 to 256 long.");
        }
        if (offset.isNegative()) {
            throw new IllegalArgumentException(
                    "The offset (" + offset + ") of term " + term + " must not be negative.");
        }
    }

    /** Resources without a program. */
    public RequestedPart(
            String term,
            String service,
            Optional<SiteId> site,
            ResourceRequest request,
            Duration offset,
            Optional<String> requirements) {
        this(term, service, site, request, offset, requirements, Optional.empty());
    }

    /** A part at a named site that starts with the others. */
    public static RequestedPart at(String site, ResourceRequest request) {
        return new RequestedPart(site, site, Optional.of(new SiteId(site)), request, Duration.ZERO, Optional.empty());
    }
}
