package org.metasched.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
import org.metasched.adapter.Need;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
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

    /** An agreement as a wish that can be changed; nothing if the form has no fields for it. */
    static Optional<Wish> again(Agreement agreement, Instant now) {
        var asked = agreement.offer().alternatives();
        if (agreement.state() != AgreementState.OBSERVED
                || asked.size() > 1
                || question(asked.get(0), now).isEmpty()) {
            return Optional.empty();
        }
        var parts = agreement.commitments().stream()
                .map(c -> new Part(c.site().value(), c.reservation().granted().amount(), ""))
                .toList();
        var slot = agreement.slot().orElseThrow();
        return Optional.of(new Wish(
                "console-" + UUID.randomUUID(),
                parts,
                slot.length(),
                Optional.of(slot.start()).filter(now::isBefore),
                Optional.empty()));
    }

    /** The fields that may be changed, and the others hidden. */
    static void show(Markup page, Wish wish) {
        hidden(page, "id", wish.id());
        for (int i = 0; i < wish.parts().size(); i++) {
            var part = wish.parts().get(i);
            hidden(page, "site" + (i + 1), part.site());
            shown(page, "Nodes at " + part.site(), "nodes" + (i + 1), part.nodes());
        }
        shown(page, "Hours", "hours", wish.duration().toHours());
        shown(page, "Minutes", "minutes", wish.duration().toMinutesPart());
        wish.earliest().ifPresent(t -> hidden(page, "earliest", local(t)));
    }

    private static void shown(Markup page, String label, String name, long value) {
        page.open("label").text(label + " ");
        page.empty("input", "type", "number", "min", "0", "name", name, "value", String.valueOf(value));
        page.close();
    }

    private static String local(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC).toString();
    }

    /** The same as a question to the page of this form; nothing if the form has no fields for it. */
    static Optional<String> question(AgreementRequest asked, Instant now) {
        var first = asked.parts().get(0);
        var duration = first.request().duration();
        var open = asked.parts().stream()
                .flatMap(part -> part.requirements().stream())
                .distinct()
                .toList();
        boolean fits = asked.parts().size() <= ROWS
                && asked.lags().isEmpty()
                && open.size() <= 1
                && asked.parts().stream()
                        .allMatch(part -> part.request().duration().equals(duration)
                                && part.program().isEmpty()
                                && part.split().isEmpty()
                                && part.request()
                                        .need()
                                        .equals(new Need.Nodes(
                                                part.request().need().amount())));
        if (!fits) {
            return Optional.empty();
        }
        var fields = new StringBuilder("hours=" + duration.toHours() + "&minutes=" + duration.toMinutesPart());
        for (int row = 1; row <= asked.parts().size(); row++) {
            var part = asked.parts().get(row - 1);
            fields.append("&nodes")
                    .append(row)
                    .append('=')
                    .append(part.request().need().amount());
            part.site()
                    .ifPresent(site -> fields.append("&site")
                            .append(asked.parts().indexOf(part) + 1)
                            .append('=')
                            .append(encoded(site.value())));
        }
        open.forEach(requirements -> fields.append("&where=").append(encoded(requirements)));
        asked.earliest()
                .filter(now::isBefore)
                .ifPresent(time -> fields.append("&earliest=").append(encoded(local(time))));
        asked.deadline()
                .filter(now::isBefore)
                .ifPresent(time -> fields.append("&deadline=").append(encoded(local(time))));
        return Optional.of(fields.toString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void hidden(Markup page, String name, String value) {
        page.empty("input", "type", "hidden", "name", name, "value", value);
    }
}
