package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** How far the DAG of a directory has come, from the files that condor_dagman leaves there. */
public enum DagProgress {
    /** Bound, and nobody has run it yet. */
    BOUND,
    /** A condor_dagman has its lock. */
    RUNNING,
    /** condor_dagman ended without finishing it; a rescue file says what is left. */
    STOPPED,
    /** Every node is done. */
    FINISHED;

    /** Left by {@code metasched dag run} where there is no condor_dagman. */
    public static final String FINISHED_MARK = "metasched-finished";

    private static final Pattern EXITED = Pattern.compile("\"exitcode\"\\s*:\\s*(-?\\d+)");
    private static final long LONGEST = 16L << 20;

    /**
     * @param directory of the bound DAG
     * @param dag name of the DAG file there
     */
    public static DagProgress of(Path directory, String dag) throws IOException {
        if (Files.exists(directory.resolve(FINISHED_MARK))) {
            return FINISHED;
        }
        if (Files.exists(directory.resolve(dag + ".lock"))) {
            return RUNNING;
        }
        Path metrics = directory.resolve(dag + ".metrics");
        if (Files.isRegularFile(metrics) && Files.size(metrics) <= LONGEST) {
            var exited = EXITED.matcher(Files.readString(metrics, StandardCharsets.UTF_8));
            return exited.find() && exited.group(1).equals("0") ? FINISHED : STOPPED;
        }
        return Files.exists(directory.resolve(dag + ".dagman.out")) ? STOPPED : BOUND;
    }
}
