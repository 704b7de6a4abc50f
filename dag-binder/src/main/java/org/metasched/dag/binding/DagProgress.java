package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Progress of the DAG in a directory, from the files that condor_dagman, or {@code metasched dag run}, leaves there. */
public enum DagProgress {
    /** Bound, and not run yet. */
    BOUND,
    /** A condor_dagman has its lock, or a run on Slurm has begun or is to begin, and has not ended. */
    RUNNING,
    /** The run ended without success. */
    STOPPED,
    /** The run ended with success: condor_dagman with exit code 0, or {@link #FINISHED_MARK} is there. */
    FINISHED;

    /** The empty file that {@code metasched dag run} leaves in the directory of a finished DAG. */
    public static final String FINISHED_MARK = "metasched-finished";

    /** The file with the name of Slurm's job that is to run the DAG; it is renamed once the run has ended. */
    public static final String SLURM_RUNNER = ".metasched-slurm/runner";

    /** The file of a run's journal; it is renamed once the run has ended. */
    public static final String SLURM_JOURNAL = ".metasched-slurm/journal";

    private static final Pattern SUCCESS = Pattern.compile("\"exitcode\"\\s*:\\s*0\\b");
    /** The DagStatus of a removed DAG, or of a halted one: then the exit code is that of FINAL. */
    private static final Pattern GIVEN_UP = Pattern.compile("\"DagStatus\"\\s*:\\s*[46]\\b");

    private static final long MOST_METRICS_BYTES = 16L << 20;

    /** @param dag name of the DAG file in the directory of the bound DAG */
    public static DagProgress of(Path directory, String dag) throws IOException {
        if (Files.exists(directory.resolve(FINISHED_MARK))) {
            return FINISHED;
        }
        if (Files.exists(directory.resolve(dag + ".lock"))) {
            return RUNNING;
        }
        Path metrics = directory.resolve(dag + ".metrics");
        if (Files.isRegularFile(metrics) && Files.size(metrics) <= MOST_METRICS_BYTES) {
            String text = new String(Files.readAllBytes(metrics), StandardCharsets.UTF_8);
            if (SUCCESS.matcher(text).find() && !GIVEN_UP.matcher(text).find()) {
                return FINISHED;
            }
        }
        if (Stream.of(SLURM_JOURNAL, SLURM_RUNNER).anyMatch(name -> Files.exists(directory.resolve(name)))
                && !isOfCondor(directory, dag)) {
            return RUNNING;
        }
        return stoppedSince(directory, dag).isPresent() ? STOPPED : BOUND;
    }

    /** Whether the last run of a DAG is one of condor_dagman, by the times of the files: the DAG may have run on Slurm before or after. */
    public static boolean isOfCondor(Path directory, String dag) throws IOException {
        var condors = newest(directory, List.of(dag + ".metrics", dag + ".dagman.out"));
        var slurms = newest(directory, List.of(SLURM_JOURNAL, SLURM_RUNNER, SLURM_JOURNAL + ".ended"));
        return Files.exists(directory.resolve(dag + ".lock"))
                || condors.isPresent() && slurms.filter(condors.get()::isBefore).isEmpty();
    }

    /** The instant at which the last run of a DAG stopped, from the times of its files; empty if no run has left any. */
    public static Optional<Instant> stoppedSince(Path directory, String dag) throws IOException {
        return newest(directory, List.of(dag + ".metrics", dag + ".dagman.out", SLURM_JOURNAL + ".ended"));
    }

    private static Optional<Instant> newest(Path directory, List<String> names) throws IOException {
        Optional<Instant> newest = Optional.empty();
        for (String name : names) {
            try {
                Instant written =
                        Files.getLastModifiedTime(directory.resolve(name)).toInstant();
                newest = newest.filter(written::isBefore).or(() -> Optional.of(written));
            } catch (NoSuchFileException e) {
                // It may have been renamed just now, as a run has ended; the new name comes later.
            }
        }
        return newest;
    }
}
