package org.metasched.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.NotAsked;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.fakes.FakeSite;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;

@Timeout(30)
class SiteCallsTest {

    private static final SiteId FZJ = new SiteId("fzj");
    private static final SiteId SCAI = new SiteId("scai");

    private final SettableClock clock = SettableClock.at("2026-01-05T08:00:00Z");
    private final ExecutorService executor = FanOutExecutor.create();
    private final CountDownLatch forever = new CountDownLatch(1);

    private SiteCalls calls(Duration timeout, int mostPerSite) {
        var directory = SiteDirectory.of(List.of(new FakeSite("fzj", 8, clock), new FakeSite("scai", 8, clock)));
        return new SiteCalls(directory, executor, timeout, mostPerSite);
    }

    @AfterEach
    void end() {
        forever.countDown();
        executor.shutdownNow();
    }

    @Test
    void answersComeInTheOrderOfTheCalls() throws Exception {
        var answers = calls(Duration.ofSeconds(10), 4)
                .askAll(List.of(
                        new Call<>(SCAI, s -> s.site().value()),
                        new Call<>(FZJ, s -> s.site().value())));

        assertThat(answers).containsExactly(new Answer.Got<>("scai"), new Answer.Got<>("fzj"));
    }

    @Test
    void aSiteThatHangsIsUnreachableAfterItsTimeoutAndTheOthersHaveAnswered() throws Exception {
        var answers = calls(Duration.ofMillis(100), 4)
                .askAll(List.of(new Call<>(FZJ, s -> hang()), new Call<>(SCAI, s -> "here")));

        assertThat(answers.get(0))
                .isInstanceOfSatisfying(
                        Answer.Failed.class,
                        f -> assertThat(f.problem())
                                .isInstanceOf(Unreachable.class)
                                .hasMessageContaining("fzj")
                                .hasMessageContaining("PT0.1S"));
        assertThat(answers.get(1)).isEqualTo(new Answer.Got<>("here"));
    }

    @Test
    void threeHundredAskersOfASiteThatHangsDelayNeitherTheOthersNorEachOther() throws Exception {
        var patient = calls(Duration.ofSeconds(25), 64);
        var turnedAway = new Semaphore(0);
        var askers = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < 300; i++) {
                askers.execute(() -> {
                    try {
                        ask(patient, FZJ, s -> hang());
                        turnedAway.release();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }

            assertThat(turnedAway.tryAcquire(300 - 64, 20, TimeUnit.SECONDS)).isTrue();
            assertThat(ask(patient, SCAI, s -> "here")).isEqualTo(new Answer.Got<>("here"));
            assertThat(turnedAway.availablePermits()).isZero();
        } finally {
            askers.shutdownNow();
        }
    }

    @Test
    void eachCallIsToldWithItsEnd() throws Exception {
        var ends = new ConcurrentLinkedQueue<String>();
        var directory = SiteDirectory.of(List.of(new FakeSite("fzj", 8, clock)));
        var calls = new SiteCalls(
                directory, executor, Duration.ofMillis(200), 1, (site, end, took) -> ends.add(site + " " + end));

        ask(calls, FZJ, s -> "here");
        ask(calls, FZJ, s -> {
            throw new Refused("full");
        });
        assertThat(calls.isClosed(FZJ)).isFalse();
        ask(calls, FZJ, s -> hangDeaf());
        ask(calls, FZJ, s -> "late");

        assertThat(calls.isClosed(FZJ)).isTrue();
        forever.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        // the deaf one answers in the end
        assertThat(ends).containsExactlyInAnyOrder("fzj ANSWERED", "fzj REFUSED", "fzj DROPPED", "fzj ANSWERED");
    }

    @Test
    void aCallThatWasTurnedAwayEndsOnceAlsoWhenItsCallerIsInterrupted() throws Exception {
        var ends = new ConcurrentLinkedQueue<String>();
        var directory = SiteDirectory.of(List.of(new FakeSite("fzj", 8, clock), new FakeSite("scai", 8, clock)));
        var calls = new SiteCalls(
                directory, executor, Duration.ofMillis(400), 1, (site, end, took) -> ends.add(site + " " + end));
        ask(calls, FZJ, s -> hangDeaf());
        var caller = new Thread(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> calls.askAll(List.of(new Call<>(SCAI, s -> "late"), new Call<>(FZJ, s -> "late"))))
                    .isInstanceOf(InterruptedException.class);
        });

