package org.metasched.wsag.time;

import jakarta.xml.bind.annotation.adapters.XmlAdapter;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * {@code xs:dateTime} with a zone. A time without a zone is refused: two sites would read it as two instants. The hour 24 is the first
 * instant of the next day (XML Schema, part 2, 3.2.7).
 */
public final class InstantAdapter extends XmlAdapter<String, Instant> {

    @Override
    public @Nullable Instant unmarshal(@Nullable String text) {
        return text == null ? null : instant(text.strip());
    }

    /**
     * Reads an instant.
     *
     * @throws java.time.format.DateTimeParseException when the text is no date and time, or has no zone
     */
    public static Instant instant(String text) {
        String zero = text.replaceFirst("T24:00:00(\\.0+)?(?=[Z+-])", "T00:00:00");
        var read = OffsetDateTime.parse(zero, DateTimeFormatter.ISO_OFFSET_DATE_TIME);
        return (zero.equals(text) ? read : read.plusDays(1)).toInstant();
    }

    @Override
    public @Nullable String marshal(@Nullable Instant instant) {
        return instant == null ? null : DateTimeFormatter.ISO_INSTANT.format(instant);
    }
}
