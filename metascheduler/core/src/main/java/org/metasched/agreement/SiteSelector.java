package org.metasched.agreement;

import java.util.List;
import java.util.Optional;
import org.metasched.choice.Rule;
import org.metasched.negotiation.ChoiceRequest.Place;

/** Says which sites may serve the parts that say what but not where. Knows nothing of slots. Thread-safe. */
public interface SiteSelector {

    /** The places for every part that has no site yet, and what must hold between them. */
    Candidates candidates(AgreementRequest request);

    /**
     * Requirements that a site would satisfy more easily, for each clause of a part's requirements the nearest ones first. None of them
     * is promised to help.
     */
    default List<List<String>> relaxed(RequestedPart part) {
        return List.of();
    }

    /**
     * Who may serve the open parts of a request.
     *
     * @param places for each open part, in their order, the places that may serve it, perhaps none
     * @param rules between open parts, counted from 0; the options that a rule is told have {@link Place}s as tags
     * @param whyNone for people, when a part has no place
     */
    record Candidates(List<List<Place>> places, List<Rule> rules, Optional<String> whyNone) {

        public Candidates {
            places = places.stream().map(List::copyOf).toList();
            rules = List.copyOf(rules);
        }
    }

    /** For a service without a matchmaker: knows no place. */
    SiteSelector NONE = request -> new Candidates(
            request.parts().stream()
                    .filter(part -> part.site().isEmpty())
                    .map(part -> List.<Place>of())
                    .toList(),
            List.of(),
            Optional.of("This service has no matchmaker."));
}
