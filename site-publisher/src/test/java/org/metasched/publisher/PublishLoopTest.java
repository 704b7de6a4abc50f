package org.metasched.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;

/** A site that hangs while it tells its load: it holds up neither the end of its own publisher nor other sites. */
@Timeout(60)
class PublishLoopTest {

    @TempDir
    private Path folder;

    private final HangingSite hanging = new HangingSite();

    @AfterEach
    void release() {
        hanging.release.countDown();
    }

    @Test
    void signingOffDoesNotWaitForATurnAndNothingIsSentAfterIt() throws Exception {
        var sink = new RecordingSink();
        var loop = loop("silent", hanging, sink);
        hanging.hang = false;
        loop.once();
        hanging.hang = true;
        var turn = CompletableFuture.supplyAsync(loop::once);
        hanging.asked.await();

        loop.signOff();

        assertThat(turn).isNotDone();
        assertThat(sink.invalidated.getCount()).isZero();
        hanging.release.countDown();
        assertThat(turn.get(30, TimeUnit.SECONDS))
                .extracting(PublishLoop.Turn::end)
                .isEqualTo(PublishLoop.End.SKIPPED);
        assertThat(sink.sent).isEqualTo(1);
    }

    @Test
    void aTurnThatFindsTheLastOneRunningIsSkippedAndCounted() throws Exception {
        var loop = loop("silent", hanging, new RecordingSink());
        var turn = CompletableFuture.supplyAsync(loop::once);
        hanging.asked.await();

        var second = CompletableFuture.supplyAsync(loop::once).get(30, TimeUnit.SECONDS);

        assertThat(second).extracting(PublishLoop.Turn::end).isEqualTo(PublishLoop.End.SKIPPED);
        assertThat(loop.skipped()).isEqualTo(1);
        hanging.release.countDown();
        assertThat(turn.get(30, TimeUnit.SECONDS))
                .extracting(PublishLoop.Turn::end)
                .isEqualTo(PublishLoop.End.SENT);
        assertThat(loop.once()).extracting(PublishLoop.Turn::end).isEqualTo(PublishLoop.End.SENT);
    }

    @Test
    void aTurnThatWaitsForAThreadIsNotAskedForTwice() throws Exception {
        hanging.hang = false;
        var loop = loop("queued", hanging, new RecordingSink());
        var queue = new ArrayDeque<Runnable>();

        loop.execute(queue::add);
        loop.execute(queue::add);

        assertThat(queue).hasSize(1);
        assertThat(loop.skipped()).isEqualTo(1);
        queue.remove().run();
        loop.execute(queue::add);
        assertThat(queue).hasSize(1);
    }

    @Test
    void anAdThatArrivesAfterTheSignOffIsTakenBack() throws Exception {
        var sink = new RecordingSink();
        var hold = new CountDownLatch(1);
        var sending = new CountDownLatch(1);
        sink.whileSending = () -> {
            sending.countDown();
            await(hold);
        };
        hanging.hang = false;
        var loop = loop("slow-collector", hanging, sink);
        var turn = CompletableFuture.supplyAsync(loop::once);
        sending.await();

        loop.signOff();
        hold.countDown();

        turn.get(30, TimeUnit.SECONDS);
        assertThat(sink.invalidated.getCount()).isZero();
    }

    @Test
    void anAdThatArrivesWhileTheOneBeforeItIsTakenBackIsTakenBackToo() throws Exception {
        hanging.hang = false;
        var sink = new RecordingSink();
        var loop = loop("crossing", hanging, sink);
        loop.once();
        var sending = new CountDownLatch(1);
        var takingBack = new CountDownLatch(1);
        var arrived = new CountDownLatch(1);
        var signedOff = new CountDownLatch(1);
        sink.whileTakingBack = () -> {
            takingBack.countDown();
            await(arrived);
        };
        sink.whileSending = () -> {
            sending.countDown();
            await(takingBack);
            throw new UncheckedIOException(new IOException()) {
                @Override
                public String getMessage() {
                    // The loop knows by now that the ad may have arrived.
                    arrived.countDown();
                    PublishLoopTest.await(signedOff);
                    return "it took too long";
                }
            };
        };

        var turn = CompletableFuture.supplyAsync(loop::once);
        sending.await();
        loop.signOff();
        signedOff.countDown();

        turn.get(30, TimeUnit.SECONDS);
        assertThat(sink.takenBack).hasValue(2);
    }

