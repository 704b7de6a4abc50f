package org.metasched.console;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.metasched.adapter.TimeSlot;

/** How much of the time around now the picture shows. */
enum Span {
    HOUR("hour", Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofMinutes(10)),
    DAY("day", Duration.ofHours(1), Duration.ofDays(1), Duration.ofHours(3)),
    TWO_DAYS("2 days", Duration.ofHours(2), Duration.ofDays(2), Duration.ofHours(6)),
    WEEK("week", Duration.ofHours(6), Duration.ofDays(7), Duration.ofDays(1)),
    MONTH("month", Duration.ofDays(1), Duration.ofDays(30), Duration.ofDays(1));

    private final String word;
    private final Duration before;
    private final Duration ahead;
    private final Duration tick;

    Span(String word, Duration before, Duration ahead, Duration tick) {
        this.word = word;
        this.before = before;
        this.ahead = ahead;
        this.tick = tick;
    }

    String word() {
        return word;
    }

    Duration tick() {
        return tick;
    }

    /** Two days unless it is named. */
    static Span named(String word) {
        return Arrays.stream(values())
                .filter(s -> s.word.equals(word))
                .findFirst()
                .orElse(TWO_DAYS);
    }

    TimeSlot shown(Instant now) {
        var unit = tick.compareTo(Duration.ofHours(1)) < 0 ? ChronoUnit.MINUTES : ChronoUnit.HOURS;
        return new TimeSlot(now.minus(before).truncatedTo(unit), now.plus(ahead));
    }

    TimeSlot ahead(Instant now) {
        return new TimeSlot(now, now.plus(ahead));
    }
}
