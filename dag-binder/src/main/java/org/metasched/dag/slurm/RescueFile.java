package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.dag.run.RescueState;
import org.metasched.durable.AtomicFile;

/**
 * Rescue files as condor_dagman keeps them: {@code NAME.rescue001} and so on beside the DAG, of which the one with the highest number
 * counts. Each names the nodes that are done, so that condor_dagman and metasched resume where the other stopped.
 */
public final class RescueFile {

    /** The number of rescue files that condor_dagman keeps by default; the last is then overwritten. */
    private static final int MOST = 100;

    private static final DateTimeFormatter CREATED = DateTimeFormatter.ofPattern(
                    "MM/dd/uuuu HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private RescueFile() {}

    /** The rescue file with the highest number, if there is any. */
    public static Optional<Path> newest(Path dag) {
        int last = last(dag);
        return last == 0 ? Optional.empty() : Optional.of(numbered(dag, last));
    }

    /** The highest number of a rescue file; 0 if there is none. */
    private static int last(Path dag) {
        int last = MOST;
        while (last > 0 && !Files.exists(numbered(dag, last))) {
            last--;
        }
        return last;
    }

    private static Path numbered(Path dag, int number) {
        return dag.resolveSibling(dag.getFileName() + String.format(Locale.ROOT, ".rescue%03d", number));
    }

    /**
     * The names of the nodes that are done, as a rescue file says.
     *
     * @throws IOException if the file cannot be read or has other commands too
     */
    public static Set<String> doneNodes(Path file) throws IOException {
        Set<String> done = new LinkedHashSet<>();
        int number = 0;
        for (String line : RunFolder.lines(file)) {
            number++;
            // A name in quotes may have blanks.
            String[] words = line.strip().split("[ \\t]+", 2);
            if (words[0].isEmpty() || words[0].startsWith("#") || words[0].equalsIgnoreCase("RETRY")) {
                // Retries start anew, as with DAGMAN_RESET_RETRIES_UPON_RESCUE.
                continue;
            }
            if (!words[0].equalsIgnoreCase("DONE") || words.length != 2) {
                throw new IOException(file + ":" + number + ": A rescue file says which nodes are DONE, not ("
                        + words[0] + ").\nMaybe it is a whole DAG, as condor wrote them before 2011.");
            }
            done.add(words[1]);
        }
        return done;
    }

    /**
     * The nodes that a rescue file lists as failed, in comment lines up to {@code <ENDLIST>}. A failure of a PRE script or of a submission
     * has no other trace.
     */
    public static Set<String> failedNodes(Path file) throws IOException {
        return RunFolder.lines(file).stream()
                .dropWhile(line -> !line.startsWith("# Nodes that failed:"))
                .skip(1)
                .takeWhile(line -> line.startsWith("#"))
                .flatMap(line -> Stream.of(line.substring(1).strip().split("\\s*,\\s*")))
                .takeWhile(word -> !word.equals("<ENDLIST>"))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The rescue file to be written next: the one after the last, or the last of the {@value #MOST}. */
    static Path next(Path dag) {
        return numbered(dag, Math.min(last(dag) + 1, MOST));
    }

    /** @param nodes number of nodes of the DAG */
    static void write(Path target, Path dag, Clock clock, int nodes, RescueState state) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("# Rescue DAG file, created after running");
        lines.add("#   the " + dag.getFileName() + " DAG file");
        lines.add("# Created " + CREATED.format(clock.instant()));
        lines.add("# Rescue DAG version: 2.1.0");
        lines.add("#");
        lines.add("# Total number of Nodes: " + nodes);
        lines.add("# Nodes premarked DONE: " + state.done().size());
        lines.add("# Nodes that failed: " + state.failed().size());
        state.failed().forEach(name -> lines.add("#   " + name + ","));
        lines.add("#   <ENDLIST>");
        lines.add("");
        state.done().forEach(name -> lines.add("DONE " + name));
        AtomicFile.replace(target, String.join("\n", lines) + "\n");
    }
}
