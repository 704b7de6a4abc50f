package org.metasched.console;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import org.metasched.adapter.TimeSlot;

/** A length of time that the picture may show, with its part before now and the distance of the ticks. */
enum TimeSpan {
    HOUR("hour", Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofMinutes(10)),
    DAY("day", Duration.ofHours(1), Duration.ofDays(1), Duration.ofHours(3)),
    TWO_DAYS("2 days", Duration.ofHours(2), Duration.ofDays(2), Duration.ofHours(6)),
    WEEK("week", Duration.ofHours(6), Duration.ofDays(7), Duration.ofDays(1)),
    MONTH("month", Duration.ofDays(1), Duration.ofDays(30), Duration.ofDays(1));

    private final String word;
    private final Duration before;
    private final Duration ahead;
    private final Duration tick;

    TimeSpan(String word, Duration before, Duration ahead, Duration tick) {
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

    /** The span that a word names; two days where it names none. */
    static TimeSpan named(String word) {
        return Arrays.stream(values())
                .filter(s -> s.word.equals(word))
                .findFirst()
                .orElse(TWO_DAYS);
    }

    /** The shortest span that shows this length of the time to come; the longest where none does. */
    static TimeSpan covering(Duration length) {
        return Arrays.stream(values())
                .filter(span -> span.ahead.compareTo(length) >= 0)
                .findFirst()
                .orElse(MONTH);
    }

    /**
     * The begin that a text names; empty if the text is.
     *
     * @throws IllegalArgumentException when the text is no time
     */
    static Optional<Instant> begin(String text) {
        // Years have four digits, as a span after Instant.MAX could not be computed.
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Instant.parse(text.matches("\\d{4}-.*") ? text : ""));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "The time (" + text + ") at which the picture begins must be like 2026-01-05T18:00:00Z.");
        }
    }

    /**
     * The part of the time shown that is to come; empty if all of it is past. Its ends are whole minutes, or tens of minutes for spans longer
     * than an hour, so that answers of sites can be used again.
     */
    Optional<TimeSlot> ahead(TimeSlot shown, Instant now) {
        long stepSeconds = this == HOUR ? 60 : 600;
        Instant next = Instant.ofEpochSecond(now.getEpochSecond() / stepSeconds * stepSeconds);
        Instant begin = shown.start().isAfter(next) ? shown.start() : next;
        Instant end = Instant.ofEpochSecond(shown.end().getEpochSecond() / stepSeconds * stepSeconds);
        return begin.isBefore(end) ? Optional.of(new TimeSlot(begin, end)) : Optional.empty();
    }

    /** The time that is shown. It begins at {@code from}, else a little before now, cut to a full minute or hour. */
    TimeSlot shown(Instant now, Optional<Instant> from) {
        var unit = tick.compareTo(Duration.ofHours(1)) < 0 ? ChronoUnit.MINUTES : ChronoUnit.HOURS;
        Instant begin = from.orElse(now.minus(before)).truncatedTo(unit);
        return new TimeSlot(begin, from.isPresent() ? begin.plus(before).plus(ahead) : now.plus(ahead));
    }
}
