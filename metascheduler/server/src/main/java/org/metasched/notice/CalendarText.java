package org.metasched.notice;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.SiteCommitment;

/** Agreements as a calendar of RFC 5545: an event keeps its UID, and its sequence is the agreement's version. Not thread-safe. */
public final class CalendarText {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(15);
    private static final int LONGEST_LINE = 75;

    private final StringBuilder text = new StringBuilder();

    private CalendarText(String name) {
        line("BEGIN", "VCALENDAR");
        line("VERSION", "2.0");
        line("PRODID", "-//metasched//metasched//EN");
        line("CALSCALE", "GREGORIAN");
        line("X-WR-CALNAME", escaped(name));
        line("REFRESH-INTERVAL;VALUE=DURATION", REFRESH_INTERVAL.toString());
        // A calendar must have a component, also where there is no event.
        line("BEGIN", "VTIMEZONE");
        line("TZID", "UTC");
        line("BEGIN", "STANDARD");
        line("DTSTART", "19700101T000000");
        line("TZOFFSETFROM", "+0000");
        line("TZOFFSETTO", "+0000");
        line("END", "STANDARD");
        line("END", "VTIMEZONE");
    }

    /** One event for each agreement that has a slot. */
    public static String ofPerson(List<Agreement> agreements) {
        var calendar = new CalendarText("Reservations");
        for (var agreement : agreements) {
            String sites = agreement.commitments().stream()
                    .map(part -> part.site().value())
                    .distinct()
                    .collect(Collectors.joining(", "));
            String parts =
                    agreement.commitments().stream().map(CalendarText::words).collect(Collectors.joining("\n"));
            String summary = agreement.offer().label().orElse("Reservation") + " at " + sites;
            String id = agreement.id().value();
            agreement.slot().ifPresent(slot -> calendar.event(id, slot, agreement, summary, parts + "\n" + id));
        }
        return calendar.end();
    }

    /** One event for each reservation at a site, without its initiator. */
    static String ofSite(String site, List<Agreement> agreements) {
        var calendar = new CalendarText(site);
        for (var agreement : agreements) {
            for (int i = 0; i < agreement.commitments().size(); i++) {
                var part = agreement.commitments().get(i);
                if (part.site().value().equals(site)) {
                    calendar.event(
                            agreement.id() + "." + i,
                            part.reservation().slot(),
                            agreement,
                            part.reservation().granted().words() + " reserved",
                            "");
                }
            }
        }
        return calendar.end();
    }

    private static String words(SiteCommitment part) {
        return part.site() + ": " + part.reservation().granted().words() + ", reservation "
                + part.reservation().id();
    }

    private void event(String id, TimeSlot slot, Agreement agreement, String summary, String description) {
        boolean isCancelled = agreement.state() == AgreementState.TERMINATED
                || agreement.state() == AgreementState.OBSERVED_AND_TERMINATING;
        line("BEGIN", "VEVENT");
        line("UID", id + "@metasched");
        line("DTSTAMP", time(agreement.changed()));
        line("LAST-MODIFIED", time(agreement.changed()));
        line("CREATED", time(agreement.created()));
        line("DTSTART", time(slot.start()));
        line("DTEND", time(slot.end()));
        line("SEQUENCE", String.valueOf(agreement.version()));
        line("STATUS", isCancelled ? "CANCELLED" : "CONFIRMED");
        line("SUMMARY", escaped(summary));
        if (!description.isEmpty()) {
            line("DESCRIPTION", escaped(description));
        }
        line("END", "VEVENT");
    }

    private String end() {
        line("END", "VCALENDAR");
        return text.toString();
    }

    private static String time(Instant instant) {
        return TIME.format(instant);
    }

    private static String escaped(String value) {
        return value.replaceAll("([\\\\;,])", "\\\\$1").replace("\n", "\\n").replaceAll("\\p{Cntrl}", " ");
    }

    /** Adds a line, folded between two characters after {@value #LONGEST_LINE} bytes of UTF-8. */
    private void line(String name, String value) {
        int bytes = 0;
        for (int point : (name + ":" + value).codePoints().toArray()) {
            String character = Character.toString(point);
            int size = character.getBytes(StandardCharsets.UTF_8).length;
            if (bytes + size > LONGEST_LINE) {
                text.append("\r\n ");
                bytes = 1;
            }
            bytes += size;
            text.append(character);
        }
        text.append("\r\n");
    }
}
