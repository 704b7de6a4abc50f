package org.metasched.cli.output;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tells systemd that a service is ready (units of {@code Type=notify}). The JDK has no Unix datagram sockets, so the
 * message of sd_notify(3) goes by the program {@code systemd-notify}; the unit allows that with {@code NotifyAccess=all}.
 */
public final class Readiness {

    private static final int PATIENCE_SECONDS = 10;

    private Readiness() {}

    /** Does nothing unless the process was started by a service manager that waits for the message. */
    public static void announce(OutputOptions output) throws InterruptedException {
        announce(output, System.getenv(), "systemd-notify");
    }

    static void announce(OutputOptions output, Map<String, String> environment, String program)
            throws InterruptedException {
        String socket = environment.getOrDefault("NOTIFY_SOCKET", "");
        if (socket.isEmpty()) {
            return;
        }
        try {
            var notify = new ProcessBuilder(program, "--ready").inheritIO().start();
            if (!notify.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                notify.destroyForcibly();
                output.say("The service manager at " + socket + " was not told within " + PATIENCE_SECONDS + " s.");
            }
        } catch (IOException e) {
            output.say("The service manager at " + socket + " cannot be told that the service is ready: "
                    + e.getMessage());
        }
    }
}
