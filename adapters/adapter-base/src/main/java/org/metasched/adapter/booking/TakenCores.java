package org.metasched.adapter.booking;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.metasched.adapter.TimeSlot;

/** Cores of one node, or of a part of it, that are taken from {@code from} until {@code to}, gaps included. */
record TakenCores(int cores, Instant from, Instant to) {

    /** The times at which more than the spare cores are taken. */
    static List<TimeSlot> full(List<TakenCores> spans, int spare) {
        var changes = new TreeMap<Instant, Long>();
        for (TakenCores span : spans) {
            changes.merge(span.from(), (long) span.cores(), Long::sum);
            changes.merge(span.to(), -(long) span.cores(), Long::sum);
        }
        var full = new ArrayList<TimeSlot>();
        long sum = 0;
        Instant begun = Instant.EPOCH;
        for (Map.Entry<Instant, Long> change : changes.entrySet()) {
            long before = sum;
            sum += change.getValue();
            if (before <= spare && sum > spare) {
                begun = change.getKey();
            } else if (before > spare && sum <= spare) {
                full.add(new TimeSlot(begun, change.getKey()));
            }
        }
        return full;
    }

    /** Instants as numbers: a plan prints tens of thousands for its version. */
    @Override
    public String toString() {
        return cores + "@" + from.getEpochSecond() + "." + from.getNano() + "-" + to.getEpochSecond() + "."
                + to.getNano();
    }
}
