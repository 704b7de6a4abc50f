package org.metasched.wsag.time;

import jakarta.xml.bind.annotation.adapters.XmlAdapter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@code xs:duration} of days and below. Months and years are refused: they have no fixed length. */
public final class DurationAdapter extends XmlAdapter<String, Duration> {

    @Override
    public @Nullable Duration unmarshal(@Nullable String text) {
        return text == null ? null : Duration.parse(text.strip());
    }

    @Override
    public @Nullable String marshal(@Nullable Duration duration) {
        return duration == null ? null : duration.toString();
    }
}
