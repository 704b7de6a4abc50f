package org.metasched.trust;

import java.util.Locale;

/** A credential that proves nothing. The reason is for the log; the sender is told only that it was refused. */
public final class UntrustedException extends Exception {

    public UntrustedException(String reason) {
        super(reason);
    }

    UntrustedException(String reason, Throwable cause) {
        super(reason, cause);
    }

    /**
     * Throws this exception if {@code wrong}.
     *
     * @param reason a format string for the values
     */
    public static void throwIf(boolean wrong, String reason, Object... values) throws UntrustedException {
        if (wrong) {
            throw new UntrustedException(String.format(Locale.ROOT, reason, values));
        }
    }
}
