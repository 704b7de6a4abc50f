package org.metasched.agreement.making;

import java.util.List;
import java.util.Optional;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.choice.PickConstraint;
import org.metasched.negotiation.ChoiceRequest.Place;

/** Selects the sites that may serve the parts of an offer that say what but not where. Knows nothing of slots. Thread-safe. */
public interface SiteSelector {

    /** The places for every part that has no site yet, and what must hold between them. */
    Candidates candidates(AgreementRequest request);

    /** @throws IllegalArgumentException when an expression of an open part is none, with its term and reason */
    default void check(AgreementRequest request) {}

    /**
     * Cost of each clause of the requirements of parts.
     *
     * @param parts of the request, without a site; equal ones may be answered once
     */
    default List<Clause> clauses(AgreementRequest request, List<RequestedPart> parts) {
        return List.of();
    }

    /**
     * A clause of requirements.
     *
     * @param words how many ads meet it, for people
     * @param easier requirements that ask less here, the nearest first; none is promised to help
     */
    record Clause(String words, List<String> easier) {

        public Clause {
            easier = List.copyOf(easier);
        }
    }

    /**
     * Who may serve the open parts of a request.
     *
     * @param places for each open part, in their order, the places that may serve it, perhaps none
     * @param rules between open parts, counted from 0; the options that a rule is told have {@link Place}s as tags
     * @param exhaustive whether there is no other place; false if a search was cut off at its limit
     * @param whyNone for people, when a part has no place
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
