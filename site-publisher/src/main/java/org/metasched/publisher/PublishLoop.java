package org.metasched.publisher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;
import org.metasched.leases.MatchRoom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one site's ad fresh. If the site's scheduler does not answer, nothing is sent, so that the last ad ages out in the collector and
 * does not mislead. Thread-safe; no lock is held while the site or the sink is called, so that a site without an answer delays its own ad
 * only. Turns do not overlap: a turn is skipped and counted if the turn before it still runs.
 */
public final class PublishLoop {

    private static final Logger LOG = LoggerFactory.getLogger(PublishLoop.class);

    /** Outcome of a turn. */
    public enum End {
        SENT,
        /** The site's scheduler did not answer; nothing was sent. */
        SITE_SILENT,
        /** The ad may not have arrived, or the destination did not take it. */
        SINK_FAILED,
        /** The turn before it is still running, or the site has signed off; nothing was sent. */
        SKIPPED
    }

    /**
     * Result of one turn.
     *
     * @param ad ad that was sent; empty if none was
     * @param reason reason why none was sent; else empty
     */
    public record Turn(End end, ClassAd ad, String reason) {

        private static Turn failed(End end, @Nullable String reason) {
            return new Turn(end, ClassAd.EMPTY, String.valueOf(reason));
        }
    }

    private final SiteAdTemplate template;
    private final LocalScheduler scheduler;
    private final IntSupplier curMatches;
    private final Optional<UnleasedDags> dags;
    private final SequenceNumbers numbers;
    private final AdSink sink;
    private final Clock clock;
    /** Whether a turn waits for a thread. */
    private final AtomicBoolean waiting = new AtomicBoolean();

    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong skipped = new AtomicLong();
    /** Whether the sink may have an ad of this loop. */
    private volatile boolean advertised;

    private volatile boolean signedOff;

    /**
     * @param curMatches supplier of the ledger's number of matches for this site
     * @param dags DAGs that were submitted without the ledger, counted beside it; empty if they are not counted
     */
    public PublishLoop(
            SiteAdTemplate template,
            LocalScheduler scheduler,
            IntSupplier curMatches,
            Optional<UnleasedDags> dags,
            SequenceNumbers numbers,
            AdSink sink,
            Clock clock) {
        this.template = template;
        this.scheduler = scheduler;
        this.curMatches = curMatches;
        this.dags = dags;
        this.numbers = numbers;
        this.sink = sink;
        this.clock = clock;
    }

    public SiteAdTemplate template() {
        return template;
    }

    /** Number of turns since the start that were skipped because the turn before still ran or waited, or the executor had ended. */
    public long skipped() {
        return skipped.get();
    }

    /** Takes one turn on an executor, unless the last one still waits for its thread. */
    public void execute(Executor executor) {
        if (!waiting.compareAndSet(false, true)) {
            skipped.incrementAndGet();
            return;
        }
        try {
            executor.execute(() -> {
                waiting.set(false);
                String failure;
                try {
                    failure = once().reason();
                } catch (RuntimeException e) {
                    failure = e.toString();
                }
                if (!failure.isEmpty() && !signedOff) {
                    LOG.warn("No new ad of site {} is known to have arrived: {}", scheduler.site(), failure);
                }
            });
        } catch (RejectedExecutionException e) {
            waiting.set(false);
            skipped.incrementAndGet();
        }
    }

    /**
     * Asks the site and sends one ad. After {@link #signOff()} nothing is sent.
     *
     * @throws UncheckedIOException if the sequence number or the ledger cannot be read or written
     */
    public Turn once() {
        if (!running.compareAndSet(false, true)) {
            return Turn.failed(End.SKIPPED, "the turn before still runs (" + skipped.incrementAndGet() + " skipped)");
        }
        try {
            return turn();
        } finally {
            running.set(false);
        }
    }

    private Turn turn() {
        Optional<SiteLoad> load = Optional.empty();
        int unleased = 0;
        Optional<LoadReporting> reporting = scheduler.loadReporting();
        try {
            load = reporting.isPresent() ? Optional.of(reporting.get().load()) : load;
            unleased = dags.isPresent() ? dags.get().count() : 0;
        } catch (LocalSchedulerException e) {
            return Turn.failed(End.SITE_SILENT, e.getMessage());
        }
        if (signedOff) {
            return Turn.failed(End.SKIPPED, "the site has signed off");
        }
        try {
            if (numbers.areUnknown()) {
                numbers.continueAfter(sink.lastNumber(key()));
            }
        } catch (UncheckedIOException e) {
            return Turn.failed(End.SINK_FAILED, e.getMessage());
        }
        ClassAd ad = new SiteAdBuilder(template)
                .build(curMatches.getAsInt() + unleased, load, numbers.next(), clock.instant());
        return send(unleased == 0 ? ad : ad.with(MatchRoom.UNLEASED, unleased));
    }

    private Turn send(ClassAd ad) {
        try {
            Optional<String> refusal = sink.advertise(ad);
            advertised |= refusal.isEmpty();
            return refusal.isEmpty() ? new Turn(End.SENT, ad, "") : Turn.failed(End.SINK_FAILED, refusal.get());
        } catch (IOException | UncheckedIOException e) {
            advertised = true;
            return Turn.failed(End.SINK_FAILED, e.getMessage());
        } finally {
            if (signedOff && advertised) {
                takeBack();
            }
        }
    }

    /** Takes the ad back at an orderly end, for good. Does not wait for a turn that runs; such a turn takes its own ad back. */
    public void signOff() {
        signedOff = true;
        if (advertised) {
            takeBack();
        }
    }

    private AdKey key() {
        return new AdKey(template.type(), template.name());
    }

    private void takeBack() {
        // Before the call, so that an ad which arrives during it is not forgotten.
        advertised = false;
        try {
            sink.invalidate(key());
        } catch (IOException | UncheckedIOException e) {
            advertised = true;
            LOG.warn(
                    "The ad of site {} could not be taken back and will age out: {}", scheduler.site(), e.getMessage());
        }
    }
}
