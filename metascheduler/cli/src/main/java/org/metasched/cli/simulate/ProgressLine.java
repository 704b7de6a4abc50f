package org.metasched.cli.simulate;

import java.time.Duration;
import java.util.Locale;
import org.metasched.cli.output.OutputOptions;
import org.metasched.simulation.Progress;

/** Progress on stderr with the time that is left: one line that is written over on a terminal, a line every ten seconds else. */
final class ProgressLine implements Progress {

    private static final long TERMINAL_PAUSE = Duration.ofMillis(200).toNanos();
    private static final long FILE_PAUSE = Duration.ofSeconds(10).toNanos();

    private final OutputOptions output;
    private final String where;
    private final boolean isTerminal = System.console() != null;
    private String phase = "";
    private long began;
    private long told;
    private boolean isOpen;

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
        if (output.quiet() || now - told < (isTerminal ? TERMINAL_PAUSE : FILE_PAUSE)) {
            return;
        }
        told = now;
        long left = share > 0 ? Math.round((now - began) / 1e9 * (1 - share) / share) : 0;
        var text = String.format(Locale.ROOT, "%s%s: %.0f %%, %d s left", where, what, 100 * share, left);
        if (isTerminal) {
            output.err().print("\r" + text + "\u001b[K");
            output.err().flush();
            isOpen = true;
        } else {
            output.say(text);
        }
    }

    void end() {
        if (isOpen) {
            output.err().println();
            isOpen = false;
        }
    }
}
