package org.metasched.publisher;

import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one site's ad fresh. A site that cannot be asked sends nothing, so its last ad ages out in the collector: silence instead
 * of a lie. Thread-safe; turns do not overlap.
 */
public final class PublishLoop {

    private static final Logger LOG = LoggerFactory.getLogger(PublishLoop.class);

    /** What came of one turn. */
    public sealed interface Turn {
        record Sent(ClassAd ad) implements Turn {}

        /** The site's scheduler did not answer; nothing was sent. */
        record SiteSilent(String reason) implements Turn {}

        /** The ad did not arrive, as far as is known. */
        record SinkFailed(String reason) implements Turn {}
    }

    private final SiteAdTemplate template;
    private final SiteAdBuilder builder;
    private final LocalScheduler scheduler;
    private final IntSupplier curMatches;
    private final SequenceNumbers numbers;
    private final AdSink sink;
    private final Clock clock;
    private boolean advertised;

    /** @param curMatches the ledger's count for this site */
    public PublishLoop(
            SiteAdTemplate template,
            LocalScheduler scheduler,
            IntSupplier curMatches,
            SequenceNumbers numbers,
            AdSink sink,
            Clock clock) {
        this.template = template;
        this.builder = new SiteAdBuilder(template);
        this.scheduler = scheduler;
        this.curMatches = curMatches;
        this.numbers = numbers;
        this.sink = sink;
        this.clock = clock;
    }

    public SiteAdTemplate template() {
        return template;
    }

    /** Asks the site and sends one ad. */
    public synchronized Turn once() {
        Optional<SiteLoad> load = Optional.empty();
        Optional<LoadReporting> reporting = scheduler.loadReporting();
        try {
            if (reporting.isPresent()) {
                load = Optional.of(reporting.get().load());
            }
        } catch (LocalSchedulerException e) {
            LOG.warn("Site {} sends no ad this time: {}", scheduler.site(), e.getMessage());
            return new Turn.SiteSilent(String.valueOf(e.getMessage()));
        }
        ClassAd ad = builder.build(curMatches.getAsInt(), load, numbers.next(), clock.instant());
        try {
            sink.advertise(ad);
        } catch (IOException e) {
            LOG.warn("The ad of site {} may not have arrived: {}", scheduler.site(), e.getMessage());
            return new Turn.SinkFailed(String.valueOf(e.getMessage()));
        }
        advertised = true;
        return new Turn.Sent(ad);
    }

    /** Takes the ad back at an orderly end. */
    public synchronized void signOff() {
        if (advertised) {
            try {
                sink.invalidate(new AdKey(template.type(), template.name()));
                advertised = false;
            } catch (IOException e) {
                LOG.warn(
                        "The ad of site {} could not be taken back and will age out: {}",
                        scheduler.site(),
                        e.getMessage());
            }
        }
    }
}
