package org.metasched.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.SiteId;
import org.metasched.classad.Value;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Call;

/**
 * The sites, what is free at each of them now, and what its newest ad says, as JSON. Asks all in parallel; a silent one is
 * shown as such.
 */
final class SiteList extends JsonServlet {

    private static final long serialVersionUID = 1L;
    private static final RequestKey PROBE = new RequestKey("probe");

    private final transient SiteCalls calls;
    private final transient Collector collector;

    SiteList(SiteCalls calls, Collector collector) {
        this.calls = calls;
        this.collector = collector;
    }

    @Override
    Answer answer() throws InterruptedException {
        List<Call<Optional<SiteLoad>>> questions = new ArrayList<>();
        for (var site : calls.directory().sites()) {
            questions.add(new Call<>(site, SiteList::look));
        }
        var loads = calls.askAll(questions);
        var body = MAPPER.createObjectNode();
        var list = body.putArray("sites");
        var ads = newestAds();
        for (int i = 0; i < questions.size(); i++) {
            var site = questions.get(i).site();
            var entry = entry(site, loads.get(i));
            Optional.ofNullable(ads.get(site.value())).ifPresent(ad -> describe(ad, entry));
            list.add(entry);
        }
        return new Answer(200, body);
    }

    /** By the name in their attribute {@code Site}, or their own where they have none. */
    private Map<String, Advertisement> newestAds() {
        Map<String, Advertisement> newest = new HashMap<>();
        for (var ad : collector.snapshot()) {
            if (ad.ad().evaluate("MaxMatches") instanceof Value.Int) {
                String site = ad.ad().evaluate("Site") instanceof Value.Text text
                        ? text.text()
                        : ad.key().name();
                newest.merge(site, ad, (a, b) -> a.received().isBefore(b.received()) ? b : a);
            }
        }
        return newest;
    }

    private static void describe(Advertisement ad, ObjectNode entry) {
        if (ad.ad().evaluate("CurMatches") instanceof Value.Int current) {
            entry.put("curMatches", current.value());
        }
        if (ad.ad().evaluate("MaxMatches") instanceof Value.Int most) {
            entry.put("maxMatches", most.value());
        }
        entry.put("lastAdvertised", ad.received().toString());
    }

    /** A site that tells no load is asked for a reservation that nobody made, to see whether it answers. */
    private static Optional<SiteLoad> look(LocalScheduler site) throws LocalSchedulerException {
        var reporting = site.loadReporting();
        if (reporting.isPresent()) {
            return Optional.of(reporting.get().load());
        }
        site.find(PROBE);
        return Optional.empty();
    }

    private ObjectNode entry(SiteId site, SiteCalls.Answer<Optional<SiteLoad>> load) {
        var entry = MAPPER.createObjectNode();
        var preview = calls.directory().get(site).previewWindow();
        entry.put("site", site.value());
        entry.put("lookAhead", preview.lookAhead().toString());
        entry.put("grid", preview.grid().toString());
        if (load instanceof SiteCalls.Answer.Failed<Optional<SiteLoad>> failed) {
            entry.put("state", "silent");
            entry.put("detail", failed.problem().getMessage());
            return entry;
        }
        entry.put("state", "up");
        ((SiteCalls.Answer.Got<Optional<SiteLoad>>) load).value().ifPresent(l -> {
            entry.put("totalNodes", l.totalNodes());
            entry.put("freeNodes", l.freeNodes());
            entry.put("runningJobs", l.runningJobs());
            entry.put("queuedJobs", l.queuedJobs());
        });
        return entry;
    }
}
