package org.metasched.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.SiteId;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;

/** Looks at all sites at once: their load, and their newest ads. Thread-safe. */
public final class SiteLook {

    private static final RequestKey PROBE = new RequestKey("probe");

    private final SiteCalls calls;
    private final Advertised advertised;

    public SiteLook(SiteCalls calls, Advertised advertised) {
        this.calls = calls;
        this.advertised = advertised;
    }

    /** In the order of the configuration. Waits for a silent site as long as a call may take. */
    public List<SiteSight> look() throws InterruptedException {
        List<Call<Optional<SiteLoad>>> questions = new ArrayList<>();
        for (var site : calls.directory().sites()) {
            questions.add(new Call<>(site, SiteLook::load));
        }
        var loads = calls.askAll(questions);
        var ads = advertised.newestBySite();
        List<SiteSight> sights = new ArrayList<>();
        for (int i = 0; i < questions.size(); i++) {
            var site = questions.get(i).site();
            sights.add(sight(site, loads.get(i), Optional.ofNullable(ads.get(site.value()))));
        }
        return sights;
    }

    private SiteSight sight(SiteId site, Answer<Optional<SiteLoad>> answer, Optional<Advertised.SiteAd> ad) {
        var preview = calls.directory().get(site).previewWindow();
        return answer.fold(
                load -> new SiteSight(site, preview, Optional.empty(), load, ad),
                problem -> new SiteSight(
                        site, preview, Optional.of(String.valueOf(problem.getMessage())), Optional.empty(), ad));
    }

    /** A site that tells no load is asked for a reservation that nobody made, to see whether it answers. */
    private static Optional<SiteLoad> load(LocalScheduler site) throws LocalSchedulerException {
        var reporting = site.loadReporting();
        if (reporting.isPresent()) {
            return Optional.of(reporting.get().load());
        }
        site.find(PROBE);
        return Optional.empty();
    }
}
