package org.metasched.api;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Requests for events that wait for newer ones: each once, without a thread, for at most {@value #MOST_LOOKS} looks. Then they are answered
 * again from the beginning. Thread-safe.
 */
public final class EventWatchers implements AutoCloseable {

    /** With two looks a second below the patience of clients and proxies. */
    private static final int MOST_LOOKS = 40;

    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong looks = new AtomicLong();
    private volatile boolean isClosed;

    private record Waiting(AsyncContext request, long place, long until) {}

    /**
     * Lets a request wait for an event after a place.
     *
     * @return whether it waits; not a second time
     */
    boolean hold(HttpServletRequest request, long place) {
        if (isClosed
                || request.getDispatcherType() == DispatcherType.ASYNC
                || request.getMethod().equals("HEAD")) {
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
                one.request().dispatch();
            }
            return isOver;
        });
    }

    /** Answers all; from now on none waits. */
    @Override
    public void close() {
        isClosed = true;
        wake(Long.MAX_VALUE);
    }
}
