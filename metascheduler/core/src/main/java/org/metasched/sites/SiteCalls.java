package org.metasched.sites;

import io.opentelemetry.api.GlobalOpenTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.SiteId;

/**
 * Asks several sites at once, each call with its own timeout. Each site has a {@link SiteLane} of its own, so that a site that hangs
 * costs its own askers only: neither threads nor time of calls to others. Thread-safe; holds no lock while a site is asked.
 */
public final class SiteCalls {

    /** How often a call that waits looks whether its site hangs. */
    private static final long LOOK_AGAIN = Duration.ofMillis(200).toNanos();

    private final SiteDirectory directory;
    private final ExecutorService executor;
    private final Duration timeout;
    private final int mostPerSite;
    private final Observer observer;
    private final Map<SiteId, SiteLane> lanes = new ConcurrentHashMap<>();

    /** Is told of each call that has ended. Thread-safe; returns at once. */
    @FunctionalInterface
    public interface Observer {
        /** @param took from when the site was asked; zero for a call that was turned away before */
        void ended(SiteId site, End end, Duration took);
    }

    /** How a call ends. */
    public enum End {
        ANSWERED,
        REFUSED,
        FAILED,
        /** Turned away before the site was asked. */
        DROPPED
    }

    /**
     * @param executor runs the calls; stays the caller's
     * @param timeout of each call
     * @param mostPerSite calls under way at one site; more of them wait, within their timeout, unless the site hangs
     */
    public SiteCalls(SiteDirectory directory, ExecutorService executor, Duration timeout, int mostPerSite) {
        this(directory, executor, timeout, mostPerSite, (site, end, took) -> {});
    }

    /** @param observer of all calls */
    public SiteCalls(
            SiteDirectory directory, ExecutorService executor, Duration timeout, int mostPerSite, Observer observer) {
        this.directory = directory;
        this.executor = executor;
        this.timeout = timeout;
        this.mostPerSite = mostPerSite;
        this.observer = observer;
    }

    /** Whether calls to the site are turned away now, but for probes, as earlier ones have had no answer. */
    public boolean isClosed(SiteId site) {
        var lane = lanes.get(site);
        return lane != null && lane.isClosed();
    }

    /** The sites that can be asked. */
    public SiteDirectory directory() {
        return directory;
    }

    /** What to ask one site. */
    @FunctionalInterface
    public interface Question<T> {
        /** Asks; runs on a thread of the executor and ends soon after it was interrupted. */
        T ask(LocalScheduler scheduler) throws LocalSchedulerException;
    }

    /** One question to one site. */
    public record Call<T>(SiteId site, Question<T> question) {}

    /** What came of it. */
    public sealed interface Answer<T> {

        /** Takes the answer apart: a new case does not compile until every caller handles it. */
        <R> R fold(Function<? super T, R> got, Function<LocalSchedulerException, R> failed);

        record Got<T>(T value) implements Answer<T> {
            @Override
            public <R> R fold(Function<? super T, R> got, Function<LocalSchedulerException, R> failed) {
                return got.apply(value);
            }
        }

        record Failed<T>(LocalSchedulerException problem) implements Answer<T> {
            @Override
            public <R> R fold(Function<? super T, R> got, Function<LocalSchedulerException, R> failed) {
                return failed.apply(problem);
            }
        }
    }

    /**
     * Asks all in parallel and waits for each at most as long as the timeout.
     *
     * @return one answer for each call, in their order. A call that ran into its timeout failed as
     *     {@link Unreachable} if it had begun, and as {@link Refused} if it had not
     * @throws InterruptedException at once; calls under way are interrupted and may have happened
     * @throws UnknownSiteException before anything is asked
     */
    public <T> List<Answer<T>> askAll(List<Call<T>> calls) throws InterruptedException {
        var begun = new ArrayList<UnderWay<T>>(calls.size());
        var tasks = new ArrayList<UnderWay<T>>(calls.size());
        for (var call : calls) {
            tasks.add(new UnderWay<>(call, directory.get(call.site())));
        }
        try {
            for (var task : tasks) {
                begun.add(task);
                task.begin();
            }
            long end = System.nanoTime() + timeout.toNanos();
            var answers = new ArrayList<Answer<T>>(calls.size());
            for (var task : tasks) {
                answers.add(task.answer(end));
            }
            return answers;
        } catch (InterruptedException e) {
            begun.forEach(UnderWay::giveUp);
            throw e;
        }
    }

    /** Asks one site, with the same timeout. */
    public <T> Answer<T> ask(SiteId site, Question<T> question) throws InterruptedException {
        return askAll(List.of(new Call<>(site, question))).get(0);
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
        private volatile Future<?> task = answer;

        UnderWay(Call<T> call, LocalScheduler scheduler) {
            this.call = call;
            this.scheduler = scheduler;
            this.lane = lanes.computeIfAbsent(call.site(), s -> new SiteLane(mostPerSite, timeout));
        }

        void begin() {
            if (!lane.enter(start)) {
                phase.set(Phase.DROPPED);
                answer.complete(dropped());
            }
        }

        private void start() {
            try {
                task = executor.submit(this::ask);
            } catch (RejectedExecutionException e) {
                phase.set(Phase.DROPPED);
                answer.complete(dropped());
                lane.leave();
            }
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
                answer.complete(new Answer.Got<>(call.question().ask(scheduler)));
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

        Answer<T> answer(long end) throws InterruptedException {
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                try {
                    var got = answer.get(Math.min(left, LOOK_AGAIN), TimeUnit.NANOSECONDS);
                    if (phase.get() == Phase.ASKING) {
                        lane.answered();
                    }
                    return got;
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
                return late;
            }
            var given = giveUp();
            if (phase.get() == Phase.ASKING) {
                lane.silent();
            }
            return given;
        }

        private boolean drop() {
            boolean dropped = phase.compareAndSet(Phase.WAITING, Phase.DROPPED);
            if (dropped) {
                lane.withdraw(start);
            }
            return dropped;
        }

        Answer<T> giveUp() {
            if (drop() || phase.get() == Phase.DROPPED) {
                return dropped();
            }
            task.cancel(true);
            return new Answer.Failed<>(
                    new Unreachable("Site " + call.site() + " did not answer within " + timeout + "."));
        }

        private Answer<T> dropped() {
            observer.ended(call.site(), End.DROPPED, Duration.ZERO);
            return new Answer.Failed<>(
                    new Refused(
                            "Site " + call.site()
                                    + " was not asked: earlier calls to it have no answer yet, or every thread is busy. Ask again later."));
        }
    }
}
