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
 * @param replaced the agreement that ends for it
 * @param advice whose first plan is shown, or why there is none
 */
record PromiseModel(Optional<Agreement> replaced, AdviceModel advice, List<SiteSnapshot> sites) {

    String policy(SiteId site) {
        return sites.stream()
                .filter(one -> one.site().equals(site))
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

    /** Where the form that takes it is sent. */
    String action() {
        return replaced.map(old -> "/agreement/" + old.id() + "/renegotiate").orElse("/offer");
    }
}
