package org.metasched.simulation.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.metasched.simulation.result.RunFiles;
import org.metasched.simulation.result.RunJson;

/** A run that is complete, read from its folder. */
public record CompletedRun(Path folder, JsonNode figures) {

    /** @throws IOException when the folder does not hold a complete run; the message says so */
    public static CompletedRun read(Path folder) throws IOException {
        var file = folder.resolve(RunFiles.FIGURES);
        if (!Files.isRegularFile(file)) {
            throw new IOException(
                    "The folder " + folder + " holds no complete run: there is no " + RunFiles.FIGURES + " in it.");
        }
        return new CompletedRun(folder, RunJson.read(file));
    }

    /** The folder's run, or those in it one level deeper, by name. */
    public static List<CompletedRun> readAll(Path folder) throws IOException {
        if (RunFiles.isComplete(folder) || !Files.isDirectory(folder)) {
            return List.of(read(folder));
        }
        var runs = new ArrayList<CompletedRun>();
        try (Stream<Path> inside = Files.list(folder)) {
            for (var one : inside.filter(RunFiles::isComplete).sorted().toList()) {
                runs.add(read(one));
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

    /** What was altered, and the policy; without the seed. */
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

    /** @param path dotted, such as {@code local.slowdown} */
    public OptionalDouble figure(String path) {
        JsonNode node = figures;
        for (var step : path.split("\\.")) {
            node = node.path(step);
        }
        return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
    }

    /** Waits of the local jobs that were measured, in seconds. */
    double[] localWaits() throws IOException {
        return waits(RunFiles.LOCAL, Map.of("measured", "1"));
    }

    /** Waits of the meta-jobs that were measured, granted, and wanted to start as soon as possible. */
    double[] metaWaits() throws IOException {
        return waits(RunFiles.META, Map.of("measured", "1", "outcome", "granted", "given_start", "-1"));
    }

    /** Of the lines that have these values in these columns. */
    private double[] waits(String file, Map<String, String> wanted) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(folder.resolve(file))) {
            var header = Arrays.asList(String.valueOf(in.readLine()).split(","));
            if (!header.contains("wait") || !header.containsAll(wanted.keySet())) {
                throw new IOException(folder.resolve(file) + ":1:1: this is not the header of a run's file.");
            }
            return in.lines()
                    .map(line -> line.split(",", -1))
                    .filter(fields -> fields.length == header.size()
                            && wanted.entrySet().stream()
                                    .allMatch(one -> fields[header.indexOf(one.getKey())].equals(one.getValue())))
                    .mapToDouble(fields -> Double.parseDouble(fields[header.indexOf("wait")]))
                    .toArray();
        }
    }
}
