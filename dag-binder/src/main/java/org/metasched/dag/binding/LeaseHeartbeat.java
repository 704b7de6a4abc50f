package org.metasched.dag.binding;

import java.io.Closeable;
import java.time.Duration;
import java.util.UUID;
import org.metasched.leases.MatchLeases;

/** Renews a lease, on a thread of its own, while a binder works; however long it works. */
final class LeaseHeartbeat implements Closeable {

    private final Thread thread;

    LeaseHeartbeat(MatchLeases leases, UUID lease, Duration every) {
        thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            Thread.sleep(every.toMillis());
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
            // Asked again next time; the binder hears of a match that was lost when it keeps it.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
