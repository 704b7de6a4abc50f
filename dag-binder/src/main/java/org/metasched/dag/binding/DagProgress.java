package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.regex.Pattern;

/** How far the DAG of a directory has come, from the files that condor_dagman, or {@code metasched dag run}, leaves there. */
public enum DagProgress {
    /** Bound, and nobody has run it yet. */
    BOUND,
    /** A condor_dagman has its lock, or its jobs are in Slurm's hands. */
    RUNNING,
    /** condor_dagman ended without finishing it; a rescue file says what is left. */
    STOPPED,
    /** Every node is done. */
    FINISHED;

    /** Left by {@code metasched dag run} where there is no condor_dagman. */
    public static final String FINISHED_MARK = "metasched-finished";

    /** The jobs that {@code metasched dag run} has submitted. */
    public static final String SLURM_JOBS = ".metasched-slurm/jobs";

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
        if (Files.exists(directory.resolve(dag + ".dagman.out"))) {
            return STOPPED;
        }
        return ofSlurm(directory, dag);
    }

    /** Whoever waited for the jobs has written a rescue file after they were submitted; without one they may still run. */
    private static DagProgress ofSlurm(Path directory, String dag) throws IOException {
        Path jobs = directory.resolve(SLURM_JOBS);
        if (!Files.isRegularFile(jobs)) {
            return BOUND;
        }
        FileTime submitted = Files.getLastModifiedTime(jobs);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                boolean isRescue = String.valueOf(file.getFileName()).startsWith(dag + ".rescue");
                if (isRescue && Files.getLastModifiedTime(file).compareTo(submitted) >= 0) {
                    return STOPPED;
                }
            }
        }
        return RUNNING;
    }
}
