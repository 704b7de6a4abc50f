package org.metasched.wsag.time;

import jakarta.xml.bind.annotation.adapters.XmlAdapter;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** {@code xs:duration} of days and below. Months and years are refused: they have no fixed length. */
public final class DurationAdapter extends XmlAdapter<String, Duration> {

    @Override
    public @Nullable Duration unmarshal(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return Duration.parse(text.strip());
        } catch (DateTimeParseException e) {
            String shown = text.strip().replaceFirst("(?s)(.{64}).+", "$1...");
            throw new DateTimeParseException(
                    "The duration (" + shown + ") must be of days, hours, minutes and seconds, such as PT90M.",
                    shown,
                    e.getErrorIndex());
        }
    }

    @Override
    public @Nullable String marshal(@Nullable Duration duration) {
        return duration == null ? null : duration.toString();
    }
}
