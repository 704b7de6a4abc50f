package org.metasched.publisher;

import java.time.Instant;
import java.util.Optional;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.classad.ClassAd;

/** Makes one site ad from the template and live facts. */
record SiteAdBuilder(SiteAdTemplate template) {

    /** HTCondor's negotiator passes over a machine ad without an address; nothing listens there, as no slot is claimed. */
    private static final String NO_STARTD = "<127.0.0.1:9>";

    /**
     * @param curMatches from the ledger
     * @param load what the scheduler reports, if it does
     * @param sequence larger than in any ad before
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
