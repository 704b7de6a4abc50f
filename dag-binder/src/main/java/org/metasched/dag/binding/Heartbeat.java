package org.metasched.dag.binding;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** Renews the lease of a match, on a thread of its own, while a binder works; however long it works. */
final class Heartbeat implements Closeable {

    private final Thread thread;

    Heartbeat(SiteClaims claims, String match, Duration every) {
        thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            Thread.sleep(every.toMillis());
                            renew(claims, match);
                        }
                    } catch (InterruptedException e) {
                        // the binder is done
                    }
                },
                "heartbeat of " + match);
        thread.setDaemon(true);
        thread.start();
    }

    private static void renew(SiteClaims claims, String match) {
        try {
            claims.renew(match);
        } catch (IOException | RuntimeException e) {
            // Asked again next time; the binder hears of a match that was lost when it keeps it.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
