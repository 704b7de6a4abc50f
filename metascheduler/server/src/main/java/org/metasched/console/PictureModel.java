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
 * Sites, with what is reserved and free there in a time.
 *
 * @param shown the time of the picture
 * @param isMoved whether it was asked to begin at a time
 * @param living agreements that hold something in the time shown, at most {@value #MOST_SHOWN}
 * @param query whose free windows are shown
 * @param site the only one that is shown; empty for all
 * @param initiator a part of the name of those whose agreements are shown
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

    /** Agreements in the picture: more bars than theirs make none. */
    static final int MOST_SHOWN = 10_000;

    boolean shows(SiteId one) {
        return site.isEmpty() || one.value().equals(site);
    }

    List<String> names() {
        return sites.stream().map(one -> one.site().value()).toList();
    }

    String title(TimeLabels times) {
        return isMoved ? span.word() + " from " + times.both(shown.start()) : "Next " + span.word();
    }

    /** The picture of another span. */
    String address(TimeSpan other) {
        Map<String, String> asked = new LinkedHashMap<>();
        asked.put("span", other.word());
        asked.put("site", site);
        asked.put("initiator", initiator);
        return "/picture?" + SlotQuery.query(asked);
    }

    Instant earlier() {
        return shown.start().minus(shown.length().dividedBy(2));
    }

    Instant later() {
        return shown.start().plus(shown.length().dividedBy(2));
    }
}
