package org.metasched.adapter;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A program to run inside a reservation: the content of a JSDL application. Its texts hold no control characters.
 *
 * @param executable a path, or a name that the site's {@code PATH} knows
 * @param environment variables by name, in their order
 * @param directory working directory, relative to the job's own directory; empty for the job's own
 * @param input file for standard input; empty for none
 * @param output file for standard output; empty for {@code stdout} in the job's directory
 * @param error file for standard error; empty for {@code stderr} in the job's directory
 * @param processes number of processes at this site, at least 1
 * @param perNode processes on each node, or 0 to spread them evenly
 * @param limits limits of each process, in the units of {@link Limit}
 * @param transfers files brought before it starts and taken away after it ends
 * @param together longest time for which processes wait until all parts of the agreement run; empty if they do not wait
 * @param sweep the instances of a parametric program, each a process that runs once; then {@code processes} is their number, and
 *     {@code perNode} how many run on a node at once. Only the command, environment, directory and streams of an instance are used
 */
public record Program(
        String executable,
        List<String> arguments,
        Map<String, String> environment,
        Optional<String> directory,
        Optional<String> input,
        Optional<String> output,
        Optional<String> error,
        int processes,
        int perNode,
        Map<Limit, Long> limits,
        List<Transfer> transfers,
        Optional<Duration> together,
        List<Program> sweep) {

    /** The longest argument, path or value, in characters. */
    public static final int LONGEST = 8192;

    /** The most arguments, variables, transfers or instances of one program. */
    public static final int MOST = 1000;

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

    /** Limits of the system for each process, by the letter of {@code ulimit}. */
    public enum Limit {
        /** Processor time in seconds. */
        CPU_TIME('t', 1),
        /** Size in bytes, like all that follow except the last two, which are counts. */
        FILE_SIZE('f', 512),
        CORE_DUMP('c', 512),
        DATA_SEGMENT('d', 1024),
        STACK_SIZE('s', 1024),
        LOCKED_MEMORY('l', 1024),
        MEMORY('m', 1024),
        VIRTUAL_MEMORY('v', 1024),
        OPEN_DESCRIPTORS('n', 1),
        PROCESS_COUNT('u', 1);

        private final char letter;
        private final int unit;

        Limit(char letter, int unit) {
            this.letter = letter;
            this.unit = unit;
        }

        public char letter() {
            return letter;
        }

        /** The amount in the unit that {@code ulimit} counts in, rounded up. */
        public long inUnits(long amount) {
            return amount / unit + (amount % unit == 0 ? 0 : 1);
        }
    }

    /**
     * One file that is brought or taken away.
     *
     * @param name path of the file, relative to the job's directory
     * @param source place from which it is brought before the job starts; empty if it is not brought
     * @param target place to which it is taken after the job ended; empty if it is not taken away
     * @param append whether it is appended to a file that is there already
     * @param keep whether a file that is there already stays as it is
     * @param delete whether it is removed after the job
     */
    public record Transfer(
            String name, Optional<URI> source, Optional<URI> target, boolean append, boolean keep, boolean delete) {

        public Transfer {
            checkText("file to transfer", name);
            if (name.isBlank()
                    || name.startsWith("/")
                    || List.of(name.split("/")).contains("..")) {
                throw new IllegalArgumentException("The file to transfer (" + DisplayText.of(name)
                        + ") must be a path below the job's directory.");
            }
        }
    }

    public Program {
        checkText("executable", executable);
        if (executable.isBlank() || executable.startsWith("-")) {
            throw new IllegalArgumentException(
                    "The executable (" + DisplayText.of(executable) + ") must be a path or a name of a program.");
        }
        arguments = List.copyOf(arguments);
        checkNumber("arguments", arguments.size());
        arguments.forEach(argument -> checkText("argument", argument));
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        checkNumber("variables", environment.size());
        environment.keySet().forEach(name -> {
            if (!VARIABLE.matcher(name).matches()) {
                throw new IllegalArgumentException("The name of an environment variable (" + DisplayText.of(name)
                        + ") must be letters, digits and '_', not beginning with a digit.");
            }
        });
        environment.values().forEach(value -> checkText("value of an environment variable", value));
        for (var path : List.of(directory, input, output, error)) {
            path.ifPresent(text -> checkText("path", text));
        }
        if (processes < 1 || processes > Need.MOST || perNode < 0 || perNode > Need.MOST) {
            throw new IllegalArgumentException("The number of processes (" + processes + ", " + perNode
                    + " on each node) must be from 1 (on each node: 0) to " + Need.MOST + ".");
        }
        limits = Map.copyOf(limits);
        transfers = List.copyOf(transfers);
        checkNumber("files to transfer", transfers.size());
        sweep = List.copyOf(sweep);
        checkNumber("instances of a sweep", sweep.size());
        if (!sweep.isEmpty() && (processes != sweep.size() || sweep.stream().anyMatch(run -> run.processes > 1))) {
            throw new IllegalArgumentException("A sweep of " + sweep.size() + " instances must have " + sweep.size()
                    + " processes, and each instance one; the sweep has " + processes + ", its instances have "
                    + sweep.stream().mapToInt(Program::processes).sum() + ".");
        }
    }

    /** A program of one process on the first node, with the usual standard files, and without variables, limits or transfers. */
    public static Program of(String executable, List<String> arguments) {
        var none = Optional.<String>empty();
        return new Program(
                executable,
                arguments,
                Map.of(),
                none,
                none,
                none,
                none,
                1,
                0,
                Map.of(),
                List.of(),
                Optional.empty(),
                List.of());
    }

    /**
     * One program with these instances, which transfers the files of all.
     *
     * @param instances at least one
     * @param atOnce number of instances that run on a node at once
     */
    public static Program swept(List<Program> instances, int atOnce) {
        var transfers = instances.stream()
                .flatMap(instance -> instance.transfers.stream())
                .distinct()
                .toList();
        var first = instances.get(0);
        return first.with(first.environment, first.output, instances.size(), atOnce, transfers, instances);
    }

    /** The programs to run: itself, or each instance. */
    public List<Program> instances() {
        return sweep.isEmpty() ? List.of(this) : sweep;
    }

    /** The program with more variables, for each instance too; they replace those of the same name. */
    public Program with(Map<String, String> variables) {
        var all = new LinkedHashMap<>(environment);
        all.putAll(variables);
        return with(all, output, processes, perNode, transfers, sweep);
    }

    /**
     * The program with another number of processes.
     *
     * @param onNode processes on each node, or 0 to spread them evenly
     */
    public Program with(int count, int onNode) {
        return with(environment, output, count, onNode, transfers, sweep);
    }

    /** The program with another file for standard output, empty for the usual one, and with other transfers. */
    public Program with(Optional<String> file, List<Transfer> files) {
        return with(environment, file, processes, perNode, files, sweep);
    }

    private Program with(
            Map<String, String> variables,
            Optional<String> file,
            int count,
            int onNode,
            List<Transfer> files,
            List<Program> instances) {
        return new Program(
                executable,
                arguments,
                variables,
                directory,
                input,
                file,
                error,
                count,
                onNode,
                limits,
                files,
                together,
                instances);
    }

    private static void checkNumber(String what, int count) {
        if (count > MOST) {
            throw new IllegalArgumentException(
                    "The number of " + what + " (" + count + ") must not be more than " + MOST + ".");
        }
    }

    private static void checkText(String what, String text) {
        if (text.length() > LONGEST || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The " + what + " (" + DisplayText.of(text) + ") must be at most "
                    + LONGEST + " characters, none of them a control character.");
        }
    }
}
