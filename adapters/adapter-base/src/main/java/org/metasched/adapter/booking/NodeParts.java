package org.metasched.adapter.booking;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.TimeSlot;

/**
 * Parts of a node, such as the virtual nodes of a host. A request keeps its share of each part from its start to its end, so cores of
 * different parts that are free one after the other do not add up. Whether a request fits depends on its length, so the result is closed
 * starts, not closed times.
 *
 * @param cores number of cores by name of the part
 */
record NodeParts(Map<String, Integer> cores) {

    /** Length of a run in a profile of starts: the shortest there is, as only the start counts. */
    static final Duration INSTANT = Duration.ofNanos(1);

    /** The starts from which all parts together have too few cores for the length. {@code O(n^2 log n)} for n spans. */
    List<TimeSlot> closedStarts(
            Map<String, List<TakenCores>> taken, PreviewWindow window, int wanted, Duration length) {
        var starts = new TreeSet<Instant>();
        var spans = new HashMap<String, List<TakenCores>>();
        for (String part : cores.keySet()) {
            for (TakenCores span : taken.getOrDefault(part, List.of())) {
                TimeSlot slot = window.covering(span.from(), Duration.between(span.from(), span.to()));
                spans.computeIfAbsent(part, any -> new ArrayList<>())
                        .add(new TakenCores(span.cores(), slot.start(), slot.end()));
                starts.addAll(List.of(slot.start().minus(length).plus(INSTANT), slot.end()));
            }
        }
        var closed = new ArrayList<TimeSlot>();
        Optional<Instant> since = Optional.empty();
        for (Instant start : starts) {
            boolean lacks = free(spans, TimeSlot.of(start, length)) < wanted;
            if (!lacks) {
                since.ifPresent(begun -> closed.add(new TimeSlot(begun, start)));
            }
            since = lacks ? since.or(() -> Optional.of(start)) : Optional.empty();
        }
        return closed;
    }

    private int free(Map<String, List<TakenCores>> spans, TimeSlot slot) {
        int free = 0;
        for (Map.Entry<String, Integer> part : cores.entrySet()) {
            var changes = new TreeMap<Instant, Long>();
            for (TakenCores span : spans.getOrDefault(part.getKey(), List.of())) {
                if (span.from().isBefore(slot.end()) && span.to().isAfter(slot.start())) {
                    changes.merge(TimeSlot.later(span.from(), slot.start()), (long) span.cores(), Long::sum);
                    changes.merge(span.to(), -(long) span.cores(), Long::sum);
                }
            }
            long sum = 0;
            long most = 0;
            for (long change : changes.values()) {
                sum += change;
                most = Math.max(most, sum);
            }
            free += (int) Math.max(0, part.getValue() - most);
        }
        return free;
    }
}
