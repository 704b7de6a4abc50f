package org.metasched.console;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.overview.SiteSnapshot;

/**
 * The first page: sites, the time to come, agreements, ads.
 *
 * @param span of the picture
 * @param shown the time of the picture
 * @param isMoved whether it was asked to begin at a time
 * @param living agreements that hold something in the time shown, at most {@value #MOST_SHOWN}
 * @param newest in any state, the newest first
 * @param ads how many of each type the collector has
 * @param query whose free windows are shown
 */
record OverviewModel(
        TimeSpan span,
        TimeSlot shown,
        boolean isMoved,
        List<SiteSnapshot> sites,
        List<Agreement> living,
        List<Agreement> newest,
        Map<String, Long> ads,
        Optional<SlotQuery> query) {

    /** Agreements in the picture: more bars than theirs make none. */
    static final int MOST_SHOWN = 10_000;

    private static final Set<String> FIELDS_SHOWN = Set.of("nodes1", "site1", "hours", "minutes", SlotQuery.AT_ONCE);

    String title() {
        return isMoved ? span.word() + " from " + TimeLabels.minute(shown.start()) + " UTC" : "Next " + span.word();
    }

    /** The picture of another span, for the same wish. */
    String address(TimeSpan other) {
        return "?span=" + other.parameter() + query.map(SlotQuery::query).orElse("");
    }

    Instant earlier() {
        return shown.start().minus(shown.length().dividedBy(2));
    }

    Instant later() {
        return shown.start().plus(shown.length().dividedBy(2));
    }

    /** What the form for another wish keeps and does not show. */
    Map<String, String> kept(OfferForm fields) {
        Map<String, String> kept = new LinkedHashMap<>();
        kept.put("span", span.word());
        if (isMoved) {
            kept.put("from", shown.start().toString());
        }
        SlotQuery.NAMES.stream()
                .filter(name ->
                        !FIELDS_SHOWN.contains(name) && !fields.text(name).isEmpty())
                .forEach(name -> kept.put(name, fields.text(name)));
        return kept;
    }
}
