package org.metasched.adapter.booking;

import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;

/**
 * Lets one call at a time ask for one key; another that comes meanwhile waits and gets the same answer. Schedulers whose
 * reservation names need not be unique would else make two. Thread-safe.
 */
final class OncePerKey {

    private final ConcurrentHashMap<RequestKey, FutureTask<Reservation>> underWay = new ConcurrentHashMap<>();

    Reservation run(RequestKey key, Callable<Reservation> call) throws LocalSchedulerException {
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

    private static Reservation answer(RequestKey key, FutureTask<Reservation> task) throws LocalSchedulerException {
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("Interrupted while another call was making the reservation " + key + ".", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LocalSchedulerException mishap) {
                throw mishap;
            } else if (e.getCause() instanceof RuntimeException ours) {
                throw ours;
            }
            throw new IllegalStateException("Making the reservation " + key + " failed.", e.getCause());
        }
    }
}
