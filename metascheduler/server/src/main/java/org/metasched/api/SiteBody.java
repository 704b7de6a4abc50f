package org.metasched.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.metasched.overview.SiteSnapshot;

/** A site, what is free at it now, and what its newest ad says. A silent site has the state {@code silent}. */
final class SiteBody {

    private SiteBody() {}

    static ObjectNode of(SiteSnapshot site) {
        var entry = ApiServlet.MAPPER.createObjectNode();
        entry.put("site", site.site().value());
        entry.put("lookAhead", site.preview().lookAhead().toString());
        entry.put("grid", site.preview().grid().toString());
        entry.put("state", site.isUp() ? "up" : "silent");
        site.trouble().ifPresent(why -> entry.put("detail", why));
        site.load().ifPresent(load -> {
            entry.put("totalNodes", load.totalNodes());
            entry.put("freeNodes", load.freeNodes());
            entry.put("runningJobs", load.runningJobs());
            entry.put("queuedJobs", load.queuedJobs());
            var remarks = entry.putArray("remarks");
            load.remarks().forEach(remarks::add);
        });
        site.currentMatches().ifPresent(current -> entry.put("curMatches", current));
        site.mostMatches().ifPresent(most -> entry.put("maxMatches", most));
        site.ad().ifPresent(ad -> entry.put("lastAdvertised", ad.received().toString()));
        return entry;
    }
}
