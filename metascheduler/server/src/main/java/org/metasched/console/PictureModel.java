package org.metasched.console;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.overview.SiteSnapshot;

/**
 * A picture of the reservations and free windows of sites in a span of time.
 *
 * @param shown the time of the picture
 * @param isMoved whether the person chose its begin; else it begins around now
 * @param living agreements that hold something in the time shown, at most {@value #MOST_SHOWN}
 * @param query request whose free windows are shown
 * @param site the only site that is shown; empty for all
 * @param initiator text that the initiators of the shown agreements have in their names; empty for all
 */
record PictureModel(
        TimeSpan span,
        TimeSlot shown,
        boolean isMoved,
        List<SiteSnapshot> sites,
        List<Agreement> living,
        Optional<SlotQuery> query,
        String site,
        String initiator) {

    /** The most agreements in a picture. */
    static final int MOST_SHOWN = 10_000;

    boolean shows(SiteId id) {
        return site.isEmpty() || id.value().equals(site);
    }

    List<String> names() {
        return sites.stream().map(snapshot -> snapshot.site().value()).toList();
    }

    String title(TimeLabels times) {
        return isMoved ? span.word() + " from " + times.both(shown.start()) : "Next " + span.word();
    }

    /** The address of the picture of another span. */
    String address(TimeSpan other) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("span", other.word());
        parameters.put("site", site);
        parameters.put("initiator", initiator);
        return "/picture?" + PageLabels.query(parameters);
    }

    Instant earlier() {
        return shown.start().minus(shown.length().dividedBy(2));
    }

    Instant later() {
        return shown.start().plus(shown.length().dividedBy(2));
    }
}
