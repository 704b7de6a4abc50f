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
 * Requests that wait for newer events, without a thread. A look asks for the number of the newest event. A request is dispatched again when
 * there may be a newer event, and every {@value #HEARTBEAT} looks as a heartbeat, for {@value #MOST_LOOKS} looks at most. A place is the number
 * of the last event that a watcher knows; the events after it are read once between two looks, for all watchers at that place. Thread-safe.
 */
public final class EventWatchers implements AutoCloseable {

    /** Looks between two heartbeats; with two looks a second, below the patience of clients and proxies. */
    private static final int HEARTBEAT = 30;

    private static final int MOST_LOOKS = 240;
    /** Attribute of a request: the look after which it waits no more. */
    private static final String UNTIL = EventWatchers.class.getName();

    /** Pages that are kept between two looks; further places are read for each watcher. */
    private static final int MOST_PAGES = 64;

    /** The most requests that wait; more are answered at once. */
    static final int MOST_WAITING = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(EventWatchers.class);

    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final Semaphore room = new Semaphore(MOST_WAITING);
    private final AtomicLong looks = new AtomicLong();
    private volatile Map<Place, Page> pages = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /** @param until the look at which the request is dispatched again at the latest */
    private record Waiting(AsyncContext request, long place, long until) {}

    /** @param agreement agreement whose events are meant; empty for all */
    record Place(Optional<AgreementId> agreement, long after) {}

    /**
     * The events after a place.
     *
     * @param newest number of the newest event of all when the page was read
     * @param agreements known agreements of its events, and that of its place
     */
    record Page(long newest, List<NumberedEvent> events, Map<AgreementId, ProtectedResource> agreements) {}

    /** The events after a place, read since the last look. */
    Page page(Place place, Function<Place, Page> read) {
        var recent = pages;
        return recent.size() < MOST_PAGES ? recent.computeIfAbsent(place, read) : read.apply(place);
    }

    /**
     * Lets a request wait for an event after a place.
     *
     * @return whether it waits: not if it has waited for {@value #MOST_LOOKS} looks, or {@value #MOST_WAITING} others wait
     */
    boolean hold(HttpServletRequest request, long place) {
        long until = request.getAttribute(UNTIL) instanceof Long bound ? bound : looks.get() + MOST_LOOKS;
        if (isClosed || until <= looks.get() || request.getMethod().equals("HEAD") || !room.tryAcquire()) {
            return false;
        }
        request.setAttribute(UNTIL, until);
        var held = request.startAsync();
        held.setTimeout(0);
        waiting.add(new Waiting(held, place, Math.min(until, looks.get() + HEARTBEAT)));
        if (isClosed) {
            wake(Long.MAX_VALUE);
        }
        return true;
    }

    /** Wakes requests whose time is over or for which there may be a newer event; asks for the newest event once for all. */
    public void look(LongSupplier newest) {
        looks.incrementAndGet();
        pages = new ConcurrentHashMap<>();
        wake(Long.MIN_VALUE);
        if (!waiting.isEmpty()) {
            wake(newest.getAsLong());
        }
    }

    private synchronized void wake(long newest) {
        waiting.removeIf(request -> {
            boolean isOver = request.place() < newest || request.until() <= looks.get();
            if (isOver) {
                room.release();
                answer(request.request());
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

    /** Answers all waiting requests; from now on none waits. */
    @Override
    public void close() {
        isClosed = true;
        wake(Long.MAX_VALUE);
    }
}
