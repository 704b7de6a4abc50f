package org.metasched.cli.time;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.TypeConversionException;

/**
 * A point of time as the user typed it.
 *
 * @param text  the text as typed
 * @param time  its meaning, in the zone it was typed in
 * @param exact whether the text itself has date, time and offset; if not, the meaning is to be printed
 */
public record TimeArgument(String text, ZonedDateTime time, boolean exact) {

    private static final Map<String, LocalTime> NAMED = Map.of("noon", LocalTime.NOON, "midnight", LocalTime.MIDNIGHT);

    /**
     * Reads {@code now}, {@code +2h}, {@code 18:00} (the next one), {@code tomorrow 18:00}, {@code monday 8:00},
     * {@code 2030-01-05 16:00}, each with a zone behind it if it is not the clock's, and ISO-8601.
     *
     * @throws TypeConversionException if the text is no time
     */
    public static TimeArgument read(String text, Clock clock) {
        String stripped = text.strip();
        var now = ZonedDateTime.now(clock).truncatedTo(ChronoUnit.SECONDS);
        try {
            if (stripped.startsWith("+")) {
                return new TimeArgument(text, now.plus(DurationArgument.read(stripped.substring(1))), false);
            }
            var time = ZonedDateTime.parse(stripped, DateTimeFormatter.ISO_ZONED_DATE_TIME);
            return new TimeArgument(text, time, true);
        } catch (DateTimeException | ArithmeticException e) {
            return new TimeArgument(text, inWords(text, stripped, now), false);
        }
    }

    public Instant instant() {
        return time.toInstant();
    }

    /** The text and its meaning, zone included. */
    public String explanation() {
        String elsewhere = time.getOffset().equals(ZoneOffset.UTC) ? "" : ", " + instant();
        return "(" + text + ") is " + time.format(DateTimeFormatter.ISO_OFFSET_DATE_TIME) + " in the zone "
                + time.getZone() + elsewhere + ".";
    }

    private static ZonedDateTime inWords(String text, String stripped, ZonedDateTime now) {
        var words = new ArrayList<>(
                Arrays.asList(stripped.replaceFirst("(?<=\\d)[Tt](?=\\d)", " ").split("\\s+")));
        var zone = words.size() > 1 ? zone(words.get(words.size() - 1)) : Optional.<ZoneId>empty();
        zone.ifPresent(named -> words.remove(words.size() - 1));
        var there = now.withZoneSameInstant(zone.orElse(now.getZone()));
        if (words.size() == 1 && words.get(0).equalsIgnoreCase("now")) {
            return there;
        }
        return meaning(words.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList(), there)
                .orElseThrow(() -> new TypeConversionException("(" + text
                        + ") must be a time, such as +2h, 18:00, 'tomorrow 18:00', 'monday 8:00 Europe/Berlin' or"
                        + " 2030-01-05T16:00:00Z."));
    }

    private static Optional<ZonedDateTime> meaning(List<String> words, ZonedDateTime now) {
        var date = date(words.get(0), now.toLocalDate());
        var time = time(words.get(words.size() - 1));
        if (words.size() == 1 && time.isPresent()) {
            var today = now.with(time.get());
            return Optional.of(today.isBefore(now) ? now.plusDays(1).with(time.get()) : today);
        }
        if (words.size() > 2 || date.isEmpty() || (words.size() == 2 && time.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(date.get().atTime(time.orElse(LocalTime.MIDNIGHT)).atZone(now.getZone()));
    }

    private static Optional<LocalDate> date(String word, LocalDate today) {
        if (word.equals("today") || word.equals("tomorrow")) {
            return Optional.of(word.equals("today") ? today : today.plusDays(1));
        }
        for (var day : DayOfWeek.values()) {
            String name = day.name().toLowerCase(Locale.ROOT);
            if (word.length() >= 3 && name.startsWith(word)) {
                return Optional.of(today.with(TemporalAdjusters.next(day)));
            }
        }
        return read(word, LocalDate::parse);
    }

    private static Optional<LocalTime> time(String word) {
        return NAMED.containsKey(word)
                ? Optional.of(NAMED.get(word))
                : read(word.matches("\\d:.*") ? "0" + word : word, LocalTime::parse);
    }

    private static Optional<ZoneId> zone(String word) {
        boolean named = word.contains("/") || word.matches("(?i)z|utc|gmt|[+-]\\d.*");
        return named ? read(word.length() < 4 ? word.toUpperCase(Locale.ROOT) : word, ZoneId::of) : Optional.empty();
    }

    private static <T> Optional<T> read(String word, Function<String, T> reader) {
        try {
            return Optional.of(reader.apply(word));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
