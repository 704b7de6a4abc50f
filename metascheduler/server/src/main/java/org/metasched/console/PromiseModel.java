package org.metasched.console;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.making.OfferAdvice.Way;
import org.metasched.overview.SiteSnapshot;

/**
 * One plan of a request, to be looked at before it is taken.
 *
 * @param replaced agreement that ends when the plan is taken
 * @param advice advice of which the first plan is shown, or the reason why there is none
 */
record PromiseModel(Optional<Agreement> replaced, AdviceModel advice, List<SiteSnapshot> sites) {

    String policy(SiteId site) {
        return sites.stream()
                .filter(snapshot -> snapshot.site().equals(site))
                .findFirst()
                .map(SitesModel::policy)
                .orElse("");
    }

    static double nodeHours(Way way) {
        return way.pieces().stream()
                .mapToDouble(
                        piece -> piece.need().nodeHours(piece.part().request().duration()))
                .sum();
    }

    /** The address to which the form that takes the plan is sent. */
    String action() {
        return replaced.map(old -> "/agreement/" + old.id() + "/renegotiate").orElse("/offer");
    }
}
