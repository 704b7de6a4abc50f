package org.metasched.publisher;

import java.time.Instant;
import java.util.Optional;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.classad.ClassAd;

/** Makes site ads from the template and live facts. */
record SiteAdBuilder(SiteAdTemplate template) {

    /** HTCondor's negotiator passes over a machine ad without an address; nothing listens there, as no slot is claimed. */
    private static final String NO_STARTD = "<127.0.0.1:9>";

    /**
     * One ad.
     *
     * @param curMatches number of matches that the ledger holds for the site
     * @param load nodes and jobs as the scheduler reports them; empty if it reports none
     * @param sequence a number larger than in each earlier ad of the site
     */
    ClassAd build(int curMatches, Optional<SiteLoad> load, long sequence, Instant now) {
        var ad = new ClassAd.Builder();
        ad.set("MyType", template.type());
        ad.set("TargetType", "Job");
        ad.set("Name", template.name());
        ad.set("UpdateSequenceNumber", sequence);
        ad.set("MyCurrentTime", now.getEpochSecond());
        ad.set("ClassAdLifetime", template.lifetime().toSeconds());
        ad.set("WantAdRevaluate", true);
        ad.set("StartdIpAddr", NO_STARTD);
        ad.set("WantClaiming", false);
        ad.set("CurrentRank", 0.0);
        ad.set("CurMatches", curMatches);
        ad.set("MaxMatches", template.maxMatches());
        load.ifPresent(facts -> {
            ad.set("TotalNodes", facts.totalNodes());
            ad.set("FreeNodes", facts.freeNodes());
            ad.set("RunningJobs", facts.runningJobs());
            ad.set("QueuedJobs", facts.queuedJobs());
        });
        if (!template.environment().isEmpty()) {
            ad.set("SiteEnvironment", SiteEnvironment.written(template.environment()));
        }
        template.attributes().forEach(ad::set);
        return ad.build();
    }
}
