package org.metasched.console;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.metasched.console.Wishes.Part;
import org.metasched.console.Wishes.Wish;

/** A wish as the fields of a form: read, and written hidden. Readers throw {@link IllegalArgumentException} with a sentence. */
record WishForm(Function<String, @Nullable String> fields) {

    static final int ROWS = 3;

    String text(String name) {
        return Optional.ofNullable(fields.apply(name)).orElse("").strip();
    }

    boolean isFilled() {
        return !text("nodes1").isEmpty();
    }

    Wish read() {
        List<Part> parts = new ArrayList<>();
        for (int row = 1; row <= ROWS; row++) {
            if (!text("nodes" + row).isEmpty()) {
                String site = text("site" + row);
                parts.add(new Part(site, number("nodes" + row, 1), site.isEmpty() ? text("where") : ""));
            }
        }
        var duration = Duration.ofHours(number("hours", 0)).plusMinutes(number("minutes", 0));
        return new Wish(
                text("id").isEmpty() ? "console-" + UUID.randomUUID() : text("id"),
                parts,
                duration,
                time("earliest"),
                time("deadline"));
    }

    private int number(String name, int least) {
        String text = text(name).isEmpty() ? "0" : text(name);
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < least) {
            throw new IllegalArgumentException(
                    "The field " + name + " (" + text + ") must be a whole number, at least " + least + ".");
        }
        return Integer.parseInt(text);
    }

    private Optional<Instant> time(String name) {
        String text = text(name);
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "The field " + name + " (" + text + ") must be a time like 2026-01-05T18:00, in UTC.");
        }
    }

    static void hide(Markup page, Wish wish) {
        hidden(page, "id", wish.id());
        for (int i = 0; i < wish.parts().size(); i++) {
            var part = wish.parts().get(i);
            hidden(page, "site" + (i + 1), part.site());
            hidden(page, "nodes" + (i + 1), String.valueOf(part.nodes()));
        }
        hidden(page, "hours", String.valueOf(wish.duration().toHours()));
        hidden(page, "minutes", String.valueOf(wish.duration().toMinutesPart()));
        wish.earliest().ifPresent(t -> hidden(page, "earliest", local(t)));
        wish.deadline().ifPresent(t -> hidden(page, "deadline", local(t)));
    }

    private static String local(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC).toString();
    }

    private static void hidden(Markup page, String name, String value) {
        page.empty("input", "type", "hidden", "name", name, "value", value);
    }
}
