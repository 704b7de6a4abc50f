package org.metasched.cli.simulate;

import java.time.Duration;
import java.util.Locale;
import org.metasched.cli.output.OutputOptions;
import org.metasched.simulation.RunProgress;

/** Tells every few seconds on stderr how far a run is, and how long the rest will take if it goes on like that. */
final class ProgressLine implements RunProgress {

    private static final long PAUSE = Duration.ofSeconds(5).toNanos();

    private final OutputOptions output;
    private final String where;
    private String phase = "";
    private long began;
    private long told;

    /** @param where in a sweep the run is, in front of each line */
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
            told = now;
        }
        if (now - told >= PAUSE && share > 0) {
            told = now;
            double left = (now - began) / 1e9 * (1 - share) / share;
            output.say(String.format(Locale.ROOT, "%s%s: %.0f %%, %.0f s left", where, what, 100 * share, left));
        }
    }
}
