package org.metasched.agreement.making;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.Need;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Refused;

/**
 * Result of planning an offer without holding anything; valid as long as no site changes.
 *
 * @param code reason of the refusal; empty if the offer would be granted
 * @param ways best ways to grant the offer, the best first
 * @param proven whether it is certain that there are no better ways; if {@code ways} is empty, that there are none at all
 * @param reason text for people: the reason of the refusal, or the sites that were left out as they did not answer; else empty
 * @param nearest similar requests that would be granted; none if the offer would be granted, or if they were not asked for
 */
public record OfferAdvice(
        Optional<RefusalCode> code, List<Way> ways, boolean proven, String reason, List<Nearest> nearest) {

    public OfferAdvice {
        ways = List.copyOf(ways);
        nearest = List.copyOf(nearest);
    }

    static OfferAdvice no(Refused why) {
        return new OfferAdvice(Optional.of(why.code()), List.of(), true, why.reason(), List.of());
    }

    /** The advice with the code and reason of a refusal. */
    OfferAdvice because(Refused why) {
        return new OfferAdvice(Optional.of(why.code()), ways, proven, why.reason(), nearest);
    }

    /**
     * One way to grant a request.
     *
     * @param request one of the offer's alternatives
     * @param end end of the part that ends last
     * @param rank sum of the ranks that the parts give to their sites
     * @param cost sum of the costs of the sites
     * @param pieces pieces in the order of the request's parts; a part that is not split has one
     */
    public record Way(
            AgreementRequest request, Instant start, Instant end, double rank, double cost, List<Piece> pieces) {

        public Way {
            pieces = List.copyOf(pieces);
        }
    }

    /** A part, or a piece of it, at one site. */
    public record Piece(RequestedPart part, SiteId site, Need need, Instant start) {

        /** The end of the piece. */
        public Instant end() {
            return start.plus(part.request().duration());
        }

        /** Whether two pieces want the same kind of resource of the same site at the same time. */
        boolean meets(Piece other) {
            return site.equals(other.site)
                    && kind().equals(other.kind())
                    && start.isBefore(other.end())
                    && other.start.isBefore(end());
        }

        private String kind() {
            return need.fold(nodes -> "nodes", bandwidth -> "link", licences -> "licence " + licences.feature());
        }
    }

    /**
     * A request that would be granted.
     *
     * @param change kind of the change, in one word: {@code again}, {@code later}, {@code earlier}, {@code shorter}, {@code fewer}, {@code sites},
     *     {@code relaxed}, {@code elsewhere}
     * @param words description of the difference, for people
     */
    public record Nearest(String change, String words, AgreementRequest request, Way way) {}
}
