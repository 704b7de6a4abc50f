package org.metasched.simulation.sweep;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.metasched.adapter.Sha256Digest;
import org.metasched.simulation.result.RunFiles;
import org.metasched.simulation.result.RunJson;
import org.metasched.simulation.scenario.Scenario;

/**
 * Digest by which the run in a folder is recognised: over the scenario file, its alterations, the rules of its sites and the sizes of its
 * traces.
 */
public final class RunFingerprint {

    /** The key in {@code run.json}. */
    public static final String KEY = "fingerprint";

    private RunFingerprint() {}

    /**
     * The fingerprint of a run.
     *
     * @param scenario the scenario file
     * @param read the scenario as read from the file, with alterations
     * @param traces files of its traces by the names or paths that it uses for them
     * @throws IOException when a file cannot be read
     */
    public static String of(Path scenario, Scenario read, Map<String, Path> traces) throws IOException {
        var text = new StringBuilder(Files.readString(scenario));
        read.sites().forEach(site -> site.policy().ifPresent(text::append));
        new TreeMap<>(read.parameters())
                .forEach((path, value) ->
                        text.append('\n').append(path).append('=').append(value));
        for (var trace : new TreeMap<>(traces).entrySet()) {
            long size = Files.exists(trace.getValue()) ? Files.size(trace.getValue()) : -1;
            text.append('\n').append(trace.getKey()).append(' ').append(size);
        }
        var digest = Sha256Digest.of(text.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest).substring(0, 32);
    }

    /** Whether the folder is complete and holds that run. */
    public static boolean isIn(Path folder, String fingerprint) throws IOException {
        return RunFiles.isComplete(folder)
                && RunJson.read(folder.resolve(RunFiles.FIGURES))
                        .path(KEY)
                        .asText()
                        .equals(fingerprint);
    }
}
