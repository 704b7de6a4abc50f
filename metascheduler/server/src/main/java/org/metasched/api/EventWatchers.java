package org.metasched.api;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.metasched.agreement.AgreementHistory.NumberedEvent;
import org.metasched.agreement.AgreementId;
import org.metasched.trust.ProtectedResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that wait for newer events without a thread each. A poll reads the number of the newest event. A request is dispatched again
 * when there may be a newer event, and every {@value #HEARTBEAT} polls as a heartbeat, for at most {@value #MOST_POLLS} polls. A watcher
 * has a cursor. Between two polls, all watchers with the same cursor share one read of the events after it. Thread-safe.
 */
public final class EventWatchers implements AutoCloseable {

    /** Polls between two heartbeats; with two polls a second, before clients and proxies time out. */
    private static final int HEARTBEAT = 30;

    private static final int MOST_POLLS = 240;
    /** Attribute of a request: the number of the poll at which its waiting ends. */
    private static final String UNTIL = EventWatchers.class.getName();

    /** Maximum number of pages kept between two polls; events after other cursors are read for each watcher. */
    private static final int MOST_PAGES = 64;

    /** Maximum number of requests that wait; further ones are answered at once. */
    static final int MOST_WAITING = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(EventWatchers.class);

    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final Semaphore freePlaces = new Semaphore(MOST_WAITING);
    private final AtomicLong polls = new AtomicLong();
    private volatile Map<Cursor, Page> pages = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /** @param until number of the poll at which the request is dispatched again at the latest */
    private record Waiting(AsyncContext request, long after, long until) {}

    /** The number of the last event that a watcher knows, of one agreement or, if that is empty, of all. */
    record Cursor(Optional<AgreementId> agreement, long after) {}

    /**
     * The events after a cursor.
     *
     * @param newest number of the newest event of all when the page was read
     * @param agreements agreements of its events and of its cursor, so far as they exist
     */
    record Page(long newest, List<NumberedEvent> events, Map<AgreementId, ProtectedResource> agreements) {}

    /** The events after a cursor, read since the last poll. */
    Page page(Cursor cursor, Function<Cursor, Page> read) {
        var recent = pages;
        return recent.size() < MOST_PAGES ? recent.computeIfAbsent(cursor, read) : read.apply(cursor);
    }

    /**
     * Lets a request wait for an event with a number above {@code after}.
     *
     * @return whether it waits: not after {@value #MOST_POLLS} polls, beside {@value #MOST_WAITING} others, for HEAD, or when closed
     */
    boolean hold(HttpServletRequest request, long after) {
        long until = request.getAttribute(UNTIL) instanceof Long bound ? bound : polls.get() + MOST_POLLS;
        if (isClosed || until <= polls.get() || request.getMethod().equals("HEAD") || !freePlaces.tryAcquire()) {
            return false;
        }
        request.setAttribute(UNTIL, until);
        var context = request.startAsync();
        context.setTimeout(0);
        waiting.add(new Waiting(context, after, Math.min(until, polls.get() + HEARTBEAT)));
        if (isClosed) {
            wake(Long.MAX_VALUE);
        }
        return true;
    }

    /** Dispatches requests whose time is over or for which there may be a newer event; reads the number of the newest event once. */
    public void poll(LongSupplier newest) {
        polls.incrementAndGet();
        pages = new ConcurrentHashMap<>();
        wake(Long.MIN_VALUE);
        if (!waiting.isEmpty()) {
            wake(newest.getAsLong());
        }
    }

    private synchronized void wake(long newest) {
        waiting.removeIf(request -> {
            boolean isOver = request.after() < newest || request.until() <= polls.get();
            if (isOver) {
                freePlaces.release();
                dispatch(request.request());
            }
            return isOver;
        });
    }

    private static void dispatch(AsyncContext request) {
        try {
            request.dispatch();
        } catch (IllegalStateException e) {
            LOG.debug("A watcher of events was gone before it was answered", e);
        }
    }

    /** Answers all waiting requests; from now on none waits. */
    @Override
    public void close() {
        isClosed = true;
        wake(Long.MAX_VALUE);
    }
}
