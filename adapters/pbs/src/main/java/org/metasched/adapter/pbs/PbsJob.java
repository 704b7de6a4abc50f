package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.adapter.command.NamedFields;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.SiteClock;

/**
 * A job, or an array of jobs as a whole.
 *
 * @param inReservation whether it runs in a reservation
 * @param place the requested {@code place}, or an empty text
 * @param shares parts of nodes on which it runs; empty for an array, whose record does not tell them
 * @param latestEnd start plus wall-clock limit, if it has both
 * @param limit wall-clock limit of the job, or of each job of the array
 * @param cores number of cores of the job, or of each job of the array
 * @param odd reason why the record could not be read; empty if it could
 */
record PbsJob(
        String id,
        String state,
        boolean inReservation,
        String place,
        List<Share> shares,
        Optional<Instant> latestEnd,
        Optional<Duration> limit,
        int cores,
        Optional<String> odd) {

    private static final Pattern ID = Pattern.compile("\\d+(\\[\\d*\\])?(\\.[A-Za-z0-9._-]+)?");
    private static final Pattern STATE = Pattern.compile("[A-Z]");
    private static final Pattern SUBJOB = Pattern.compile("(\\d+\\[)\\d+(\\].*)");
    private static final String LIMIT = "Resource_List.walltime";
    private static final String PLACE = "Resource_List.place";
    private static final String CORES = "Resource_List.ncpus";
    /**
     * Keys of a job that are read. The rest is skipped: variables, arguments and names are the user's, and of any length.
     */
    static final Set<String> KEYS =
            Set.of("job_state", "reserve_ID", "exec_vnode", "stime", "Resource_List.", LIMIT, PLACE, CORES);

    /** The array that a job belongs to, if its id says that it does: {@code 7[]} for {@code 7[3]}. */
    static Optional<String> arrayOf(String id) {
        var matcher = SUBJOB.matcher(id);
        return matcher.matches() ? Optional.of(matcher.group(1) + matcher.group(2)) : Optional.empty();
    }

    /**
     * Reads a job.
     *
     * @throws OutputFormatException when the fields are not those of a job at all
     */
    static PbsJob of(NamedFields fields, PbsOutput output) {
        fields.text("job_state");
        try {
            return read(fields, output);
        } catch (OutputFormatException why) {
            String id = fields.text("id");
            String odd = "The record of job " + DisplayText.of(id) + " is not understood: " + why.getMessage() + ".";
            return new PbsJob(id, "?", false, "", List.of(), Optional.empty(), Optional.empty(), 0, Optional.of(odd));
        }
    }

    private static PbsJob read(NamedFields fields, PbsOutput output) {
        Optional<Duration> limit =
                fields.has(LIMIT) ? Optional.of(PbsOutput.duration(fields, LIMIT)) : Optional.empty();
        Optional<Instant> end = Optional.empty();
        if (fields.has("stime") && limit.isPresent()) {
            end = Optional.of(
                    output.time(fields, "stime", SiteClock.Ambiguity.LATER).plus(limit.get()));
        }
        List<Share> shares = PbsOutput.shares(fields, "exec_vnode");
        fields.refuseIf(
                shares.isEmpty() && fields.text("job_state").equals("R"), "exec_vnode", "there for a running job");
        return new PbsJob(
                fields.text("id", ID),
                fields.text("job_state", STATE),
                fields.has("reserve_ID"),
                fields.find(PLACE).orElse(""),
                shares,
                end,
                limit,
                fields.has(CORES) ? (int) fields.number(CORES, 0, Integer.MAX_VALUE) : 1,
                Optional.empty());
    }
}
