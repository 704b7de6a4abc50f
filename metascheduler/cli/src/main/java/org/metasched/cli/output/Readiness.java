package org.metasched.cli.output;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Begin and end of a service: tells systemd that it is ready (units of {@code Type=notify}), and waits for the signal to end. The JDK has no Unix datagram sockets, so the
 * message of sd_notify(3) goes by the program {@code systemd-notify}; the unit allows that with {@code NotifyAccess=all}.
 */
public final class Readiness {

    private static final int TIMEOUT_SECONDS = 10;

    private Readiness() {}

    /** Has a step run when the process is told to end; the latch opens once it has run. */
    public static CountDownLatch atEnd(Runnable step) {
        var ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            step.run();
            ended.countDown();
        }));
        return ended;
    }

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
            if (!notify.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                notify.destroyForcibly();
                output.say("The service manager at " + socket + " was not told within " + TIMEOUT_SECONDS + " s.");
            }
        } catch (IOException e) {
            output.say("The service manager at " + socket + " cannot be told that the service is ready: "
                    + e.getMessage());
        }
    }
}
