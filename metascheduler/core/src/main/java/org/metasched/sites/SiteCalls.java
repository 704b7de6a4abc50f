package org.metasched.sites;

import io.opentelemetry.api.GlobalOpenTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.NotAsked;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.SiteId;

/**
 * Asks several sites at once, each call with its own timeout. Each site has a {@link SiteLane} of its own, so that a site that hangs delays
 * only calls to itself, and takes no threads from others. Thread-safe; holds no lock while a site is asked.
 */
public final class SiteCalls {

    /** Interval, in nanoseconds, at which a waiting call checks whether its site hangs. */
    private static final long POLL_INTERVAL = Duration.ofMillis(200).toNanos();

    /** Shortest wait for an optional call, in nanoseconds, unless a tenth of the timeout is shorter. */
    private static final long LEAST_PATIENCE = Duration.ofMillis(500).toNanos();

    /** A key that no site knows, with which a silent site is asked whether it answers. */
    private static final RequestKey PROBE = new RequestKey("probe");

    private final SiteDirectory directory;
    private final ExecutorService executor;
    private final Duration timeout;
    private final int mostPerSite;
    private final Observer observer;
    private final Map<SiteId, SiteLane> lanes = new ConcurrentHashMap<>();

    /** Observer of calls that have ended, and of probes that failed. Thread-safe; returns at once. */
    @FunctionalInterface
    public interface Observer {
        /** @param took time since the site was asked; zero for a call that was turned away and for a probe */
        void ended(SiteId site, End end, Duration took);
    }

    /** End of a call. */
    public enum End {
        ANSWERED,
        REFUSED,
        FAILED,
        /** Turned away before the site was asked. */
        DROPPED
    }

    /**
     * @param executor runs the calls; the caller shuts it down
     * @param timeout timeout of each call
     * @param mostPerSite most calls under way at one site; further ones wait, within their timeout, unless the site hangs
     */
    public SiteCalls(SiteDirectory directory, ExecutorService executor, Duration timeout, int mostPerSite) {
        this(directory, executor, timeout, mostPerSite, (site, end, took) -> {});
    }

    /** @param observer observer of all calls */
    public SiteCalls(
            SiteDirectory directory, ExecutorService executor, Duration timeout, int mostPerSite, Observer observer) {
        this.directory = directory;
        this.executor = executor;
        this.timeout = timeout;
        this.mostPerSite = mostPerSite;
        this.observer = observer;
    }

    /** Whether calls to the site, other than probes, are turned away now, as earlier calls had no answer. */
    public boolean isClosed(SiteId site) {
        var lane = lanes.get(site);
        return lane != null && lane.isClosed();
    }

    /** The sites that can be asked. */
    public SiteDirectory directory() {
        return directory;
    }

    /** A question to one site. */
    @FunctionalInterface
    public interface Question<T> {
        /** Asks; runs on a thread of the executor and ends soon after it was interrupted. */
        T ask(LocalScheduler scheduler) throws LocalSchedulerException;
    }

    /**
     * One question to one site.
     *
     * @param optional whether the caller can do without this answer: it waits for it not much longer than for the others. Only for a
     *     question that changes nothing at the site
     */
    public record Call<T>(SiteId site, Question<T> question, boolean optional) {

        public Call(SiteId site, Question<T> question) {
            this(site, question, false);
        }
    }

    /** The answer of a site, or its failure. */
    public sealed interface Answer<T> {

        /** Calls the function of its case. A new case adds a parameter, so that no caller compiles until it handles it. */
        default <R> R fold(Function<? super T, R> got, Function<LocalSchedulerException, R> failed) {
            return this instanceof Got<T> answer
                    ? got.apply(answer.value())
                    : failed.apply(((Failed<T>) this).problem());
        }

        record Got<T>(T value) implements Answer<T> {}

        record Failed<T>(LocalSchedulerException problem) implements Answer<T> {}
    }

    /**
     * Asks all in parallel and waits for each at most as long as the timeout. An optional call that takes much longer than the others, and
     * than its site took before, is left behind: its answer is {@link Unreachable}. It runs on up to its timeout, which shows whether its
     * site is silent.
     *
     * @return one answer for each call, in their order. A call that ran into its timeout failed as
     *     {@link Unreachable} if it had begun, and as {@link NotAsked} if it had not
     * @throws InterruptedException at once; calls under way are interrupted and may have happened
     * @throws UnknownSiteException before anything is asked
     */
    public <T> List<Answer<T>> askAll(List<Call<T>> calls) throws InterruptedException {
        return askAll(calls, timeout);
    }

