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
 * <p>When summer time ends, each local time of one hour means two instants: the start of something busy is then read as the earlier one and
 * its end as the later one, so that nothing busy looks free. An instant of the second hour is not written at all, because the scheduler
 * would take it for the first. When summer time begins, the local times of one hour do not exist: output that shows one is refused.
 * Immutable.
 */
public record SiteClock(ZoneId zone) {

    /** The instant that a local time means if it comes twice. */
    public enum Ambiguity {
        EARLIER,
        LATER
    }

    /**
     * The zone as the variable {@code TZ}: its name in the zone database; for a fixed offset a name such as {@code Etc/GMT-2} or {@code UTC},
     * or a POSIX expression such as {@code <+0530>-5:30} if there is none. The number after the name has the opposite sign of the offset.
     * Java's own spelling ({@code Z}, {@code UTC+02:00}) would mean another zone or none.
     */
    public String tz() {
        if (!(zone.normalized() instanceof ZoneOffset offset)) {
            // Java's SystemV/... are plain names in the zone database.
            return zone.getId().replaceFirst("^SystemV/", "");
        }
        String id = offset.getId();
        String sign = id.startsWith("+") ? "-" : "+";
        String amount = id.substring(1).replaceFirst("^0", "").replaceFirst(":00$", "");
        if (offset.equals(ZoneOffset.UTC)) {
            return "UTC";
        }
        String name = "Etc/GMT" + sign + amount;
        return ZoneId.getAvailableZoneIds().contains(name)
                ? name
                : "<" + id.replaceFirst(":00$", "").replace(":", "") + ">" + sign.replace("+", "") + amount;
    }

    /** The start of a busy time: the earlier instant if the local time comes twice. */
    public Instant start(String text, DateTimeFormatter format) {
        return read(text, format, Ambiguity.EARLIER);
    }

    /** The end of a busy time: the later instant if the local time comes twice. */
    public Instant end(String text, DateTimeFormatter format) {
        return read(text, format, Ambiguity.LATER);
    }

    /**
     * The instant of a local time.
     *
     * @throws OutputFormatException when the text has another form, or the time does not exist
     */
    public Instant read(String text, DateTimeFormatter format, Ambiguity ambiguity) {
        LocalDateTime local;
        try {
            local = LocalDateTime.parse(text.strip(), format);
        } catch (DateTimeException e) {
            throw new OutputFormatException("expected a time, not (" + DisplayText.of(text) + ")", e);
        }
        return instant(local, ambiguity);
    }

    /**
     * The instant of a local time.
     *
     * @throws OutputFormatException when it does not exist in the site's zone
     */
    public Instant instant(LocalDateTime local, Ambiguity ambiguity) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.isEmpty()) {
            throw new OutputFormatException("the time (" + local + ") does not exist in the zone " + zone
                    + ", where the clock jumps over it.\nMaybe the setting 'zone' is not the scheduler's");
        }
        return local.toInstant(offsets.get(ambiguity == Ambiguity.EARLIER ? 0 : offsets.size() - 1));
    }

    /** Whether the scheduler reads the instant's local time as this instant. */
    public boolean isWritable(Instant instant) {
        return instant(LocalDateTime.ofInstant(instant, zone), Ambiguity.EARLIER)
                .equals(instant);
    }

    /** The instant itself, or the first later one that is {@linkplain #isWritable writable}. */
    public Instant firstWritable(Instant instant) {
        if (isWritable(instant)) {
            return instant;
        }
        ZoneOffsetTransition overlap = zone.getRules().getTransition(LocalDateTime.ofInstant(instant, zone));
        return overlap.getInstant().plus(overlap.getDuration().abs());
    }

    /**
     * The local time of an instant.
     *
     * @throws Refused when the instant lies in the second pass of the hour that is repeated when summer time ends
     */
    public String write(Instant instant, DateTimeFormatter format) throws Refused {
        if (!isWritable(instant)) {
            throw new Refused("The instant " + instant + " cannot be told to the scheduler: its local time "
                    + LocalDateTime.ofInstant(instant, zone) + " comes twice in the zone " + zone
                    + ", and the scheduler takes it for the first.\nMaybe an hour later suits as well.");
        }
        return format.format(LocalDateTime.ofInstant(instant, zone));
    }
}
