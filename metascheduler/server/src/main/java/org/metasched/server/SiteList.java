package org.metasched.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.metasched.console.SiteLook;
import org.metasched.console.SiteSight;

/**
 * The sites, what is free at each of them now, and what its newest ad says, as JSON. Asks all in parallel; a silent one is
 * shown as such.
 */
final class SiteList extends JsonServlet {

    private static final long serialVersionUID = 1L;

    private final transient SiteLook look;

    SiteList(SiteLook look) {
        this.look = look;
    }

    @Override
    Answer answer() throws InterruptedException {
        var body = MAPPER.createObjectNode();
        var list = body.putArray("sites");
        for (var site : look.look()) {
            list.add(entry(site));
        }
        return new Answer(200, body);
    }

    private static ObjectNode entry(SiteSight site) {
        var entry = MAPPER.createObjectNode();
        entry.put("site", site.site().value());
        entry.put("lookAhead", site.preview().lookAhead().toString());
        entry.put("grid", site.preview().grid().toString());
        entry.put("state", site.isUp() ? "up" : "silent");
        site.trouble().ifPresent(why -> entry.put("detail", why));
        site.load().ifPresent(l -> {
            entry.put("totalNodes", l.totalNodes());
            entry.put("freeNodes", l.freeNodes());
            entry.put("runningJobs", l.runningJobs());
            entry.put("queuedJobs", l.queuedJobs());
            var remarks = entry.putArray("remarks");
            l.remarks().forEach(remarks::add);
        });
        site.currentMatches().ifPresent(current -> entry.put("curMatches", current));
        site.mostMatches().ifPresent(most -> entry.put("maxMatches", most));
        site.ad().ifPresent(ad -> entry.put("lastAdvertised", ad.received().toString()));
        return entry;
    }
}
