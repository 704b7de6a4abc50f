package org.metasched.adapter.command;

import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.RequestKey;

/**
 * Combines concurrent calls by key: the first runs, and later calls of the same key wait for its answer. Schedulers that do not require
 * unique names would otherwise make two reservations. Thread-safe.
 */
public final class OncePerKey<T> {

    private final ConcurrentHashMap<RequestKey, FutureTask<T>> underWay = new ConcurrentHashMap<>();

    /** The answer of the call of this key that is under way, or else of the given call. */
    public T run(RequestKey key, Callable<T> call) throws LocalSchedulerException {
        var mine = new FutureTask<>(call);
        var first = underWay.putIfAbsent(key, mine);
        if (first != null) {
            return answer(key, first);
        }
        try {
            mine.run();
            return answer(key, mine);
        } finally {
            underWay.remove(key, mine);
        }
    }

    private T answer(RequestKey key, FutureTask<T> task) throws LocalSchedulerException {
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("Interrupted while another call was at work for " + key + ".", e);
        } catch (ExecutionException e) {
            throw mishap(e, "The call for " + key + " failed.");
        }
    }

    /**
     * The scheduler's exception that ended a call; any other exception is thrown.
     *
     * @param otherwise message for a checked one
     */
    static LocalSchedulerException mishap(ExecutionException e, String otherwise) {
        if (e.getCause() instanceof LocalSchedulerException mishap) {
            return mishap;
        } else if (e.getCause() instanceof RuntimeException fault) {
            throw fault;
        }
        throw new IllegalStateException(otherwise, e.getCause());
    }
}
