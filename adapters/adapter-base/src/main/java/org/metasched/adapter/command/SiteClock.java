package org.metasched.adapter.command;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException.Refused;

/**
 * Reads and writes the local times that a scheduler prints without a zone. The zone comes from the site's configuration.
 *
 * <p>When summer time ends, an hour of local times means two instants each: the start of something busy is then read as
 * the earlier one and its end as the later one, so that nothing busy looks free; and an instant of the second hour is not
 * written at all, because the scheduler would take it for the first. When summer time begins, an hour of local times means
 * nothing: output that shows one is refused. Immutable.
 */
public record SiteClock(ZoneId zone) {

    /** Which instant an ambiguous local time stands for. */
    public enum Ambiguity {
        EARLIER,
        LATER
    }

    /**
     * The zone as {@code TZ} names it to commands and programs: a zone of the database, which all of them know, or for an
     * offset that has none what POSIX says. In both the sign is the other way round. Java's own spelling ({@code Z},
     * {@code UTC+02:00}) means other times or none.
     */
    public String posix() {
        if (!(zone.normalized() instanceof ZoneOffset offset)) {
            return zone.getId().replaceFirst("^SystemV/", "");
        }
        String id = offset.getId();
        String sign = id.startsWith("+") ? "-" : "+";
        String amount = id.substring(1).replaceFirst("^0", "").replaceFirst(":00$", "");
        if (offset.equals(ZoneOffset.UTC)) {
            return "UTC";
        }
        String whole = "Etc/GMT" + sign + amount;
        return ZoneId.getAvailableZoneIds().contains(whole)
                ? whole
                : "<" + id.replaceFirst(":00$", "").replace(":", "") + ">" + sign.replace("+", "") + amount;
    }

    /** The start of something busy. */
    public Instant start(String text, DateTimeFormatter format) {
        return read(text, format, Ambiguity.EARLIER);
    }

    /** The end of something busy. */
    public Instant end(String text, DateTimeFormatter format) {
        return read(text, format, Ambiguity.LATER);
    }

    /** @throws OutputFormatException when the text has another form, or names a local time that does not exist */
    public Instant read(String text, DateTimeFormatter format, Ambiguity ambiguity) {
        LocalDateTime local;
        try {
            local = LocalDateTime.parse(text.strip(), format);
        } catch (DateTimeException e) {
            throw new OutputFormatException("expected a time, not (" + DisplayText.of(text) + ")", e);
        }
        return instant(local, ambiguity);
    }

    /** @throws OutputFormatException when the local time does not exist in the site's zone */
    public Instant instant(LocalDateTime local, Ambiguity ambiguity) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.isEmpty()) {
            throw new OutputFormatException("the time (" + local + ") does not exist in the zone " + zone
                    + ", where the clock jumps over it.\nMaybe the setting 'zone' is not the scheduler's");
        }
        return local.toInstant(offsets.get(ambiguity == Ambiguity.EARLIER ? 0 : offsets.size() - 1));
    }

    /** Whether the scheduler, told the instant's local time, would understand this very instant. */
    public boolean canSay(Instant instant) {
        return instant(LocalDateTime.ofInstant(instant, zone), Ambiguity.EARLIER)
                .equals(instant);
    }

    /** The instant itself, or the first one after it that {@link #canSay can be said}. */
    public Instant sayable(Instant instant) {
        if (canSay(instant)) {
            return instant;
        }
        ZoneOffsetTransition overlap = zone.getRules().getTransition(LocalDateTime.ofInstant(instant, zone));
        return overlap.getInstant().plus(overlap.getDuration().abs());
    }

    /** @throws Refused when the instant lies in the hour that summer time repeats */
    public String write(Instant instant, DateTimeFormatter format) throws Refused {
        if (!canSay(instant)) {
            throw new Refused("The instant " + instant + " cannot be told to the scheduler: its local time "
                    + LocalDateTime.ofInstant(instant, zone) + " comes twice in the zone " + zone
                    + ".\nMaybe an hour later suits as well.");
        }
        return format.format(LocalDateTime.ofInstant(instant, zone));
    }
}
