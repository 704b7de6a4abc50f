package org.metasched.agreement.making;

import java.util.List;
import java.util.Optional;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.choice.PickConstraint;
import org.metasched.negotiation.ChoiceRequest.Place;

/** Selects the sites that may serve the parts of an offer that name no site, regardless of time. Thread-safe. */
public interface SiteSelector {

    /** The places for every part without a site, and the constraints between them. */
    Candidates candidates(AgreementRequest request);

    /**
     * Checks the expressions of the parts without a site.
     *
     * @throws IllegalArgumentException when one of them cannot be parsed; the message names its term and the reason
     */
    default void check(AgreementRequest request) {}

    /** The selector over the sites as they are advertised now; cheaper for several questions. For one thread. */
    default SiteSelector ofNow() {
        return this;
    }

    /**
     * Clauses of the requirements of parts, with the number of ads that meet each.
     *
     * @param parts parts of the request without a site
     * @return the clauses part by part; equal parts may have theirs in common
     */
    default List<Clause> clauses(AgreementRequest request, List<RequestedPart> parts) {
        return List.of();
    }

    /**
     * A clause of requirements.
     *
     * @param words sentence for people: how many ads meet the clause
     * @param easier the whole requirements with less asked for in this clause, the nearest first; perhaps no ad meets these either
     */
    record Clause(String words, List<String> easier) {

        public Clause {
            easier = List.copyOf(easier);
        }
    }

    /**
     * The places that may serve the open parts of a request, those without a site.
     *
     * @param places the places for each open part, in the order of the parts; a part may have none
     * @param rules constraints between open parts, which are counted from 0. A rule judges options whose tag is a {@link Place}
     * @param exhaustive whether there is no other place; false if a search was cut off at its limit
     * @param whyNone reason for people why some part has no place; empty if each has one or the reason is not known
     */
    record Candidates(
            List<List<Place>> places, List<PickConstraint> rules, boolean exhaustive, Optional<String> whyNone) {

        /** All candidates that there are. */
        public Candidates(List<List<Place>> places, List<PickConstraint> rules, Optional<String> whyNone) {
            this(places, rules, true, whyNone);
        }

        public Candidates {
            places = places.stream().map(List::copyOf).toList();
            rules = List.copyOf(rules);
        }
    }

    /** The selector of a service without a matchmaker: knows no place. */
    SiteSelector NONE = request -> new Candidates(
            request.parts().stream()
                    .filter(part -> part.site().isEmpty())
                    .map(part -> List.<Place>of())
                    .toList(),
            List.of(),
            Optional.of("This service has no matchmaker."));
}
