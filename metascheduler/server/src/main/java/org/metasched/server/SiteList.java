package org.metasched.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.SiteId;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Call;

/** The sites and what is free at each of them now, as JSON. Asks all in parallel; a silent one is shown as such. */
final class SiteList extends JsonServlet {

    private static final long serialVersionUID = 1L;
    private static final RequestKey PROBE = new RequestKey("probe");

    private final transient SiteCalls calls;

    SiteList(SiteCalls calls) {
        this.calls = calls;
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
        for (int i = 0; i < questions.size(); i++) {
            list.add(entry(questions.get(i).site(), loads.get(i)));
        }
        return new Answer(200, body);
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
