package org.metasched.dag.binding;

import java.io.Closeable;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.metasched.leases.MatchLeases;

/** Renews a lease, on a thread of its own, until it is closed. */
final class LeaseHeartbeat implements Closeable {

    private final ScheduledExecutorService timer;

    LeaseHeartbeat(MatchLeases leases, UUID lease, Duration interval) {
        timer = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "heartbeat of " + lease);
            thread.setDaemon(true);
            return thread;
        });
        long millis = interval.toMillis();
        var unused = timer.scheduleWithFixedDelay(() -> renew(leases, lease), millis, millis, TimeUnit.MILLISECONDS);
    }

    private static void renew(MatchLeases leases, UUID lease) {
        try {
            boolean unused = leases.renew(lease);
        } catch (RuntimeException e) {
            // Tried again next time; the binder's commit tells of a lost match.
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
