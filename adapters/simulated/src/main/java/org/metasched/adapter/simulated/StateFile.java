package org.metasched.adapter.simulated;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.TimeSlot;
import org.metasched.durable.AppendLog;
import org.metasched.slots.NodePlan;

/**
 * The reservations of a simulated site in an append log: a record for each that is made, changed or cancelled, on the disk before the site
 * answers. Opening it rewrites it without the reservations that are over, except the newest. Not thread-safe.
 */
final class StateFile {

    private static final int FIELDS = 9;

    private final Path file;
    private final AppendLog log;
    private final NodePlan nodes;

    StateFile(Path file, NodePlan nodes) {
        this.file = file;
        this.log = new AppendLog(file);
        this.nodes = nodes;
    }

    /** Opens the file; returns its reservations that are not over yet, and the newest, since numbers after it are free. */
    List<SimulatedReservation> open(Instant now) {
        try {
            var held = new LinkedHashMap<ReservationId, SimulatedReservation>();
            int number = 0;
            for (var line : log.read()) {
                number++;
                try {
                    take(line.split("\t", -1), held);
                } catch (IllegalArgumentException | DateTimeParseException e) {
                    throw new InvalidSettingException(file + ":" + number
                            + ":1: this is not a line of a simulated site's state: " + e.getMessage());
                }
            }
            var newest = held.keySet().stream().reduce((earlier, later) -> later);
            held.values().removeIf(one -> !one.stateAt(now).isHeld() && !newest.equals(Optional.of(one.id)));
            log.rewrite(held.values().stream().map(this::line).toList());
            return new ArrayList<>(held.values());
        } catch (IOException e) {
            throw new UncheckedIOException("The state file " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    void append(SimulatedReservation held) {
        try {
            log.append(line(held));
        } catch (IOException e) {
            throw new UncheckedIOException("The state file " + file + " cannot be written: " + e.getMessage(), e);
        }
    }

    private String line(SimulatedReservation held) {
        return String.join(
                "\t",
                held.cancelled ? "cancelled" : "held",
                held.id.value(),
                held.key.value(),
                held.slot.start().toString(),
                held.slot.end().toString(),
                held.need.fold(n -> "nodes " + n.coresPerNode(), b -> "bandwidth 0", l -> "licences 0"),
                Integer.toString(held.need.amount()),
                held.need.fold(n -> String.join(",", n.properties()), b -> "", Need.Licences::feature),
                String.join(",", nodes.names(held.nodes)));
    }

    private void take(String[] fields, Map<ReservationId, SimulatedReservation> into) {
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("it has " + fields.length + " fields, not " + FIELDS);
        }
        var id = new ReservationId(fields[1]);
        var slot = new TimeSlot(Instant.parse(fields[3]), Instant.parse(fields[4]));
        var need = need(fields[5].split(" ", 2), Integer.parseInt(fields[6]), fields[7]);
        var held = new SimulatedReservation(id, new RequestKey(fields[2]), need, slot, nodes.named(texts(fields[8])));
        held.cancelled = fields[0].equals("cancelled");
        into.put(id, held);
    }

    /**
     * The need of a line.
     *
     * @param kind kind, and the cores of each node; the number has no meaning for other kinds
     * @param detail properties of nodes, or the feature of licences
     */
    private static Need need(String[] kind, int amount, String detail) {
        return switch (kind[0]) {
            case "nodes" -> new Need.Nodes(amount, Integer.parseInt(kind[1]), new TreeSet<>(texts(detail)));
            case "licences" -> new Need.Licences(detail, amount);
            case "bandwidth" -> new Need.Bandwidth(amount);
            default -> throw new IllegalArgumentException("there is no kind " + kind[0]);
        };
    }

    private static List<String> texts(String joined) {
        return joined.isEmpty() ? List.of() : List.of(joined.split(","));
    }
}
