package org.metasched.adapter.slurm;

import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.command.NamedFields;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.OutputTable;

/**
 * Output of {@code scontrol -o show reservation}: the reservations that can be read, and the odd ones. An odd record
 * takes the nodes that it names for the time that it names, and hides no other record. Immutable.
 *
 * @param readable the records that can be read, in Slurm's order
 * @param odd the other records
 */
record SlurmReservations(List<SlurmReservation> readable, List<Odd> odd) {

    private static final Pattern BLANKS = Pattern.compile(" +");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,11}");
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern COUNT = Pattern.compile("\\d{1,9}");
    private static final Pattern STATE = Pattern.compile("[A-Z]+");
    private static final Pattern DURATION = Pattern.compile("(\\d+-)?\\d+:\\d\\d:\\d\\d|UNLIMITED");

    /**
     * A reservation.
     *
     * @param nodes nodes that it has; Slurm removes lost nodes, and cannot always replace them
     * @param wanted number of nodes with which it was made, never fewer than {@code nodes}
     * @param period interval of an hourly, daily or weekly reservation; a day is one of the calendar
     * @param floating whether its start moves with the clock, so that it can begin at any instant from {@code start} on
     * @param named whether it was made of named nodes; Slurm shows no features of such a reservation
     */
    record SlurmReservation(
            String name,
            Instant start,
            Instant end,
            List<String> nodes,
            int wanted,
            Set<String> features,
            String users,
            boolean active,
            Optional<TemporalAmount> period,
            boolean floating,
            boolean named) {

        /** The times at which it takes its nodes, until the given instant. Slurm repeats start and end by the calendar of the zone. */
        List<TimeSlot> slots(Instant until, ZoneId zone) {
            var slots = new ArrayList<TimeSlot>();
            slots.add(new TimeSlot(start, floating ? SitePlan.NEVER : end));
            ZonedDateTime from = start.atZone(zone);
            ZonedDateTime to = end.atZone(zone);
            while (period.isPresent() && from.toInstant().isBefore(until)) {
                from = from.plus(period.get());
                to = to.plus(period.get());
                Instant first = from.withEarlierOffsetAtOverlap().toInstant();
                Instant last = to.withLaterOffsetAtOverlap().toInstant();
                // A start in the hour that summer time leaves out moves behind it, perhaps past the end.
                slots.add(new TimeSlot(first, first.isBefore(last) ? last : first.plus(Duration.between(start, end))));
            }
            return slots;
        }
    }

    /**
     * A record that contradicts itself or cannot be read.
     *
     * @param nodes nodes that the record names
     * @param slot its time; an unknown start counts as the beginning of time, an unknown end as its end, and if the end is not after the
     *     start both count as unknown
     * @param why one line for the admin
     */
    record Odd(String name, List<String> nodes, TimeSlot slot, String why) {}

    SlurmReservations {
        readable = List.copyOf(readable);
        odd = List.copyOf(odd);
    }

    /** @throws OutputFormatException when the output is no list of reservations, or is cut short */
    static SlurmReservations read(String output) {
        List<String> lines = OutputTable.lines(output);
        if (lines.isEmpty() || !output.endsWith("\n")) {
            throw refuse(output);
        }
        if (lines.get(0).equals("No reservations in the system")) {
            return of(List.of());
        }
        var records = new ArrayList<NamedFields>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("ReservationName=")) {
                records.add(fields(i + 1, lines.get(i)));
            } else if (!lines.get(i).isBlank()) {
                throw refuse(output);
            }
        }
        if (records.isEmpty()) {
            throw refuse(output);
        }
        return of(records);
    }

    private static OutputFormatException refuse(String output) {
        return new OutputFormatException(
                "expected lines that begin with ReservationName=, or 'No reservations in the system', not ("
                        + DisplayText.of(output) + ")");
    }

    /** The reservations of records with the keys of {@code scontrol}. */
    static SlurmReservations of(List<NamedFields> records) {
        var readable = new ArrayList<SlurmReservation>();
        var odd = new ArrayList<Odd>();
        for (NamedFields fields : records) {
            try {
                readable.add(reservation(fields));
            } catch (OutputFormatException why) {
                odd.add(odd(fields, String.valueOf(why.getMessage())));
            }
        }
        return new SlurmReservations(readable, odd);
    }

    /** The reservation of that name, or none. */
    SlurmReservations only(String name) {
        return new SlurmReservations(
                readable.stream().filter(record -> record.name().equals(name)).toList(),
                odd.stream().filter(record -> record.name().equals(name)).toList());
    }

    /** The fields of a line; a repeated key, as of the cores of each node, has its first value. Slurm's own keys come before free text. */
    private static NamedFields fields(int number, String line) {
        var fields = new HashMap<String, String>();
        for (String word : BLANKS.split(line)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                fields.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return new NamedFields(fields, number);
    }

    private static SlurmReservation reservation(NamedFields fields) {
        Instant start = seconds(fields, "StartTime");
        Instant end = seconds(fields, "EndTime");
        OutputFormatException.throwIf(!start.isBefore(end), "it ends at %s, not after its start %s", end, start);
        // Read only because each whole record has it.
        text(fields, "Duration", DURATION);
        List<String> nodes = nodes(fields);
        int wanted = Integer.parseInt(text(fields, "NodeCnt", COUNT));
        String shown = fields.find("Flags").orElse("").toUpperCase(Locale.ROOT);
        List<String> flags = List.of(shown.split(",", -1));
        return new SlurmReservation(
                text(fields, "ReservationName", WORD),
                start,
                end,
                nodes,
                Math.max(wanted, nodes.size()),
                SlurmOutput.features(text(fields, "Features", WORD)),
                text(fields, "Users", WORD),
                text(fields, "State", STATE).equals("ACTIVE"),
                period(flags),
                flags.contains("TIME_FLOAT"),
                flags.contains("SPEC_NODES"));
    }

    private static List<String> nodes(NamedFields fields) {
        String list = text(fields, "Nodes", WORD);
        return list.equals(SlurmOutput.NONE) ? List.of() : HostList.expand(list);
    }

    private static Instant seconds(NamedFields fields, String key) {
        return Instant.ofEpochSecond(Long.parseLong(text(fields, key, SECONDS)));
    }

    private static String text(NamedFields fields, String key, Pattern form) {
        String value = fields.find(key).orElseThrow(() -> new OutputFormatException(key + " is missing"));
        OutputFormatException.throwIf(
                !form.matcher(value).matches(), "%s is not understood: (%s)", key, DisplayText.of(value));
        return value;
    }

    private static Odd odd(NamedFields fields, String why) {
        Instant start = orElse(() -> seconds(fields, "StartTime"), Instant.EPOCH);
        Instant end = orElse(() -> seconds(fields, "EndTime"), SitePlan.NEVER);
        var slot = start.isBefore(end) ? new TimeSlot(start, end) : new TimeSlot(Instant.EPOCH, SitePlan.NEVER);
        // Where its nodes are unknown here, Slurm itself refuses reservations that overlap it.
        List<String> nodes = orElse(() -> nodes(fields), List.of());
        String name = fields.find("ReservationName").orElse("");
        return new Odd(name, nodes, slot, "The reservation " + DisplayText.of(name) + " is odd: " + why + ".");
    }

    private static <T> T orElse(Supplier<T> reading, T otherwise) {
        try {
            return reading.get();
        } catch (OutputFormatException unreadable) {
            return otherwise;
        }
    }

    /** The interval by the flags. Weekday and weekend reservations count as daily: a free day may look busy, never the reverse. */
    private static Optional<TemporalAmount> period(List<String> flags) {
        if (flags.contains("HOURLY")) {
            return Optional.of(Duration.ofHours(1));
        }
        boolean isDaily = flags.contains("DAILY") || flags.contains("WEEKDAY") || flags.contains("WEEKEND");
        return isDaily || flags.contains("WEEKLY") ? Optional.of(Period.ofDays(isDaily ? 1 : 7)) : Optional.empty();
    }

    /** Whether {@code scontrol show reservation NAME} says that there is none of that name. */
    static boolean saysNotFound(String output, String name) {
        return output.strip().equals("Reservation " + name + " not found");
    }
}