    /**
     * Asks all in parallel and waits for no call longer than {@code patience}; a call that takes longer runs on. Only for questions that
     * change nothing at the sites.
     */
    public <T> List<Answer<T>> askAll(List<Call<T>> calls, Duration patience) throws InterruptedException {
        var begun = new ArrayList<UnderWay<T>>(calls.size());
        var tasks = calls.stream()
                .map(call -> new UnderWay<>(call, directory.get(call.site())))
                .toList();
        try {
            long start = System.nanoTime();
            var slowest = new AtomicLong();
            for (var task : tasks) {
                begun.add(task);
                task.answer.thenAccept(got -> {
                    if (got instanceof Answer.Got) {
                        slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
                    }
                });
                task.begin();
            }
            long longestWait = Math.min(timeout.toNanos(), patience.toNanos());
            var answers = new ArrayList<Answer<T>>(calls.size());
            for (var task : tasks) {
                LongSupplier end = task.call.optional()
                        ? () -> start + optionalWait(task.lane, slowest.get(), longestWait)
                        : () -> start + longestWait;
                answers.add(task.answer(start + timeout.toNanos(), end));
            }
            return answers;
        } catch (InterruptedException e) {
            begun.forEach(UnderWay::giveUp);
            throw e;
        }
    }

    /**
     * The nanoseconds for which an optional call is waited for. Until a call of this question is answered, the longest wait. Then, within the
     * longest wait, the longest of three: half a second, or a tenth of the timeout if that is shorter; the wait that earlier answers of this
     * site suggest; and a multiple of the slowest answer to this question so far.
     *
     * @param slowest nanoseconds that the slowest answer to this question took; 0 if there is none yet
     */
    private long optionalWait(SiteLane lane, long slowest, long longestWait) {
        if (slowest == 0) {
            return longestWait;
        }
        long least = Math.min(LEAST_PATIENCE, timeout.toNanos() / 10);
        long suggested = Math.max(lane.patience(), SiteLane.PATIENCE_FACTOR * slowest);
        return Math.min(longestWait, Math.max(least, suggested));
    }

    /** Probes a silent site in the background, one probe in each pause, until it answers. */
    private void probeLater(SiteId site, LocalScheduler scheduler, SiteLane lane) {
        Executor orLater = probe -> {
            try {
                executor.execute(probe);
            } catch (RejectedExecutionException e) {
                if (!executor.isShutdown()) {
                    probeLater(site, scheduler, lane);
                }
            }
        };
        CompletableFuture.delayedExecutor(lane.pause, TimeUnit.NANOSECONDS, orLater)
                .execute(() -> probe(site, scheduler, lane));
    }

    private void probe(SiteId site, LocalScheduler scheduler, SiteLane lane) {
        try {
            scheduler.find(PROBE);
            lane.recordAnswer();
        } catch (Refused e) {
            lane.recordAnswer();
        } catch (LocalSchedulerException | RuntimeException | Error e) {
            observer.ended(site, End.FAILED, Duration.ZERO);
        }
        if (!lane.stopProbing()) {
            probeLater(site, scheduler, lane);
        }
    }

    private enum Phase {
        WAITING,
        ASKING,
        DROPPED
    }

    /** A call from its beginning to its answer. */
    private final class UnderWay<T> {
        private final Call<T> call;
        private final LocalScheduler scheduler;
        private final SiteLane lane;
        private final Runnable start = this::start;
        private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
        private final CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
        /** The submitted call, which {@link #giveUp} cancels; until it is submitted, a stand-in, so that there is always something to cancel. */
        private volatile Future<?> running = answer;

        UnderWay(Call<T> call, LocalScheduler scheduler) {
            this.call = call;
            this.scheduler = scheduler;
            this.lane = lanes.computeIfAbsent(call.site(), s -> new SiteLane(mostPerSite, timeout));
        }

        void begin() {
            if (!lane.enter(start)) {
                turnAway();
            }
        }

        private void start() {
            try {
                running = executor.submit(this::ask);
            } catch (RejectedExecutionException e) {
                turnAway();
                lane.leave();
            }
        }

