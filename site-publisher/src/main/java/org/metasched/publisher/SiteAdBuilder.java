package org.metasched.publisher;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;

/** Makes one site ad from the template and what is true now. */
final class SiteAdBuilder {

    private final SiteAdTemplate template;

    SiteAdBuilder(SiteAdTemplate template) {
        this.template = template;
    }

    /**
     * @param curMatches from the ledger
     * @param load what the scheduler reports, if it does
     * @param sequence larger than in any ad before
     */
    ClassAd build(int curMatches, Optional<SiteLoad> load, long sequence, Instant now) {
        var names = new ArrayList<String>();
        var expressions = new ArrayList<Expr>();
        var ad = new Object() {
            void put(String name, Expr expression) {
                names.add(name);
                expressions.add(expression);
            }
        };
        ad.put("MyType", Literal.of(template.type()));
        ad.put("TargetType", Literal.of("Job"));
        ad.put("Name", Literal.of(template.name()));
        ad.put("UpdateSequenceNumber", Literal.of(sequence));
        ad.put("MyCurrentTime", Literal.of(now.getEpochSecond()));
        ad.put("ClassAdLifetime", Literal.of(template.lifetime().toSeconds()));
        ad.put("WantAdRevaluate", Literal.of(true));
        ad.put("CurMatches", Literal.of(curMatches));
        ad.put("MaxMatches", Literal.of(template.maxMatches()));
        load.ifPresent(facts -> {
            ad.put("TotalNodes", Literal.of(facts.totalNodes()));
            ad.put("FreeNodes", Literal.of(facts.freeNodes()));
            ad.put("RunningJobs", Literal.of(facts.runningJobs()));
            ad.put("QueuedJobs", Literal.of(facts.queuedJobs()));
        });
        if (!template.environment().isEmpty()) {
            ad.put("SiteEnvironment", Literal.of(SiteEnvironment.written(template.environment())));
        }
        template.attributes().forEach(ad::put);
        return ClassAd.of(List.copyOf(names), List.copyOf(expressions));
    }
}
