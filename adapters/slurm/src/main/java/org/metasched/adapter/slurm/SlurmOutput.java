package org.metasched.adapter.slurm;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.adapter.command.Fields;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.OutputTable;
import org.metasched.adapter.text.Shown;
import org.metasched.slots.Node;

/**
 * Reads what {@code sinfo}, {@code squeue} and {@code scontrol -o} print. Times are seconds since the epoch, because the
 * commands run with {@code SLURM_TIME_FORMAT=%s}. Tables are read with their heading: an empty output is no empty table.
 * Columns that hold free text (job names, comments, reasons) are never asked for.
 */
final class SlurmOutput {

    static final String NODE_FORMAT = "%N|%T|%c|%f";
    static final String JOB_FORMAT = "%A|%T|%e|%N";

    private static final Pattern NODE_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,253}");
    private static final Pattern NODE_STATE = Pattern.compile("([a-z_]+)[*~#!%$@+^-]*");
    private static final Pattern JOB_STATE = Pattern.compile("[A-Z_]+");
    /** Longest possible form of {@code infinite}: Slurm counts seconds in 32 bits. */
    private static final long LATEST = 0xFFFF_FFFFL;

    private static final Pattern RESERVATION =
            Pattern.compile("ReservationName=(?<name>\\S+) StartTime=(?<start>\\d{1,11})"
                    + " EndTime=(?<end>\\d{1,11}) Duration=\\S+ Nodes=(?<nodes>\\S+) NodeCnt=(?<count>\\d{1,9}) CoreCnt=\\d{1,11}"
                    + " Features=(?<features>\\S+) PartitionName=(?<partition>\\S+) Flags=(?<flags>\\S*)"
                    + "(?: [A-Za-z]+=[^ =]*)*? TRES=\\S* Users=(?<users>\\S+) .*?\\bState=(?<state>[A-Z]+) .*");
    private static final String NONE = "(null)";

    /** Base states in which a node serves nobody; a reservation cannot be given such a node. */
    private static final Set<String> OUT_OF_SERVICE = Set.of(
            "down",
            "drain",
            "drained",
            "draining",
            "error",
            "fail",
            "failing",
            "failed",
            "future",
            "maint",
            "perfctrs",
            "unknown",
            "unk",
            "inval",
            "blocked",
            "powered_down_failed",
            "no_respond");

    private SlurmOutput() {}

    /** A node of the partition; {@code usable} unless it is down, drained, failing, in maintenance or not answering. */
    record NodeLine(Node node, boolean usable, String state) {}

    /** A job that holds nodes; {@code end} is its time limit, or nothing when it has none. */
    record JobLine(String id, String state, Optional<Instant> end, List<String> nodes) {
        boolean waits() {
            return state.equals("PENDING");
        }
    }

    /**
     * A reservation.
     *
     * @param period after which it comes again, where it is a daily or weekly one
     */
    record ReservationLine(
            String name,
            Instant start,
            Instant end,
            List<String> nodes,
            Set<String> features,
            String users,
            boolean active,
            Optional<Duration> period) {}

    /** {@code sinfo -N -o} {@value #NODE_FORMAT}. A node is listed once for each of its partitions; one is asked for. */
    static List<NodeLine> nodes(String output) {
        var nodes = new ArrayList<NodeLine>();
        for (Fields row : table(output, "NODELIST|STATE|CPUS|AVAIL_FEATURES")) {
            Matcher state = NODE_STATE.matcher(row.text("STATE"));
            if (!state.matches()) {
                throw row.refuse("STATE", "the state of a node");
            }
            int cores = (int) row.number("CPUS", 0, 1_000_000);
            boolean answers = row.text("STATE").indexOf('*') < 0;
            boolean usable = cores > 0 && answers && !OUT_OF_SERVICE.contains(state.group(1));
            var features = features(row.text("AVAIL_FEATURES"));
            var node = new Node(row.text("NODELIST", NODE_NAME), Math.max(1, cores), features);
            nodes.add(new NodeLine(node, usable, row.text("STATE")));
        }
        return nodes;
    }

    /** {@code squeue -o} {@value #JOB_FORMAT}. */
    static List<JobLine> jobs(String output) {
        var jobs = new ArrayList<JobLine>();
        for (Fields row : table(output, "JOBID|STATE|END_TIME|NODELIST")) {
            String end = row.text("END_TIME");
            String nodes = row.text("NODELIST");
            jobs.add(new JobLine(
                    row.text("JOBID", Pattern.compile("\\d{1,18}")),
                    row.text("STATE", JOB_STATE),
                    Set.of("N/A", "NONE", "Unknown", "UNLIMITED").contains(end)
                            ? Optional.empty()
                            : Optional.of(Instant.ofEpochSecond(row.number("END_TIME", 0, LATEST))),
                    nodes.isEmpty() || nodes.equals(NONE) ? List.of() : HostList.expand(nodes)));
        }
        return jobs;
    }

    private static List<Fields> table(String output, String heading) {
        if (!output.startsWith(heading + "\n") || !output.endsWith("\n")) {
            throw new OutputFormatException("expected a table that begins with " + heading + " and whole lines, not ("
                    + Shown.of(output) + ")");
        }
        return OutputTable.delimited(output, "|");
    }

    /** {@code scontrol -o show reservation}, of one or of all. */
    static List<ReservationLine> reservations(String output) {
        List<String> lines = OutputTable.lines(output);
        if (lines.isEmpty() || !output.endsWith("\n")) {
            throw new OutputFormatException(
                    "expected lines that begin with ReservationName=, not (" + Shown.of(output) + ")");
        }
        var reservations = new ArrayList<ReservationLine>();
        if (lines.get(0).equals("No reservations in the system")) {
            return reservations;
        }
        for (String line : lines) {
            if (!line.isBlank()) {
                reservations.add(reservation(line + " ", reservations.size() + 1));
            }
        }
        if (reservations.isEmpty()) {
            throw new OutputFormatException(
                    "expected a reservation or the word that there is none, not (" + Shown.of(output) + ")");
        }
        return reservations;
    }

    private static ReservationLine reservation(String line, int number) {
        Matcher fields = RESERVATION.matcher(line);
        if (!fields.matches()) {
            throw new OutputFormatException(
                    "line " + number + ": expected a reservation, not (" + Shown.of(line) + ")");
        }
        Instant start = Instant.ofEpochSecond(Long.parseLong(fields.group("start")));
        Instant end = Instant.ofEpochSecond(Long.parseLong(fields.group("end")));
        String list = fields.group("nodes");
        List<String> nodes = list.equals(NONE) ? List.of() : HostList.expand(list);
        if (!start.isBefore(end) || nodes.size() != Integer.parseInt(fields.group("count"))) {
            throw new OutputFormatException("line " + number + ": reservation " + Shown.of(fields.group("name"))
                    + " contradicts itself: " + start + " to " + end + ", NodeCnt=" + fields.group("count")
                    + ", Nodes=" + Shown.of(list));
        }
        return new ReservationLine(
                fields.group("name"),
                start,
                end,
                nodes,
                features(fields.group("features")),
                fields.group("users"),
                fields.group("state").equals("ACTIVE"),
                period(fields.group("flags")));
    }

    private static Set<String> features(String text) {
        var features = new TreeSet<String>();
        if (!text.equals(NONE)) {
            for (String feature : text.split("[,&]")) {
                if (!feature.isBlank()) {
                    features.add(feature.strip());
                }
            }
        }
        return features;
    }

    /** Weekday and weekend reservations count as daily ones: busy on a day when they are not, never the reverse. */
    private static Optional<Duration> period(String flags) {
        List<String> words = List.of(flags.toUpperCase(Locale.ROOT).split(",", -1));
        if (words.contains("HOURLY")) {
            return Optional.of(Duration.ofHours(1));
        } else if (words.contains("DAILY") || words.contains("WEEKDAY") || words.contains("WEEKEND")) {
            return Optional.of(Duration.ofDays(1));
        } else if (words.contains("WEEKLY")) {
            return Optional.of(Duration.ofDays(7));
        }
        return Optional.empty();
    }

    /** Whether {@code scontrol show reservation NAME} says that there is none of that name. */
    static boolean saysNotFound(String output, String name) {
        return output.strip().equals("Reservation " + name + " not found");
    }
}
