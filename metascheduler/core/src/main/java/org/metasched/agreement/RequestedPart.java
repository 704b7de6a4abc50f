package org.metasched.agreement;

import java.time.Duration;
import java.util.Optional;
import org.metasched.adapter.Program;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.negotiation.SplitRequest;

/**
 * The request of one service description term.
 *
 * @param term name of the term, unique in its request
 * @param service name of the service that the term describes; in a workflow its stage
 * @param site the site that must serve it; empty if the matchmaker chooses
 * @param request amount and duration
 * @param requirements a ClassAd expression that the site must satisfy, not parsed here; only without a site
 * @param rank a ClassAd expression, not parsed here; a site with a higher value is preferred
 * @param program the program to run in the reservation; empty for resources alone
 * @param split rules for several sites that serve the part in pieces; empty for one site. Only without a site and a program
 */
public record RequestedPart(
        String term,
        String service,
        Optional<SiteId> site,
        ResourceRequest request,
        Optional<String> requirements,
        Optional<String> rank,
        Optional<Program> program,
        Optional<SplitRequest> split) {

    public RequestedPart {
        if (term.isBlank() || term.length() > 256) {
            throw new IllegalArgumentException(
                    "A term's name (" + term.length() + " characters) must be 1 to 256 long.");
        }
        if (split.isPresent() && (site.isPresent() || program.isPresent())) {
            throw new IllegalArgumentException("Term " + term + " names a " + (site.isPresent() ? "site" : "program")
                    + " and cannot be split over several sites.");
        }
        split.ifPresent(s -> s.check(request.need().amount()));
    }

    /** The part with another amount or duration, and with other requirements. */
    public RequestedPart with(ResourceRequest other, Optional<String> otherRequirements) {
        return new RequestedPart(term, service, site, other, otherRequirements, rank, program, split);
    }

    /** The part with another duration. */
    RequestedPart lasting(Duration duration) {
        return with(request.lasting(duration), requirements);
    }

    /** The part unsplit, all of it at one site. */
    RequestedPart atOneSite() {
        return splitBy(Optional.empty());
    }

    /** The part in pieces, with its duration lengthened by the overhead of pieces. */
    RequestedPart inPieces() {
        var pieces = split.orElseThrow();
        return lasting(pieces.lengthened(request.duration())).splitBy(Optional.of(pieces.withoutOverhead()));
    }

    private RequestedPart splitBy(Optional<SplitRequest> rules) {
        return new RequestedPart(term, service, site, request, requirements, rank, program, rules);
    }

    /** The part with the amount of its smallest piece, at one site; a part that is not split stays as it is. */
    public RequestedPart smallest() {
        return split.map(pieces -> request.of(request.need().withAmount(pieces.leastPiece())))
                .map(least -> atOneSite().with(least, requirements))
                .orElse(this);
    }

    /** The part at any one site, without its site, requirements and rank. */
    public RequestedPart anywhere() {
        return new RequestedPart(
                term,
                service,
                Optional.empty(),
                request,
                Optional.of("true"),
                Optional.empty(),
                program,
                Optional.empty());
    }

    /** A part without rank, program and split. */
    public RequestedPart(
            String term,
            String service,
            Optional<SiteId> site,
            ResourceRequest request,
            Optional<String> requirements) {
        this(term, service, site, request, requirements, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** A part at a named site, whose term and service have the site's name. */
    public static RequestedPart at(String site, ResourceRequest request) {
        return new RequestedPart(site, site, Optional.of(new SiteId(site)), request, Optional.empty());
    }
}
