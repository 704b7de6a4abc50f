package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Need;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.SitePlan;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.adapter.command.NamedFields;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.OutputTable;
import org.metasched.adapter.command.SiteClock;

/**
 * Reads the output of PBS commands. Nodes and jobs, printed as JSON or text, become the same {@link NamedFields} first. Output that it does
 * not understand is an {@link OutputFormatException}; within the record of one node or reservation, its {@code odd}. Thread-safe.
 *
 * @param times the zone in which the client prints
 */
record PbsOutput(SiteClock times) {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss uuuu", Locale.ENGLISH)
            .withResolverStyle(ResolverStyle.STRICT);
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern SUBMITTED =
            Pattern.compile("([RSM]\\d+\\.[A-Za-z0-9._-]+)\\s+([A-Z]+|delete, [a-z ]+)\\s*");
    private static final Pattern RESERVATION_HEAD = Pattern.compile("(?:Resv ID|Name): (\\S+)\\s*");
    private static final Pattern RESERVATION_ID = Pattern.compile("[RSM]\\d+(\\.[A-Za-z0-9._-]+)?");
    private static final Pattern JOB_HEAD = Pattern.compile("Job Id: (\\S+)\\s*");
    private static final Pattern NODE_HEAD = Pattern.compile("([^\\s=]+)\\s*");
    private static final Pattern CLOCK = Pattern.compile("(?:(\\d{1,7}):)?(\\d{1,9}):(\\d\\d)|(\\d{1,12})");
    private static final Pattern VNODE = Pattern.compile("[A-Za-z0-9_.#\\[\\]-]{1,255}");
    /** Control characters, those of Latin-1 too, except tab and line ends. */
    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}&&[^\\t\\r\\n]]");

    private static final Pattern ZONE = Pattern.compile("(?:^|,)PBS_TZID=([^,\\s]+)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,8}");
    private static final Pattern STATE = Pattern.compile("RESV_[A-Z_]+");
    private static final Set<String> HOLDS_NODES = Set.of("RESV_CONFIRMED", "RESV_RUNNING", "RESV_DEGRADED");

    /** The answer of {@code pbs_rsub}: an id, and CONFIRMED, UNCONFIRMED, DENIED or "delete, wait period expired". */
    record Submitted(String id, String verdict) {}

    /**
     * A virtual node.
     *
     * @param host host that it is a part of
     * @param cores cores that jobs may have; 0 if the record names none
     * @param states the words of its state, such as {@code [offline, job-busy]}
     * @param sharing its setting for exclusive use, such as {@code default_excl}
     * @param forReservations whether the site offers it to reservations
     * @param jobs ids of the jobs on it
     * @param reservations ids of the reservations that have a part of it
     * @param properties its resources as {@code name=value}, and as {@code name} if the value is True
     * @param odd reason why the record could not be read; the node is then not used
     */
    record Vnode(
            String name,
            String host,
            int cores,
            Set<String> states,
            String sharing,
            boolean forReservations,
            Set<String> jobs,
            Set<String> reservations,
            Set<String> properties,
            Optional<String> odd) {}

    /**
     * A reservation.
     *
     * @param state the word after {@code reserve_state =}
     * @param select the requested chunks
     * @param place the requested placement, such as {@code excl}
     * @param shares nodes and cores set aside; empty while it is unconfirmed
     * @param recurrence recurrence of a standing reservation; empty for any other
     * @param odd reason why its nodes, or the whole record, could not be read; the plan then closes the nodes whose records name it
     */
    record Resv(
            String id,
            String name,
            String state,
            TimeSlot slot,
            String select,
            String place,
            List<Share> shares,
            Optional<PbsRecurrence> recurrence,
            Optional<String> odd) {}

    static boolean isReservationId(String text) {
        return RESERVATION_ID.matcher(text).matches();
    }

    /** The answer of {@code pbs_rsub}: one line, around which some sites print greetings or warnings. Two answers are refused. */
    Submitted submitted(String out) {
        var answers = new ArrayList<Submitted>();
        for (String line : OutputTable.lines(out)) {
            Matcher answer = SUBMITTED.matcher(line);
            if (answer.matches()) {
                answers.add(new Submitted(answer.group(1), answer.group(2)));
            }
        }
        if (answers.size() != 1) {
            throw new OutputFormatException(
                    "expected one line with an id and CONFIRMED or DENIED, not (" + DisplayText.lines(out) + ")");
        }
        return answers.get(0);
    }

    /** The answer of {@code pbs_ralter}: that of {@code pbs_rsub} after the name of the command. */
    Submitted altered(String out) {
        return submitted(out.replaceAll("(?m)^pbs_ralter: ", ""));
    }

    /** {@code pbs_rstat -f}, which has no JSON form. PBS has been seen to print freed memory in it. */
    List<Resv> reservations(String out) {
        return blocks(repaired(out), RESERVATION_HEAD).stream()
                .map(this::reservation)
                .toList();
    }

    /** The output with U+FFFD, which no checked value may hold, for control characters, and stray lines joined to the field before them. */
    private static String repaired(String out) {
        String text = CONTROLS.matcher(out).replaceAll("\uFFFD");
        var repaired = new StringBuilder();
        boolean begun = false;
        for (String line : text.split("(?<=\n)", -1)) {
            boolean head = RESERVATION_HEAD.matcher(line.strip()).matches();
            begun |= head;
            boolean odd = begun && !head && !line.isBlank() && !line.startsWith("\t") && !line.contains(" = ");
            repaired.append(odd ? "\t\uFFFD" : "").append(line);
        }
        return repaired.toString();
    }

    /** Blocks of fields, each of which ends with an empty line; an output without one at its end was cut short. */
    private static List<NamedFields> blocks(String out, Pattern head) {
        OutputFormatException.throwIf(
                !out.isBlank() && !out.endsWith("\n\n") && !out.endsWith("\n\r\n"), "the output is cut short");
        return OutputTable.blocks(out, head, "id");
    }

    private Resv reservation(NamedFields fields) {
        String id = fields.text("id", RESERVATION_ID);
        String state = fields.text("reserve_state");
        List<Share> shares = List.of();
        Optional<String> odd = Optional.empty();
        TimeSlot slot = new TimeSlot(Instant.EPOCH, SitePlan.NEVER);
        try {
            slot = slot(fields);
            fields.text("reserve_state", STATE);
            shares = shares(fields, "resv_nodes");
            boolean isMissing = shares.isEmpty() && HOLDS_NODES.contains(state);
            fields.refuseIf(isMissing, "resv_nodes", "there for a reservation in state " + state);
        } catch (OutputFormatException why) {
            odd = Optional.of("The record of reservation " + id + " is not understood: " + why.getMessage() + ".");
        }
        return new Resv(
                id,
                fields.find("Reserve_Name").orElse("NULL"),
                STATE.matcher(state).matches() ? state : "RESV_UNKNOWN",
                slot,
                fields.find("Resource_List.select").orElse(""),
                fields.find("Resource_List.place").orElse(""),
                shares,
                fields.find("reserve_rrule").map(rule -> PbsRecurrence.of(rule, zone(fields))),
                odd);
    }

    /** The zone of the client that asked. OpenPBS 23.06 shows it among the variables only. */
    private static Optional<String> zone(NamedFields fields) {
        Matcher variables = ZONE.matcher(fields.find("Variable_List").orElse(""));
        return fields.find("reserve_timezone")
                .or(() -> variables.find() ? Optional.of(variables.group(1)) : Optional.empty());
    }

    /** The slot of a reservation; in the hour that summer time repeats, the duration tells which of the two instants is meant. */
    private TimeSlot slot(NamedFields fields) {
        if (fields.has("reserve_duration")) {
            Duration duration = duration(fields, "reserve_duration");
            for (SiteClock.Ambiguity first : SiteClock.Ambiguity.values()) {
                for (SiteClock.Ambiguity last : SiteClock.Ambiguity.values()) {
                    Instant start = time(fields, "reserve_start", first);
                    if (!duration.isZero() && start.plus(duration).equals(time(fields, "reserve_end", last))) {
                        return TimeSlot.of(start, duration);
                    }
                }
            }
        }
        Instant start = time(fields, "reserve_start", SiteClock.Ambiguity.EARLIER);
        Instant end = time(fields, "reserve_end", SiteClock.Ambiguity.LATER);
        fields.refuseIf(!start.isBefore(end), "reserve_end", "after reserve_start");
        return new TimeSlot(start, end);
    }

    List<Vnode> nodesFromText(String out) {
        return blocks(out, NODE_HEAD).stream().map(this::vnode).toList();
    }

    Vnode vnode(NamedFields fields) {
        String name = fields.text("id", VNODE);
        fields.text("state");
        try {
            return vnode(fields, name);
        } catch (OutputFormatException why) {
            var odd = Optional.of("The record of node " + name + " is not understood: " + why.getMessage() + ".");
            Set<String> none = Set.of();
            return new Vnode(name, name, 0, Set.of("odd"), "default_shared", false, none, none, none, odd);
        }
    }

    private static Vnode vnode(NamedFields fields, String name) {
        String prefix = "resources_available.";
        boolean hasCores = fields.has(prefix + "ncpus");
        // A node that belongs to a queue is not used for reservations by the PBS scheduler.
        boolean offered = !fields.find("resv_enable").orElse("True").equals("False") && !fields.has("queue");
        return new Vnode(
                name,
                fields.has(prefix + "host") ? fields.text(prefix + "host", VNODE) : name,
                hasCores ? (int) fields.number(prefix + "ncpus", 0, Need.MOST) : 0,
                words(fields.text("state")),
                fields.find("sharing").orElse("default_shared"),
                offered,
                ids(fields.find("jobs").orElse("")),
                ids(fields.find("resv").orElse("")),
                properties(fields, prefix),
                Optional.empty());
    }

    private static Set<String> properties(NamedFields fields, String prefix) {
        var properties = new TreeSet<String>();
        for (String name : fields.names()) {
            if (name.startsWith(prefix)) {
                String resource = name.substring(prefix.length());
                String value = fields.text(name);
                properties.add(resource + "=" + value);
                if (value.equals("True")) {
                    properties.add(resource);
                }
            }
        }
        return properties;
    }

    List<PbsJob> jobsFromText(String out) {
        return blocks(out, JOB_HEAD).stream()
                .map(fields -> PbsJob.of(fields, this))
                .toList();
    }

    /**
     * The nodes of a reservation by its {@code select}, such as {@code 3:ncpus=4:bigmem=True}. As a node does, it has the property
     * {@code bigmem=True} as {@code bigmem} too.
     *
     * @param perNode shares added up by node; empty if its nodes are unknown
     */
    static Need.Nodes needOf(Resv resv, List<Share> perNode) {
        var properties = new TreeSet<String>();
        String[] parts = resv.select().split(":", -1);
        int count = NUMBER.matcher(parts[0]).matches() ? Integer.parseInt(parts[0]) : 1;
        int cores = 1;
        for (String part : parts) {
            if (part.matches("ncpus=\\d{1,8}")) {
                cores = Integer.parseInt(part.substring(6));
            } else if (part.contains("=") && !part.startsWith("mpiprocs=") && !part.startsWith("ompthreads=")) {
                properties.addAll(List.of(part, part.replaceFirst("=True$", "")));
            }
        }
        if (!perNode.isEmpty()) {
            count = perNode.size();
            cores = perNode.stream().mapToInt(Share::cores).min().orElse(1);
        }
        return new Need.Nodes(Math.max(1, count), Math.max(1, cores), properties);
    }

    Instant time(NamedFields fields, String name, SiteClock.Ambiguity ambiguity) {
        String text = BLANKS.matcher(fields.text(name).strip()).replaceAll(" ");
        try {
            return times.read(text, TIME, ambiguity);
        } catch (OutputFormatException e) {
            throw new OutputFormatException("line " + fields.line() + ": " + name + ": " + e.getMessage(), e);
        }
    }

    static Duration duration(NamedFields fields, String name) {
        Matcher clock = CLOCK.matcher(fields.text(name).strip());
        fields.refuseIf(!clock.matches(), name, "a time such as 12:30:00");
        if (clock.group(4) != null) {
            return Duration.ofSeconds(Long.parseLong(clock.group(4)));
        }
        long hours = clock.group(1) == null ? 0 : Long.parseLong(clock.group(1));
        return Duration.ofHours(hours)
                .plusMinutes(Long.parseLong(clock.group(2)))
                .plusSeconds(Long.parseLong(clock.group(3)));
    }

    /** {@code (n0:ncpus=4:mem=1gb)+(n1:ncpus=2+n2:ncpus=2)}: chunks in parentheses, which may span virtual nodes. */
    static List<Share> shares(NamedFields fields, String name) {
        String text = fields.find(name).orElse("").strip();
        var shares = new ArrayList<Share>();
        if (text.isEmpty()) {
            return shares;
        }
        for (String piece : text.split("\\+", -1)) {
            String[] parts = piece.replaceAll("^\\(|\\)$", "").split(":", -1);
            fields.refuseIf(!VNODE.matcher(parts[0]).matches(), name, "of the form (node:ncpus=n)+…");
            int cores = 0;
            for (int i = 1; i < parts.length; i++) {
                fields.refuseIf(!parts[i].matches("[A-Za-z0-9_.-]+=[^()]*"), name, "of the form (node:ncpus=n)+…");
                if (parts[i].startsWith("ncpus=")) {
                    String number = parts[i].substring(6);
                    fields.refuseIf(!NUMBER.matcher(number).matches(), name, "of the form (node:ncpus=n)+…");
                    cores = Integer.parseInt(number);
                }
            }
            shares.add(new Share(parts[0], cores));
        }
        return shares;
    }

    private static Set<String> words(String text) {
        return new TreeSet<>(List.of(text.strip().split("\\s*,\\s*", -1)));
    }

    /** Ids of jobs or reservations. The text form names each core: {@code 41.pbs/0, 41.pbs/1}. */
    private static Set<String> ids(String text) {
        var ids = new TreeSet<String>();
        for (String word : words(text)) {
            int slash = word.indexOf('/');
            String id = slash < 0 ? word : word.substring(0, slash);
            if (!id.isEmpty()) {
                ids.add(id);
            }
        }
        return ids;
    }
}
