package org.metasched.adapter.simulated;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.TimeSlot;

/**
 * The reservations of a simulated site as a file: one line for each that is made, cancelled or moved to other nodes,
 * appended before the site answers. Survives the end of the process, not that of the machine (nothing is forced to disk).
 * Written anew, without what is over, when it is opened. Not thread-safe.
 */
final class StateFile {

    private static final int FIELDS = 9;

    private final Path file;
    private final NodePlan nodes;

    StateFile(Path file, NodePlan nodes) {
        this.file = file;
        this.nodes = nodes;
    }

    /** What the file holds that is not over yet. A last line without its end was not answered, and is left out. */
    List<Held> open(Instant now) {
        try {
            var held = new LinkedHashMap<ReservationId, Held>();
            var text = Files.exists(file) ? Files.readString(file) : "";
            int number = 0;
            for (var line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                number++;
                try {
                    take(line.split("\t", -1), held);
                } catch (IllegalArgumentException | DateTimeParseException e) {
                    throw new InvalidSettingException(file + ":" + number
                            + ":1: this is not a line of a simulated site's state: " + e.getMessage());
                }
            }
            held.values().removeIf(one -> !one.stateAt(now).isHeld());
            write(held.values());
            return new ArrayList<>(held.values());
        } catch (IOException e) {
            throw new UncheckedIOException("The state file " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    void append(Held held) {
        try {
            Files.writeString(
                    file, line(held), StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("The state file " + file + " cannot be written: " + e.getMessage(), e);
        }
    }

    private void write(Collection<Held> all) throws IOException {
        var text = new StringBuilder();
        all.forEach(held -> text.append(line(held)));
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(fresh, text);
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private String line(Held held) {
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
                        String.join(",", nodes.names(held.nodes)))
                + "\n";
    }

    private void take(String[] fields, Map<ReservationId, Held> into) {
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("it has " + fields.length + " fields, not " + FIELDS);
        }
        var id = new ReservationId(fields[1]);
        var slot = new TimeSlot(Instant.parse(fields[3]), Instant.parse(fields[4]));
        var need = need(fields[5].split(" ", 2), Integer.parseInt(fields[6]), fields[7]);
        BitSet set = nodes.named(texts(fields[8]));
        var held = new Held(id, new RequestKey(fields[2]), need, slot, set);
        held.cancelled = fields[0].equals("cancelled");
        into.put(id, held);
    }

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
