package org.metasched.simulation.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.metasched.simulation.result.RunFiles;
import org.metasched.simulation.result.RunJson;
import org.metasched.simulation.result.WeekSums;

/** A run that is complete, read from its folder. */
public record CompletedRun(Path folder, JsonNode figures) {

    /**
     * Reads the run in a folder.
     *
     * @throws IOException when the folder does not hold a complete run; the message says so
     */
    public static CompletedRun read(Path folder) throws IOException {
        var file = folder.resolve(RunFiles.FIGURES);
        if (!Files.isRegularFile(file)) {
            throw new IOException(
                    "The folder " + folder + " holds no complete run: there is no " + RunFiles.FIGURES + " in it.");
        }
        return new CompletedRun(folder, RunJson.read(file));
    }

    /**
     * The run in a folder, or else the runs in its subfolders in the order of their names.
     *
     * @throws IOException when there is no complete run
     */
    public static List<CompletedRun> readAll(Path folder) throws IOException {
        if (RunFiles.isComplete(folder) || !Files.isDirectory(folder)) {
            return List.of(read(folder));
        }
        var runs = new ArrayList<CompletedRun>();
        try (Stream<Path> inside = Files.list(folder)) {
            for (var subfolder : inside.filter(RunFiles::isComplete).sorted().toList()) {
                runs.add(read(subfolder));
            }
        }
        if (runs.isEmpty()) {
            throw new IOException("The folder " + folder + " holds no complete run.");
        }
        return runs;
    }

    public String name() {
        return String.valueOf(folder.getFileName());
    }

    /** Settings that were altered on the command line, by path, and the policy; without the seed. */
    public Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        figures.path("parameters")
                .properties()
                .forEach(
                        entry -> parameters.put(entry.getKey(), entry.getValue().asText()));
        parameters.remove("seed");
        parameters.putIfAbsent("policy", figures.path("policy").asText());
        return parameters;
    }

    List<String> sites() {
        return figures.path("sites").properties().stream()
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The figure at a dotted path, such as {@code local.slowdown}; empty if the run has none. */
    public OptionalDouble figure(String path) {
        var node = at(figures, path);
        return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
    }

    /** The weekly sums of the figure of local jobs at a dotted path; empty for other figures. */
    Optional<WeekSums> weeks(String path) {
        var weeks = at(figures, path.substring(0, path.lastIndexOf('.'))).path("weeks");
        var sums = weeks.path(path.substring(path.lastIndexOf('.') + 1));
        return sums.isArray()
                ? Optional.of(new WeekSums(numbers(weeks.path("jobs")), numbers(sums)))
                : Optional.empty();
    }

    private static List<Double> numbers(JsonNode array) {
        return array.valueStream().map(JsonNode::asDouble).toList();
    }

    /** The node at a dotted path. Names of sites may have dots, so the longest key that matches counts. */
    private static JsonNode at(JsonNode node, String path) {
        if (node.has(path)) {
            return node.path(path);
        }
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            if (node.has(path.substring(0, dot))) {
                return at(node.path(path.substring(0, dot)), path.substring(dot + 1));
            }
        }
        return MissingNode.getInstance();
    }

    /** Waits of the local jobs that were measured, in seconds. */
    double[] localWaits() throws IOException {
        return waits(RunFiles.LOCAL, Map.of("measured", "1"));
    }

    /** Waits of the meta-jobs that were measured, granted, and wanted to start as soon as possible, in seconds. */
    double[] metaWaits() throws IOException {
        return waits(RunFiles.META, Map.of("measured", "1", "outcome", "granted", "given_start", "-1"));
    }

    /** The waits in the lines that have these values in these columns. */
    private double[] waits(String file, Map<String, String> wanted) throws IOException {
        var waits = DoubleStream.builder();
        read(file, Set.of("wait", "measured"), row -> {
            if (row.entrySet().containsAll(wanted.entrySet())) {
                waits.add(Long.parseLong(row.getOrDefault("wait", "")));
            }
        });
        return waits.build().toArray();
    }

    /**
     * Reads a file of the run: gives each line as texts by the names of the columns.
     *
     * @param needed columns that the file must have
     */
    void read(String file, Set<String> needed, Consumer<Map<String, String>> reader) throws IOException {
        var path = folder.resolve(file);
        int number = 1;
        try (BufferedReader in = Files.newBufferedReader(path)) {
            var columns = String.valueOf(in.readLine()).split(",");
            if (!Arrays.asList(columns).containsAll(needed)) {
                throw new IOException(path + ":1:1: this is not the header of a run's file.");
            }
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                var fields = line.split(",", -1);
                var row = new HashMap<String, String>();
                for (int i = 0; i < Math.min(columns.length, fields.length); i++) {
                    row.put(columns[i], fields[i]);
                }
                reader.accept(row);
            }
        } catch (NumberFormatException e) {
            throw new IOException(path + ":" + number + ": this is no line of a run's file.", e);
        }
    }
}
