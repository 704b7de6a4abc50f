package org.metasched.adapter.slurm;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.NamedFields;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.OutputTable;
import org.metasched.slots.ComputeNode;

/**
 * Reads the output of {@code sinfo} and {@code squeue}. Times are seconds since the epoch, because the commands run
 * with {@code SLURM_TIME_FORMAT=%s}. Tables are read with their heading: an empty output is no empty table. Columns
 * that hold free text (job names, comments, reasons) are never asked for.
 */
final class SlurmOutput {

    static final String NODE_FORMAT = "%N|%T|%c|%f";
    static final String JOB_FORMAT = "%A|%T|%e|%N";

    private static final List<String> NODE_COLUMNS = List.of("NODELIST", "STATE", "CPUS", "AVAIL_FEATURES");
    private static final List<String> JOB_COLUMNS = List.of("JOBID", "STATE", "END_TIME", "NODELIST");
    private static final Set<String> ENDLESS = Set.of("N/A", "NONE", "Unknown", "UNLIMITED");
    private static final Pattern JOB_ID = Pattern.compile("\\d{1,18}");
    private static final Pattern NODE_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,253}");
    private static final Pattern NODE_STATE = Pattern.compile("([a-z_]+)[*~#!%$@+^-]*");
    private static final Pattern JOB_STATE = Pattern.compile("[A-Z_]+");
    /** The latest time that is told from none: a job that ends in the 22nd century holds its nodes for ever. */
    private static final long LATEST = 0xFFFF_FFFFL;

    /** Slurm's word for a value that is not there. */
    static final String NONE = "(null)";

    /**
     * Base states in which a node serves no job and cannot be reserved. Maintenance is not among them, since such a node can be reserved
     * from the end of the maintenance reservation on.
     */
    static final Set<String> OUT_OF_SERVICE =
            Set.of(("down drain drained draining error fail failing failed future perfctrs unknown unk inval"
                            + " blocked powered_down_failed no_respond not_responding invalid invalid_reg")
                    .split(" "));

    private SlurmOutput() {}

    /**
     * A node of the partition.
     *
     * @param usable whether it has cores, answers, and is neither down nor drained nor failing
     * @param state the state as Slurm prints it, with its flags
     */
    record NodeLine(ComputeNode node, boolean usable, String state) {

        boolean inMaintenance() {
            return state.startsWith("maint");
        }
    }

    /**
     * A job that waits or holds nodes.
     *
     * @param end instant of its time limit; empty if it has none
     * @param nodes names of the nodes that it holds
     */
    record JobLine(String id, String state, Optional<Instant> end, List<String> nodes) {
        boolean waits() {
            return state.equals("PENDING");
        }
    }

    /**
     * Rows of a listing, read one by one.
     *
     * @param rows the records that could be read
     * @param odd a line for the admin about each record that could not be read
     */
    record Table<T>(List<T> rows, List<String> odd) {

        /** Reads records; an odd row hides no other row. More odd rows than good ones mean that the output is of another program. */
        static <S, T> Table<T> of(Iterable<S> records, String kind, Function<S, T> reader) {
            var rows = new ArrayList<T>();
            var odd = new ArrayList<String>();
            for (S record : records) {
                try {
                    rows.add(reader.apply(record));
                } catch (OutputFormatException why) {
                    odd.add("A row of " + kind + " is odd: " + why.getMessage() + ".");
                }
            }
            if (odd.size() > rows.size()) {
                throw new OutputFormatException(odd.size() + " rows cannot be read, such as: " + odd.get(0));
            }
            return new Table<>(rows, odd);
        }

        /** The wanted rows, and all that could not be read. */
        Table<T> only(Predicate<T> wanted) {
            return new Table<>(rows.stream().filter(wanted).toList(), odd);
        }

        /**
         * This table, if it has rows.
         *
         * @throws Misconfigured when it has none, since Slurm prints no error for an unknown partition
         */
        Table<T> requireRows(SiteId site, String partition) throws Misconfigured {
            if (rows.isEmpty()) {
                throw new Misconfigured(
                        "Site " + site + ": the partition (" + partition
                                + ") has no nodes.\nMaybe its name is misspelled; \"scontrol show partition\" lists what there is.");
            }
            return this;
        }
    }

    /**
     * {@code sinfo -N -o} {@value #NODE_FORMAT}. A node is listed once for each of its partitions, so one partition is
     * asked for. A row that cannot be read is a node that cannot be used.
     */
    static Table<NodeLine> nodes(String output) {
        return table(output, NODE_COLUMNS, SlurmOutput::node);
    }

    static NodeLine node(NamedFields row) {
        Matcher state = NODE_STATE.matcher(row.text("STATE"));
        row.refuseIf(!state.matches(), "STATE", "the state of a node");
        int cores = (int) row.number("CPUS", 0, 1_000_000);
        boolean answers = row.text("STATE").indexOf('*') < 0;
        boolean usable = cores > 0 && answers && !OUT_OF_SERVICE.contains(state.group(1));
        var features = features(row.text("AVAIL_FEATURES"));
        var node = new ComputeNode(row.text("NODELIST", NODE_NAME), Math.max(1, cores), features);
        return new NodeLine(node, usable, row.text("STATE"));
    }

    /** {@code squeue -o} {@value #JOB_FORMAT}, without the tasks of an array that wait: they are one row. */
    static Table<JobLine> jobs(String output) {
        return table(output, JOB_COLUMNS, SlurmOutput::job);
    }

    static JobLine job(NamedFields row) {
        boolean ends = !ENDLESS.contains(row.text("END_TIME")) && row.number("END_TIME", 0, Long.MAX_VALUE) <= LATEST;
        String nodes = row.text("NODELIST");
        return new JobLine(
                row.text("JOBID", JOB_ID),
                row.text("STATE", JOB_STATE),
                ends ? Optional.of(Instant.ofEpochSecond(row.number("END_TIME", 0, LATEST))) : Optional.empty(),
                nodes.isEmpty() || nodes.equals(NONE) ? List.of() : HostList.expand(nodes));
    }

    private static <T> Table<T> table(String output, List<String> columns, Function<NamedFields, T> reader) {
        String heading = String.join("|", columns);
        if (!output.startsWith(heading + "\n") || !output.endsWith("\n")) {
            throw new OutputFormatException("expected a table that begins with " + heading + " and whole lines, not ("
                    + DisplayText.of(output) + ")");
        }
        List<String> lines = OutputTable.lines(output);
        var numbers = IntStream.range(1, lines.size())
                .filter(i -> !lines.get(i).isBlank())
                .boxed()
                .toList();
        return Table.of(numbers, columns.get(0), i -> reader.apply(OutputTable.row(i + 1, columns, lines.get(i), "|")));
    }

    static Set<String> features(String text) {
        return Stream.of(text.equals(NONE) ? new String[0] : text.split("[,&]"))
                .map(String::strip)
                .filter(feature -> !feature.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