        caller.start();
        caller.join();

        assertThat(ends).filteredOn("fzj DROPPED"::equals).hasSize(1);
    }

    @Test
    void moreCallsThanASiteTakesAtOnceAllGetTheirAnswer() throws Exception {
        List<Call<String>> many = Collections.nCopies(2_000, new Call<>(FZJ, s -> "here"));

        assertThat(calls(Duration.ofSeconds(25), 4).askAll(many)).hasSize(2_000).containsOnly(new Answer.Got<>("here"));
    }

    @Test
    void anAnswerThatCameWhileAnotherSiteWasWaitedForEndsTheSilence() throws Exception {
        var calls = calls(Duration.ofMillis(100), 4);
        ask(calls, SCAI, s -> hang());
        ask(calls, SCAI, s -> hang());

        var answers = calls.askAll(List.of(new Call<>(FZJ, s -> hang()), new Call<>(SCAI, s -> "here")));
        ask(calls, SCAI, s -> hang());

        assertThat(answers.get(1)).isEqualTo(new Answer.Got<>("here"));
        assertThat(calls.isClosed(SCAI)).isFalse();
    }

    @Test
    void aSiteThatWasSilentThreeTimesIsProbedInTheBackgroundAndCostsNoCallerItsTime() throws Exception {
        var probed = new Semaphore(0);
        var hasAJar = new AtomicBoolean();
        var mayAnswer = new AtomicBoolean();
        var fake = new FakeSite("fzj", 8, clock);
        var site = (LocalScheduler) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LocalScheduler.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("find")) {
                        probed.release();
                        if (!hasAJar.getAndSet(true)) {
                            throw new NoClassDefFoundError("of the adapter");
                        }
                        if (!mayAnswer.get()) {
                            throw new Unreachable("still silent");
                        }
                    }
                    return method.invoke(fake, arguments);
                });
        var calls = new SiteCalls(SiteDirectory.of(List.of(site)), executor, Duration.ofMillis(100), 8);
        // On a busy machine a call may end before its thread asked: the site is not blamed for it.
        for (int i = 0; i < 3 || i < 30 && !calls.isClosed(FZJ); i++) {
            ask(calls, FZJ, s -> hang());
        }
        assertThat(probed.tryAcquire(2, 20, TimeUnit.SECONDS)).isTrue();
        var asked = new AtomicBoolean();

        var answer = ask(calls, FZJ, s -> {
            asked.set(true);
            return "here";
        });

        assertThat(asked).isFalse();
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failed.class, f -> assertThat(f.problem()).isInstanceOf(NotAsked.class));
        mayAnswer.set(true);
        while (calls.isClosed(FZJ)) {
            Thread.onSpinWait();
        }
        assertThat(ask(calls, FZJ, s -> "again")).isEqualTo(new Answer.Got<>("again"));
    }

    @Test
    void aProbeForWhichThereIsNoThreadIsMadeLater() throws Exception {
        var asker = Thread.currentThread();
        var rejected = new CountDownLatch(1);
        var full = new ThreadPoolExecutor(8, 8, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
            @Override
            public void execute(Runnable task) {
                if (Thread.currentThread() != asker && rejected.getCount() > 0) {
                    rejected.countDown();
                    throw new RejectedExecutionException("full");
                }
                super.execute(task);
            }
        };
        var directory = SiteDirectory.of(List.of(new FakeSite("fzj", 8, clock)));
        var calls = new SiteCalls(directory, full, Duration.ofMillis(100), 8);
        for (int i = 0; i < 3 || i < 30 && !calls.isClosed(FZJ); i++) {
            ask(calls, FZJ, s -> hang());
        }

        assertThat(rejected.await(20, TimeUnit.SECONDS)).isTrue();
        while (calls.isClosed(FZJ)) {
            Thread.onSpinWait();
        }
        full.shutdownNow();
    }

    @Test
    void anOptionalCallIsLeftBehindSoonAfterTheOthersAndItsSilenceIsNoted() throws Exception {
        var calls = calls(Duration.ofSeconds(2), 8);
        long begun = System.nanoTime();

        for (int i = 0; i < 3; i++) {
            var answers =
                    calls.askAll(List.of(new Call<>(FZJ, s -> hang(), true), new Call<>(SCAI, s -> "here", true)));

            assertThat(answers.get(0)).isInstanceOf(Answer.Failed.class);
            assertThat(answers.get(1)).isEqualTo(new Answer.Got<>("here"));
        }

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
        while (!calls.isClosed(FZJ)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aSiteThatIsSlowAndAnswersIsNotLeftBehind() throws Exception {
        var calls = calls(Duration.ofSeconds(20), 8);

        var answers = calls.askAll(List.of(
                new Call<>(
                        FZJ,
                        s -> {
                            assertThat(uninterrupted(Duration.ofMillis(900))).isFalse();
                            return "slow";
                        },
                        true),
                new Call<>(SCAI, s -> "here", true)));

        assertThat(answers).containsExactly(new Answer.Got<>("slow"), new Answer.Got<>("here"));
    }

    /** Whether all ended meanwhile. */
    private boolean uninterrupted(Duration time) {
        try {
            return forever.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCallIsWaitedForNoLongerThanItsCallerIsPatientAndGoesOn() throws Exception {
        var calls = calls(Duration.ofSeconds(20), 8);
        var done = new CountDownLatch(1);

        var answers = calls.askAll(
                List.of(new Call<>(FZJ, s -> {
                    hang();
                    done.countDown();
                    return "late";
                })),
                Duration.ofMillis(50));

        assertThat(answers.get(0)).isInstanceOf(Answer.Failed.class);
        forever.countDown();
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void fifteenHundredCallsThatTakeTheirTimeAllGetAThread() throws Exception {
        var done = new CountDownLatch(1_500);

        for (int i = 0; i < 1_500; i++) {
            executor.execute(() -> {
                hang();
                done.countDown();
            });
        }
        forever.countDown();

        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aCallThatNeverLeftBecauseItsSiteHangsDidNotHappen() throws Exception {
        var one = calls(Duration.ofMillis(100), 1);
        var left = new AtomicBoolean();
        ask(one, FZJ, s -> hangDeaf());

        var answer = ask(one, FZJ, s -> {
            left.set(true);
            return "late";
        });

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failed.class, f -> assertThat(f.problem()).isInstanceOf(NotAsked.class));
        forever.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(left).isFalse();
    }

    @Test
    void anAdapterThatThrowsSomethingElseMayHaveDoneItsWork() throws Exception {
        var answer = ask(calls(Duration.ofSeconds(10), 4), FZJ, s -> {
            throw new IllegalStateException("broken");
        });

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failed.class,
                        f -> assertThat(f.problem().mayHaveHappened()).isTrue());
    }

    @Test
    void anUnknownSiteIsTheCallersMistakeAndNobodyIsAsked() {
        var asked = new AtomicBoolean();

        assertThatThrownBy(() -> calls(Duration.ofSeconds(10), 4)
                        .askAll(List.of(
                                new Call<>(FZJ, s -> {
                                    asked.set(true);
                                    return 1;
                                }),
                                new Call<>(new SiteId("nowhere"), s -> 2))))
                .isInstanceOf(UnknownSiteException.class)
                .hasMessageContaining("nowhere")
                .hasMessageContaining("fzj");

        assertThat(asked).isFalse();
    }

    private static <T> Answer<T> ask(SiteCalls calls, SiteId site, SiteCalls.Question<T> question)
            throws InterruptedException {
        return calls.askAll(List.of(new Call<>(site, question))).get(0);
    }

    private String hang() {
        try {
            forever.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "late";
    }

    /** Like an adapter that does not heed interruption. */
    private String hangDeaf() {
        while (true) {
            try {
                forever.await();
                return "late";
            } catch (InterruptedException e) {
                // deaf on purpose
            }
        }
    }
}
