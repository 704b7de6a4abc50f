package org.metasched.wsag.time;

import jakarta.xml.bind.annotation.adapters.XmlAdapter;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** {@code xs:dateTime} with a zone. One without a zone is refused: two sites would read it as two instants. */
public final class InstantAdapter extends XmlAdapter<String, Instant> {

    @Override
    public @Nullable Instant unmarshal(@Nullable String text) {
        return text == null
                ? null
                : OffsetDateTime.parse(text.strip(), DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                        .toInstant();
    }

    @Override
    public @Nullable String marshal(@Nullable Instant instant) {
        return instant == null ? null : DateTimeFormatter.ISO_INSTANT.format(instant);
    }
}
