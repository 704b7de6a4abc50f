package org.metasched.simulation.result;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.durable.AtomicFile;
import org.metasched.simulation.scenario.Scenario;

/**
 * Files of a run: {@code run.json}, {@code local-jobs.csv}, {@code meta-jobs.csv}. They are written to a folder whose name ends in
 * {@value #PARTIAL}, and which is renamed once all is written; so a folder without that ending is complete.
 */
public final class RunFiles {

    public static final String FIGURES = "run.json";
    public static final String LOCAL = "local-jobs.csv";
    public static final String META = "meta-jobs.csv";
    /** The end of the name of a folder that is not complete. */
    public static final String PARTIAL = ".partial";

    /** The eighteen fields of the Standard Workload Format; times are seconds of the run. */
    static final String SWF_COLUMNS =
            "job,submit,wait,run,allocated,cpu,memory,requested,estimate,requested_memory,status,user,"
                    + "group,executable,queue,partition,preceding,think";

    private static final int SWF_FIELDS = 18;
    private static final String LOCAL_HEADER = SWF_COLUMNS + ",site,measured,start,end,slowdown,start_without,delay\n";

    private RunFiles() {}

    /** Eighteen fields, all of them -1: the format's value for unknown. */
    static long[] unknown() {
        long[] fields = new long[SWF_FIELDS];
        Arrays.fill(fields, -1);
        return fields;
    }

    /** A line of a file, with its line break. */
    static String line(long[] fields, Object... more) {
        return Stream.concat(
                        Arrays.stream(fields).mapToObj(Long::toString),
                        Arrays.stream(more).map(String::valueOf))
                .collect(Collectors.joining(",", "", "\n"));
    }

    /** Whether a folder has the files of a complete run. */
    public static boolean isComplete(Path folder) {
        return Files.isRegularFile(folder.resolve(FIGURES));
    }

    /**
     * Marks a run as begun: makes its folder, empty, under the name of one that is not complete.
     *
     * @throws IOException when the folder cannot be made; the message names it
     */
    public static void begin(Path folder) throws IOException {
        var partial = partial(folder);
        try {
            delete(partial);
            Files.createDirectories(partial);
        } catch (IOException e) {
            throw unwritten(partial, e);
        }
    }

    private static Path partial(Path folder) {
        return folder.resolveSibling(folder.getFileName() + PARTIAL);
    }

    private static IOException unwritten(Path partial, IOException e) {
        String why = e instanceof FileSystemException file
                ? " to " + file.getFile() + ": "
                        + (file.getReason() == null ? e.getClass().getSimpleName() : file.getReason())
                : ": " + e.getMessage();
        return new IOException(
                "The results cannot be written" + why + ". What there is of them is in " + partial + ".", e);
    }

    /**
     * Writes all files, or none under the folder's name.
     *
     * @param baseline records of the same sites without meta-jobs; empty if they were not run so
     * @throws IOException when the disk is full or the folder cannot be made; the message names the file
     */
    public static void write(
            Path folder, Scenario scenario, RunRecords records, Optional<RunRecords> baseline, ObjectNode figures)
            throws IOException {
        begin(folder);
        var partial = partial(folder);
        try {
            writeLocal(partial.resolve(LOCAL), scenario, records, baseline);
            try (var out = Files.newBufferedWriter(partial.resolve(META))) {
                out.write(MetaLine.HEADER + "\n");
                for (var record : records.meta()) {
                    out.write(MetaLine.of(scenario, record));
                }
            }
            Files.writeString(partial.resolve(FIGURES), RunJson.text(figures));
            AtomicFile.move(partial, folder);
        } catch (IOException e) {
            throw unwritten(partial, e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void writeLocal(Path file, Scenario scenario, RunRecords records, Optional<RunRecords> baseline)
            throws IOException {
        var before = baseline.map(RunRecords::byJob).orElse(Map.of());
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(LOCAL_HEADER);
            for (var job : records.local()) {
                var same = before.get(job.job());
                out.write(line(scenario, job, same == null ? -1 : same.start()));
            }
        }
    }

    private static String line(Scenario scenario, LocalRecord job, long startWithout) {
        // Indexes are the field numbers of the format less one.
        long[] swf = unknown();
        swf[0] = job.job().number();
        swf[1] = job.submitted();
        swf[2] = job.waited();
        swf[3] = job.end() - job.start();
        swf[4] = job.job().nodes();
        swf[7] = job.job().nodes();
        swf[8] = job.job().estimateSeconds();
        swf[10] = 1;
        boolean isMeasured = scenario.measures(scenario.begin().plusSeconds(job.submitted()));
        return line(
                swf,
                scenario.sites().get(job.site()).id(),
                isMeasured ? 1 : 0,
                job.start(),
                job.end(),
                RunJson.decimal(job.boundedSlowdown()).toPlainString(),
                startWithout,
                startWithout < 0 ? 0 : job.start() - startWithout);
    }
}
