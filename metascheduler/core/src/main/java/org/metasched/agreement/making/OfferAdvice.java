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
 * Result of planning an offer without holding anything; true as long as no site changes.
 *
 * @param code why it would be refused; nothing when it would be granted
 * @param ways the best ones, the best first
 * @param proven whether these are the best there are, or it is certain that there is none
 * @param reason for people: why it would be refused, or which sites were left out as they did not answer; else empty
 * @param nearest requests like it that would be granted, when it would not and they were asked for
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

    /** The same with the refusal of the offer. */
    OfferAdvice because(Refused why) {
        return new OfferAdvice(Optional.of(why.code()), ways, proven, why.reason(), nearest);
    }

    /**
     * One way to have a request.
     *
     * @param request of the offer's alternatives
     * @param end of the part that ends last
     * @param rank how well the parts like their sites, all together
     * @param cost of the sites, all together
     * @param pieces by the parts of the request, one for each that is not split
     */
    public record Way(
            AgreementRequest request, Instant start, Instant end, double rank, double cost, List<Piece> pieces) {

        public Way {
            pieces = List.copyOf(pieces);
        }
    }

    /** The piece of one site, and its start. */
    public record Piece(RequestedPart part, SiteId site, Need need, Instant start) {

        /** When it would end. */
        public Instant end() {
            return start.plus(part.request().duration());
        }

        /** Whether the same site would give the same kind of thing twice at the same time. */
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
     * @param change in one word: {@code again}, {@code later}, {@code earlier}, {@code shorter}, {@code fewer}, {@code sites},
     *     {@code relaxed}, {@code elsewhere}
     * @param words what is other in it, for people
     */
    public record Nearest(String change, String words, AgreementRequest request, Way way) {}
}
