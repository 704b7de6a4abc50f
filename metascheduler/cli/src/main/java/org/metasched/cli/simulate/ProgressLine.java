package org.metasched.cli.simulate;

import java.time.Duration;
import java.util.Locale;
import org.metasched.cli.output.OutputOptions;
import org.metasched.simulation.RunProgress;

/** Prints every few seconds on stderr the progress of a run, and the time that the rest will take at that pace. */
final class ProgressLine implements RunProgress {

    private static final long PAUSE = Duration.ofSeconds(5).toNanos();

    private final OutputOptions output;
    private final String where;
    private String phase = "";
    private long began;
    private long printed;

    /** @param where place of the run in a sweep, put before each line */
    ProgressLine(OutputOptions output, String where) {
        this.output = output;
        this.where = where;
    }

    @Override
    public void at(String what, double share) {
        long now = System.nanoTime();
        if (!what.equals(phase)) {
            phase = what;
            began = now;
            printed = now;
        }
        if (now - printed >= PAUSE && share > 0) {
            printed = now;
            double left = (now - began) / 1e9 * (1 - share) / share;
            output.say(String.format(Locale.ROOT, "%s%s: %.0f %%, %.0f s left", where, what, 100 * share, left));
        }
    }
}
