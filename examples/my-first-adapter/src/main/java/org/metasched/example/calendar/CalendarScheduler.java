package org.metasched.example.calendar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.CountProfile;

/**
 * A laboratory with some alike machines, whose calendar is a text file: one line a reservation, its words
 * {@code ID KEY NODES START END STATE}. Other programs that edit the file replace it as a whole. Thread-safe in one process.
 */
public final class CalendarScheduler implements LocalScheduler {

    /** {@code scheduler: {type: calendar, nodes: 4, file: /var/lib/lab/calendar.txt}}. */
    public static final class Factory implements LocalSchedulerFactory {

        @Override
        public String type() {
            return "calendar";
        }

        @Override
        public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
            settings.allowOnly(Set.of("type", "nodes", "file"));
            int nodes = settings.number("nodes").orElse(1);
            if (nodes < 1) {
                throw settings.invalid("nodes", "expected at least 1, not (" + nodes + ")");
            }
            return new CalendarScheduler(site, nodes, Path.of(settings.requiredText("file")), clock);
        }
    }

    private static final String CANCELLED = "cancelled";

    private final SiteId site;
    private final int nodes;
    private final Path file;
    private final Clock clock;

    CalendarScheduler(SiteId site, int nodes, Path file, Clock clock) {
        this.site = site;
        this.nodes = nodes;
        this.file = file;
        this.clock = clock;
    }

    /** One line of the calendar. */
    private record Entry(ReservationId id, RequestKey key, int nodes, TimeSlot slot, boolean cancelled) {

        static Entry parse(String line) {
            String[] word = line.split(" ", -1);
            if (word.length != 6) {
                throw new IllegalArgumentException("expected 6 words, not " + word.length);
            }
            return new Entry(
                    new ReservationId(word[0]),
                    new RequestKey(word[1]),
                    Integer.parseInt(word[2]),
                    new TimeSlot(Instant.parse(word[3]), Instant.parse(word[4])),
                    word[5].equals(CANCELLED));
        }

        String line() {
            return String.join(
                    " ",
                    id.value(),
                    key.value(),
                    String.valueOf(nodes),
                    slot.start().toString(),
                    slot.end().toString(),
                    cancelled ? CANCELLED : "held");
        }

        Reservation reservation() {
            return new Reservation(id, key, slot, new Need.Nodes(nodes), List.of());
        }

        ReservationStatus status(Instant now) {
            ReservationState state = cancelled
                    ? ReservationState.CANCELLED
                    : now.isBefore(slot.start())
                            ? ReservationState.RESERVED
                            : now.isBefore(slot.end()) ? ReservationState.ACTIVE : ReservationState.FINISHED;
            return new ReservationStatus(state, reservation());
        }
    }

    @Override
    public SiteId site() {
        return site;
    }

    @Override
    public PreviewWindow previewWindow() {
        return new PreviewWindow(Duration.ofDays(30));
    }

    @Override
    public synchronized Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore)
            throws LocalSchedulerException {
        Instant now = clock.instant();
        // Rule A2: the answer is not rounded; a start between two seconds is answered as it is.
        Instant from = notBefore.isBefore(now) ? now : notBefore;
        return profile(calendar())
                .earliestStart(
                        count(request),
                        request.duration(),
                        from,
                        previewWindow().endFrom(now));
    }

    private CountProfile profile(List<Entry> calendar) {
        var profile = new CountProfile(nodes);
        calendar.stream()
                .filter(entry -> !entry.cancelled())
                .forEach(entry -> profile.take(entry.nodes(), entry.slot()));
        return profile;
    }

    private int count(ResourceRequest request) throws Refused {
        return request.need()
                .asNodes()
                .filter(need -> need.coresPerNode() == 1 && need.properties().isEmpty())
                .map(Need.Nodes::count)
                .orElseThrow(() -> new Refused("Site " + site + " has plain nodes only, not " + request.need() + "."));
    }

    @Override
    public synchronized Reservation reserve(RequestKey key, ResourceRequest request, Instant start)
            throws LocalSchedulerException {
        List<Entry> calendar = calendar();
        Optional<Entry> held = underKey(calendar, key).filter(entry -> !entry.cancelled());
        if (held.isPresent()) {
            return held.get().reservation(); // rule R2: one key, one reservation
        }
        // Rule R1: whole seconds are booked, and reported as they are booked.
        Instant end = start.plus(request.duration());
        var slot = new TimeSlot(
                Instant.ofEpochSecond(start.getEpochSecond()),
                Instant.ofEpochSecond(end.getEpochSecond() + (end.getNano() > 0 ? 1 : 0)));
        int wanted = count(request);
        if (slot.end().isBefore(clock.instant()) || profile(calendar).leastFree(slot) < wanted) {
            throw new Refused(
                    "Site " + site + " has no " + wanted + " nodes from " + slot.start() + " to " + slot.end() + ".");
        }
        var entry = new Entry(unusedId(calendar), key, wanted, slot, false);
        calendar.add(entry);
        write(calendar);
        return entry.reservation();
    }

    /** An id of no line; another program may have removed lines. */
    private static ReservationId unusedId(List<Entry> calendar) {
        List<String> used = calendar.stream().map(entry -> entry.id().value()).toList();
        int number = calendar.size() + 1;
        while (used.contains("C" + number)) {
            number++;
        }
        return new ReservationId("C" + number);
    }

    @Override
    public synchronized Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        return underKey(calendar(), key).map(entry -> entry.status(clock.instant()));
    }

    /** The latest entry under a key: an earlier one with that key was cancelled. */
    private static Optional<Entry> underKey(List<Entry> calendar, RequestKey key) {
        return calendar.stream().filter(entry -> entry.key().equals(key)).reduce((earlier, later) -> later);
    }

    @Override
    public synchronized void cancel(ReservationId id) throws LocalSchedulerException {
        List<Entry> calendar = calendar();
        calendar.replaceAll(
                entry -> entry.id().equals(id) ? new Entry(id, entry.key(), entry.nodes(), entry.slot(), true) : entry);
        write(calendar);
    }

    @Override
    public synchronized ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        return calendar().stream()
                .filter(entry -> entry.id().equals(id))
                .findFirst()
                .map(entry -> entry.status(clock.instant()))
                .orElseThrow(() -> new UnknownReservation(site, id)); // rule S1
    }

    private List<Entry> calendar() throws Unreachable {
        var entries = new ArrayList<Entry>();
        try {
            if (Files.exists(file)) {
                for (String line : Files.readAllLines(file)) {
                    entries.add(Entry.parse(line));
                }
            }
            return entries;
        } catch (IOException | DateTimeException | IllegalArgumentException e) {
            throw new Unreachable(
                    "Site " + site + ": line " + (entries.size() + 1) + " of " + file + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    private void write(List<Entry> calendar) throws Unreachable {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.write(next, calendar.stream().map(Entry::line).toList());
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new Unreachable("Site " + site + ": the calendar " + file + " cannot be written: " + e, e);
        }
    }
}
