package org.metasched.slots;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Instants as nanoseconds since the epoch. The two ends are chosen so that their difference still fits a {@code long}. */
final class InstantTicks {

    /** Before everything: a day in 1896. */
    static final long BEGIN = -(1L << 61);
    /** After everything: a day in 2116. */
    static final long END = 1L << 62;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private InstantTicks() {}

    static long of(Instant instant) {
        long second = instant.getEpochSecond();
        if (second >= END / SECOND) {
            return END;
        }
        return second <= BEGIN / SECOND ? BEGIN : second * SECOND + instant.getNano();
    }

    static long of(Duration length) {
        return length.getSeconds() >= (END - BEGIN) / SECOND ? END - BEGIN : length.toNanos();
    }

    /** Index of the last of some ascending instants that is at or before {@code instant}; 0 for an instant before all. */
    static int lastUpTo(long instant, long[] ascending, int size) {
        int i = Arrays.binarySearch(ascending, 0, size, instant);
        return i >= 0 ? i : Math.max(0, -i - 2);
    }

    /** The given instant if it is at the tick, though perhaps cut off there; else the instant of the tick. */
    static Instant instant(long tick, Instant given) {
        return tick == of(given) ? given : instant(tick);
    }

    static Instant instant(long tick) {
        return Instant.ofEpochSecond(Math.floorDiv(tick, SECOND), Math.floorMod(tick, SECOND));
    }
}
