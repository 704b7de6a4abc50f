package org.metasched.dag.binding;

import java.io.Closeable;
import java.time.Duration;
import java.util.UUID;
import org.metasched.leases.MatchLeases;

/** Renews a lease on its own thread for as long as a binder works. */
final class LeaseHeartbeat implements Closeable {

    private final Thread thread;

    LeaseHeartbeat(MatchLeases leases, UUID lease, Duration interval) {
        thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            Thread.sleep(interval.toMillis());
                            renew(leases, lease);
                        }
                    } catch (InterruptedException e) {
                        // the binder is done
                    }
                },
                "heartbeat of " + lease);
        thread.setDaemon(true);
        thread.start();
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
        thread.interrupt();
    }
}
