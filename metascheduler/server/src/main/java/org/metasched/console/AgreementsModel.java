package org.metasched.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.overview.ListPage;

/**
 * A page of the agreements that a filter selects, the newest first.
 *
 * @param fields the filter's fields; an empty field selects all
 */
record AgreementsModel(OfferForm fields, List<SiteId> sites, ListPage<Agreement, AgreementId> page) {

    /** Selects by a text in id, offer or initiator, by the site of a part, and by a time that the slot overlaps. */
    static Predicate<Agreement> filter(OfferForm fields) {
        String text = fields.text("q").toLowerCase(Locale.ROOT);
        String site = fields.text("site");
        var from = fields.time("from");
        var to = fields.time("to");
        return agreement -> searchText(agreement).contains(text)
                && (site.isEmpty() || agreement.isAt(site))
                && agreement.overlaps(from, to);
    }

    private static String searchText(Agreement agreement) {
        var key = agreement.offer().key();
        return (agreement.id() + "\n" + key.initiator() + "\n" + key.id()).toLowerCase(Locale.ROOT);
    }

    /** The filter as the query of a URL. */
    String query() {
        Map<String, String> parameters = new LinkedHashMap<>();
        List.of("state", "q", "site", "from", "to", "zone").forEach(name -> parameters.put(name, fields.text(name)));
        return PageLabels.query(parameters);
    }
}
