package org.metasched.adapter.simulated;

import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A workload trace in the Standard Workload Format 2.2 of the Parallel Workloads Archive.
 *
 * @param name name of its file
 * @param header the comments at the top, {@code ; Key: value}, by key in lower case; a key may occur more than once
 * @param jobs in the order of the file
 */
public record SwfTrace(String name, Map<String, List<String>> header, List<Job> jobs) {

    private static final int MOST_OFFSET = ZoneOffset.MAX.getTotalSeconds();

    /**
     * One line, with the fields that are used here. An unknown value is −1; any negative run time is unknown.
     *
     * @param number field 1
     * @param submitSeconds field 2, since the beginning of the trace
     * @param runSeconds field 4
     * @param allocatedProcessors field 5
     * @param requestedProcessors field 8
     * @param requestedSeconds field 9, the user's estimate
     * @param status field 11: 1 completed, 0 failed, 5 cancelled, 2 to 4 parts of a checkpointed job
     * @param user field 12
     * @param queue field 15
     * @param partition field 16
     */
    public record Job(
            long number,
            long submitSeconds,
            long runSeconds,
            int allocatedProcessors,
            int requestedProcessors,
            long requestedSeconds,
            int status,
            long user,
            long queue,
            long partition) {

        /** Number of allocated processors, or of requested ones if that is unknown; −1 when both are. */
        public int processors() {
            return allocatedProcessors > 0 ? allocatedProcessors : requestedProcessors;
        }

        /** Whether the line is a part of a checkpointed job, which has a line of its own for all parts. */
        public boolean isPart() {
            return status >= 2 && status <= 4;
        }

        /** The same job with another number, submitted at another second. */
        public Job with(long otherNumber, long otherSecond) {
            return new Job(
                    otherNumber,
                    otherSecond,
                    runSeconds,
                    allocatedProcessors,
                    requestedProcessors,
                    requestedSeconds,
                    status,
                    user,
                    queue,
                    partition);
        }
    }

    public SwfTrace {
        jobs = List.copyOf(jobs);
    }

    /**
     * Reads a trace, through gzip when it is packed.
     *
     * @throws SwfFormatException at the first line that is broken
     * @throws IOException when the file cannot be read
     */
    public static SwfTrace read(Path file) throws IOException, SwfFormatException {
        return SwfReader.read(file);
    }

    /** Number of jobs with a run time below −1: the log that was converted had the end before the start. */
    public long impossibleRuns() {
        return jobs.stream().filter(job -> job.runSeconds() < -1).count();
    }

    /** The first value of a header comment that is a whole number, such as {@code MaxNodes}. */
    public Optional<Long> headerNumber(String key) {
        return header(key)
                .filter(value -> value.matches("-?\\d{1,18}"))
                .map(Long::valueOf)
                .findFirst();
    }

    /** The site's time zone, {@code TimeZoneString}; without it, the offset of the deprecated {@code TimeZone}; empty without both. */
    public Optional<ZoneId> zone() {
        return header("TimeZoneString")
                .filter(ZoneId.getAvailableZoneIds()::contains)
                .map(ZoneId::of)
                .findFirst()
                .or(() -> headerNumber("TimeZone")
                        .filter(seconds -> Math.abs(seconds) <= MOST_OFFSET)
                        .map(seconds -> ZoneId.ofOffset("UTC", ZoneOffset.ofTotalSeconds(seconds.intValue()))));
    }

    private Stream<String> header(String key) {
        return header.getOrDefault(key.toLowerCase(Locale.ROOT), List.of()).stream();
    }
}
