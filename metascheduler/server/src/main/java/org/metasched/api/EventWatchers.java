package org.metasched.api;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests for events that wait for newer ones: each once, without a thread, for at most {@value #MOST_LOOKS} looks. Then they are answered
 * again from the beginning. Thread-safe.
 */
public final class EventWatchers implements AutoCloseable {

    /** With two looks a second below the patience of clients and proxies. */
    private static final int MOST_LOOKS = 40;

    /** More are answered at once. */
    static final int MOST_WAITING = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(EventWatchers.class);

    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final Semaphore places = new Semaphore(MOST_WAITING);
    private final AtomicLong looks = new AtomicLong();
    private volatile boolean isClosed;

    private record Waiting(AsyncContext request, long place, long until) {}

    /**
     * Lets a request wait for an event after a place.
     *
     * @return whether it waits; not a second time, and not beside {@value #MOST_WAITING} others
     */
    boolean hold(HttpServletRequest request, long place) {
        if (isClosed
                || request.getDispatcherType() == DispatcherType.ASYNC
                || request.getMethod().equals("HEAD")
                || !places.tryAcquire()) {
            return false;
        }
        var held = request.startAsync();
        held.setTimeout(0);
        waiting.add(new Waiting(held, place, looks.get() + MOST_LOOKS));
        if (isClosed) {
            wake(Long.MAX_VALUE);
        }
        return true;
    }

    /** Answers those whose time is over, and those that a newer event may be for: one question for all. */
    public void look(LongSupplier newest) {
        looks.incrementAndGet();
        wake(Long.MIN_VALUE);
        if (!waiting.isEmpty()) {
            wake(newest.getAsLong());
        }
    }

    private synchronized void wake(long newest) {
        waiting.removeIf(one -> {
            boolean isOver = one.place() < newest || one.until() <= looks.get();
            if (isOver) {
                places.release();
                answer(one.request());
            }
            return isOver;
        });
    }

    private static void answer(AsyncContext request) {
        try {
            request.dispatch();
        } catch (IllegalStateException e) {
            LOG.debug("A watcher of events was gone before it was answered", e);
        }
    }

    /** Answers all; from now on none waits. */
    @Override
    public void close() {
        isClosed = true;
        wake(Long.MAX_VALUE);
    }
}
