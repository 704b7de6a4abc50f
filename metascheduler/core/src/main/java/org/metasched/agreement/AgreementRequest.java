package org.metasched.agreement;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.metasched.choice.Preference;
import org.metasched.negotiation.CoAllocationRequest;

/**
 * What an offer asks for, as we understood it: all parts in one slot.
 *
 * @param parts in the order of the document
 * @param earliest not before; nothing means as soon as possible
 * @param deadline every part has ended by then; nothing means whatever the sites' look-ahead allows
 * @param preference what decides between several ways to have it
 */
public record AgreementRequest(
        List<RequestedPart> parts, Optional<Instant> earliest, Optional<Instant> deadline, Preference preference) {

    /** As soon as possible. */
    public AgreementRequest(List<RequestedPart> parts, Optional<Instant> earliest, Optional<Instant> deadline) {
        this(parts, earliest, deadline, Preference.START);
    }

    public AgreementRequest {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > CoAllocationRequest.MOST_PARTS) {
            throw new IllegalArgumentException("The number of resource terms (" + parts.size() + ") must be from 1 to "
                    + CoAllocationRequest.MOST_PARTS + ".");
        }
        var names = new HashSet<String>();
        for (var part : parts) {
            if (!names.add(part.term())) {
                throw new IllegalArgumentException(
                        "The term name (" + part.term() + ") occurs twice; term names must be unique.");
            }
        }
    }
}