    @Test
    void anAdThatMayHaveArrivedIsTakenBack() throws Exception {
        hanging.hang = false;
        var sink = new RecordingSink();
        sink.whileSending = () -> {
            throw new UncheckedIOException(new IOException("it took too long"));
        };
        var loop = loop("no-answer", hanging, sink);

        assertThat(loop.once().end()).isEqualTo(PublishLoop.End.SINK_FAILED);
        loop.signOff();

        assertThat(sink.invalidated.getCount()).isZero();
    }

    @Test
    void anAdThatMayHaveArrivedAfterTheSignOffIsTakenBack() throws Exception {
        hanging.hang = false;
        var sink = new RecordingSink();
        var loop = loop("no-answer", hanging, sink);
        sink.whileSending = () -> {
            loop.signOff();
            throw new UncheckedIOException(new IOException("it took too long"));
        };

        loop.once();

        assertThat(sink.invalidated.getCount()).isZero();
    }

    @Test
    void theAdOfAnotherPublisherIsNotTakenBack() throws Exception {
        hanging.hang = false;
        var sink = new RecordingSink();
        sink.refusal = Optional.of("The collector knows a newer ad.");
        var loop = loop("late", hanging, sink);

        var turn = loop.once();
        loop.signOff();

        assertThat(turn.end()).isEqualTo(PublishLoop.End.SINK_FAILED);
        assertThat(turn.reason()).isEqualTo("The collector knows a newer ad.");
        assertThat(sink.invalidated.getCount()).isOne();
    }

    @Test
    void sitesThatHangHoldUpNoOtherSite() throws Exception {
        var well = new HangingSite();
        well.hang = false;
        var sink = new RecordingSink();
        try (var schedule = new PublishSchedule(new Random(1))) {
            for (int i : IntStream.range(0, 5).toArray()) {
                schedule.add(loop("silent-" + i, hanging, new RecordingSink()));
            }

            schedule.add(loop("well", well, sink));

            assertThat(sink.arrived.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private PublishLoop loop(String name, LocalScheduler site, AdSink sink) throws Exception {
        String yaml = "name: " + name + "\nmax-matches: 1\nevery: 1s\nlifetime: 5m\n";
        return new PublishLoop(
                SiteAdTemplate.from(YamlSettings.parse("site.yaml", yaml), "uw-hep", SiteAdTemplate.ROOM),
                site,
                () -> 0,
                Optional.empty(),
                new SequenceNumbers(folder.resolve("sequence-" + name), Clock.systemUTC()),
                sink,
                Clock.systemUTC());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Duration.ofSeconds(50).toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class HangingSite extends LoadOnlyScheduler {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);
        private volatile boolean hang = true;

        @Override
        protected SiteLoad now() throws Unreachable {
            if (hang) {
                asked.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new Unreachable("interrupted", e);
                }
            }
            return new SiteLoad(10, 2, 5, 7);
        }
    }

    private static final class RecordingSink implements AdSink {
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch invalidated = new CountDownLatch(1);
        private volatile Runnable whileSending = () -> {};
        private volatile Optional<String> refusal = Optional.empty();
        private volatile Runnable whileTakingBack = () -> {};
        private final AtomicInteger takenBack = new AtomicInteger();
        private volatile int sent;

        @Override
        public Optional<String> advertise(ClassAd ad) {
            whileSending.run();
            sent++;
            arrived.countDown();
            return refusal;
        }

        @Override
        public void invalidate(AdKey key) {
            takenBack.incrementAndGet();
            whileTakingBack.run();
            invalidated.countDown();
        }
    }
}
