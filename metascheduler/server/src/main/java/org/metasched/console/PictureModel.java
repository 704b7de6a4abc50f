package org.metasched.console;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.overview.SiteSnapshot;

/**
 * A picture of the reservations and free windows of sites in a span of time.
 *
 * @param shown the time of the picture
 * @param isMoved whether the person chose its start; else it begins around now
 * @param living agreements that hold something in the time shown and that the person may see
 * @param isCut whether there may be more of them, as {@value #MOST_READ} were read
 * @param query request whose free windows are shown
 * @param page sites that are shown
 * @param initiator text that the initiators of the shown agreements have in their names; empty for all
 */
record PictureModel(
        TimeSpan span,
        TimeSlot shown,
        boolean isMoved,
        List<SiteSnapshot> sites,
        List<Agreement> living,
        boolean isCut,
        Optional<SlotQuery> query,
        SitePage page,
        String initiator) {

    /** The most agreements that are read for a picture. */
    static final int MOST_READ = 10_000;

    String title(TimeLabels times) {
        return isMoved ? span.word() + " from " + times.both(shown.start()) : "Next " + span.word();
    }

    /** The address of the picture of another span. */
    String address(TimeSpan other) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("span", other.word());
        parameters.put("site", page.chosen());
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
