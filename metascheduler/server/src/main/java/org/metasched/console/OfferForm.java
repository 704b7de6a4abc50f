package org.metasched.console;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.Need;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.making.OfferAdvice.Way;
import org.metasched.choice.Preference;
import org.metasched.console.ConsoleOffers.Part;
import org.metasched.console.ConsoleOffers.SlotRequest;

/** A request as the fields of a form: read, and written. Readers throw {@link IllegalArgumentException} with a sentence. */
record OfferForm(Function<String, @Nullable String> fields) {

    /** Parts that a form has. */
    static final int ROWS = 3;

    String text(String name) {
        return Optional.ofNullable(fields.apply(name)).orElse("").strip();
    }

    boolean isFilled() {
        return !text("nodes1").isEmpty();
    }

    SlotRequest read() {
        List<Part> parts = new ArrayList<>();
        for (int row = 1; row <= ROWS; row++) {
            if (!text("nodes" + row).isEmpty()) {
                String site = text("site" + row);
                parts.add(new Part(site, number("nodes" + row, 1), site.isEmpty() ? text("where") : ""));
            }
        }
        var duration = Duration.ofHours(number("hours", 0)).plusMinutes(number("minutes", 0));
        return new SlotRequest(
                text("id").isEmpty() ? "console-" + UUID.randomUUID() : text("id"),
                parts,
                duration,
                time("earliest"),
                time("deadline"));
    }

    int number(String name, int least) {
        String text = text(name).isEmpty() ? "0" : text(name);
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < least) {
            throw new IllegalArgumentException(
                    "The field " + name + " (" + text + ") must be a whole number, at least " + least + ".");
        }
        return Integer.parseInt(text);
    }

    Optional<Instant> time(String name) {
        String text = text(name);
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(LocalDateTime.parse(text)
                            .atZone(TimeLabels.of(text("zone")).zone())
                            .toInstant());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "The field " + name + " (" + text + ") must be a time like 2026-01-05T18:00.");
        }
    }

    /** The time of a field in the zone of a reader; the field's own text if it is no time. */
    String local(String name, TimeLabels times) {
        try {
            return time(name).map(at -> times.minute(at).replace(' ', 'T')).orElse("");
        } catch (IllegalArgumentException e) {
            return text(name);
        }
    }

    /** A request as the fields of the form. Parts that leave the site open must have the same requirements, as the form has one field. */
    static Map<String, String> written(SlotRequest wish) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("id", wish.id());
        for (int row = 1; row <= wish.parts().size(); row++) {
            var part = wish.parts().get(row - 1);
            fields.put("site" + row, part.site());
            fields.put("nodes" + row, String.valueOf(part.nodes()));
            fields.merge("where", part.requirements(), (before, now) -> now.isEmpty() ? before : now);
        }
        fields.put("hours", String.valueOf(wish.duration().toHours()));
        fields.put("minutes", String.valueOf(wish.duration().toMinutesPart()));
        wish.earliest().ifPresent(t -> fields.put("earliest", local(t)));
        wish.deadline().ifPresent(t -> fields.put("deadline", local(t)));
        return fields;
    }

    /** Label of a field; that of {@code nodes1} to {@code nodes3} names the site of its part. */
    static String label(String name, SlotRequest request) {
        return name.startsWith("nodes")
                ? "nodes at "
                        + request.parts()
                                .get(name.charAt(name.length() - 1) - '1')
                                .site()
                : name;
    }

    /** The fields that offer just this plan, though it may begin later by the time it is offered. */
    static Map<String, String> offering(Way way, Optional<Instant> deadline) {
        var parts = way.pieces().stream()
                .map(p -> new Part(p.site().value(), p.need().amount(), ""))
                .toList();
        var duration = way.pieces().get(0).part().request().duration();
        return written(
                new SlotRequest("console-" + UUID.randomUUID(), parts, duration, Optional.of(way.start()), deadline));
    }

    /** A request for the same, at times that have not passed; empty if the form has no fields for it. */
    static Optional<SlotRequest> like(AgreementRequest request, Instant now) {
        List<Part> parts = new ArrayList<>();
        var duration = request.parts().get(0).request().duration();
        boolean fitsForm = request.parts().size() <= ROWS
                && request.lags().isEmpty()
                && request.preference() == Preference.START
                && duration.equals(Duration.ofMinutes(duration.toMinutes()));
        for (var part : request.parts()) {
            var need = part.request().need();
            fitsForm &= part.request().duration().equals(duration)
                    && part.program().isEmpty()
                    && part.rank().isEmpty()
                    && part.split().isEmpty()
                    && need.equals(new Need.Nodes(need.amount()));
            String site = part.site().map(SiteId::value).orElse("");
            parts.add(new Part(site, need.amount(), part.requirements().orElse("")));
        }
        fitsForm &= parts.stream()
                        .map(Part::requirements)
                        .filter(r -> !r.isEmpty())
                        .distinct()
                        .count()
                < 2;
        return fitsForm
                ? Optional.of(new SlotRequest(
                        "console-" + UUID.randomUUID(),
                        parts,
                        duration,
                        request.earliest().filter(now::isBefore),
                        request.deadline().filter(now::isBefore)))
                : Optional.empty();
    }

    private static String local(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC).toString();
    }
}