        /** Ends the call before its site is asked; returns false if it is too late. */
        private boolean turnAway() {
            boolean isDropped = phase.compareAndSet(Phase.WAITING, Phase.DROPPED);
            if (isDropped) {
                observer.ended(call.site(), End.DROPPED, Duration.ZERO);
                answer.complete(dropped());
            }
            return isDropped;
        }

        private void ask() {
            if (!phase.compareAndSet(Phase.WAITING, Phase.ASKING)) {
                lane.leave();
                return;
            }
            long began = System.nanoTime();
            var end = End.FAILED;
            var span = GlobalOpenTelemetry.getTracer("org.metasched")
                    .spanBuilder("site call")
                    .setAttribute("metasched.site", call.site().value())
                    .startSpan();
            try (var scope = span.makeCurrent()) {
                var got = new Answer.Got<>(call.question().ask(scheduler));
                lane.recordDuration(System.nanoTime() - began);
                answer.complete(got);
                end = End.ANSWERED;
            } catch (LocalSchedulerException e) {
                end = e instanceof Refused ? End.REFUSED : End.FAILED;
                answer.complete(new Answer.Failed<>(e));
            } catch (RuntimeException | Error e) {
                answer.complete(new Answer.Failed<>(
                        new Unreachable("The adapter of site " + call.site() + " failed: " + e, e)));
            } finally {
                lane.leave();
                span.setAttribute("metasched.end", end.name()).end();
                observer.ended(call.site(), end, Duration.ofNanos(System.nanoTime() - began));
            }
        }

        /**
         * Waits for the answer. Instants are values of {@link System#nanoTime}.
         *
         * @param deadline instant at which the call times out
         * @param waitUntil instant at which waiting ends; may change with the answers of other calls
         */
        Answer<T> answer(long deadline, LongSupplier waitUntil) throws InterruptedException {
            for (long left = left(waitUntil); left > 0; left = left(waitUntil)) {
                try {
                    return recorded(answer.get(Math.min(left, POLL_INTERVAL), TimeUnit.NANOSECONDS));
                } catch (TimeoutException e) {
                    if (phase.get() == Phase.WAITING && lane.isHanging() && drop()) {
                        return dropped();
                    }
                } catch (ExecutionException e) {
                    throw new IllegalStateException("A call is always completed with an answer.", e);
                }
            }
            var late = answer.getNow(null);
            if (late != null) {
                return recorded(late);
            }
            return System.nanoTime() - deadline >= 0 ? timedOut() : leftBehind(deadline);
        }

        private Answer<T> recorded(Answer<T> got) {
            if (phase.get() == Phase.ASKING) {
                lane.recordAnswer();
            }
            return got;
        }

        private static long left(LongSupplier instant) {
            return instant.getAsLong() - System.nanoTime();
        }

        private Answer<T> timedOut() {
            var failure = giveUp();
            if (phase.get() == Phase.ASKING && lane.recordSilence()) {
                probeLater(call.site(), scheduler, lane);
            }
            return failure;
        }

        private Answer<T> leftBehind(long deadline) {
            if (drop() || phase.get() == Phase.DROPPED) {
                return dropped();
            }
            lane.recordLeftBehind();
            // Answered or timed out: whichever comes first counts. Neither needs a thread of the executor, which may be
            // full.
            answer.thenApply(got -> true)
                    .completeOnTimeout(false, deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
                    .thenAccept(isAnswered -> {
                        if (isAnswered) {
                            lane.recordAnswer();
                        } else {
                            timedOut();
                        }
                    });
            return new Answer.Failed<>(new Unreachable("Site " + call.site() + " did not answer in time."));
        }

        /** {@linkplain #turnAway Ends} a call that waits in its lane. */
        private boolean drop() {
            boolean isDropped = turnAway();
            if (isDropped) {
                lane.withdraw(start);
            }
            return isDropped;
        }

        Answer<T> giveUp() {
            if (drop() || phase.get() == Phase.DROPPED) {
                return dropped();
            }
            running.cancel(true);
            return new Answer.Failed<>(
                    new Unreachable("Site " + call.site() + " did not answer within " + timeout + "."));
        }

        private Answer<T> dropped() {
            return new Answer.Failed<>(
                    new NotAsked(
                            "Site " + call.site()
                                    + " was not asked: earlier calls to it have no answer yet, or every thread is busy. Ask again later."));
        }
    }
}
