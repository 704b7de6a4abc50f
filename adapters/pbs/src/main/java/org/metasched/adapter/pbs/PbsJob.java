package org.metasched.adapter.pbs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.Shown;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.adapter.command.Fields;
import org.metasched.adapter.command.JsonOutput;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.RecordStream;
import org.metasched.adapter.command.SiteClock;

/**
 * A job, or an array of jobs as a whole.
 *
 * @param shares where it runs, or empty; an array does not say where its jobs run
 * @param latestEnd start and wall-clock limit, where it has both
 * @param limit its wall-clock limit, for an array that of each of its jobs
 * @param cores all that it, or each job of the array, has
 * @param odd why it could not be read, for one that could not
 */
record PbsJob(
        String id,
        String state,
        String queue,
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
    /** What is read of a job. The rest is skipped: variables, arguments and names are the user's, and as long as he likes. */
    private static final Set<String> KEYS =
            Set.of("job_state", "queue", "reserve_ID", "exec_vnode", "stime", LIMIT, PLACE, CORES);

    /** The array that a job belongs to, if its id says that it does: {@code 7[]} for {@code 7[3]}. */
    static Optional<String> arrayOf(String id) {
        var matcher = SUBJOB.matcher(id);
        return matcher.matches() ? Optional.of(matcher.group(1) + matcher.group(2)) : Optional.empty();
    }

    /** @throws OutputFormatException when the fields are not those of a job at all */
    static PbsJob of(Fields fields, PbsOutput output) {
        fields.text("job_state");
        try {
            return read(fields, output);
        } catch (OutputFormatException why) {
            String id = fields.text("id");
            return new PbsJob(
                    id,
                    "?",
                    "",
                    false,
                    "",
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    0,
                    Optional.of("Job " + Shown.of(id) + " is odd: " + why.getMessage() + "."));
        }
    }

    private static PbsJob read(Fields fields, PbsOutput output) {
        Optional<Duration> limit =
                fields.has(LIMIT) ? Optional.of(PbsOutput.duration(fields, LIMIT)) : Optional.empty();
        Optional<Instant> end = Optional.empty();
        if (fields.has("stime") && limit.isPresent()) {
            end = Optional.of(
                    output.time(fields, "stime", SiteClock.Ambiguity.LATER).plus(limit.get()));
        }
        List<Share> shares = PbsOutput.shares(fields, "exec_vnode");
        if (shares.isEmpty() && fields.text("job_state").equals("R")) {
            throw fields.refuse("exec_vnode", "there for a running job");
        }
        return new PbsJob(
                fields.text("id", ID),
                fields.text("job_state", STATE),
                fields.find("queue").orElse(""),
                fields.has("reserve_ID"),
                fields.find(PLACE).orElse(""),
                shares,
                end,
                limit,
                fields.has(CORES) ? (int) fields.number(CORES, 0, Integer.MAX_VALUE) : 1,
                Optional.empty());
    }

    /** {@code qstat -f -F json}, job by job, so that memory is bounded by what is kept of each. */
    static List<PbsJob> readAll(RecordStream stream, PbsOutput output) throws IOException {
        var jobs = new ArrayList<PbsJob>();
        boolean stamped = false;
        try (JsonParser json = JsonOutput.parser(stream)) {
            expect(json.nextToken() == JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                JsonToken value = json.nextToken();
                stamped |= key.equals("timestamp");
                if (key.equals("Jobs")) {
                    expect(value == JsonToken.START_OBJECT);
                    while (json.nextToken() == JsonToken.FIELD_NAME) {
                        jobs.add(of(fields(json, jobs.size() + 1), output));
                        stream.nextRecord();
                    }
                } else {
                    json.skipChildren();
                }
            }
            expect(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null && stamped);
            return jobs;
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw JsonOutput.refusal(e);
        }
    }

    private static Fields fields(JsonParser json, int number) throws IOException {
        Map<String, String> values = new LinkedHashMap<>(Map.of("id", json.currentName()));
        expect(json.nextToken() == JsonToken.START_OBJECT);
        flatten("", json, values);
        return new Fields(number, values);
    }

    private static void flatten(String prefix, JsonParser json, Map<String, String> into) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = prefix + json.currentName();
            JsonToken value = json.nextToken();
            if (value == JsonToken.START_OBJECT && name.equals("Resource_List")) {
                flatten(name + ".", json, into);
            } else if (KEYS.contains(name) && value.isScalarValue()) {
                into.putIfAbsent(name, json.getText());
            } else {
                json.skipChildren();
            }
        }
    }

    private static void expect(boolean asExpected) {
        if (!asExpected) {
            throw new OutputFormatException("expected one whole object with a timestamp and jobs");
        }
    }

    static List<PbsJob> fromJson(String text, PbsOutput output) {
        try {
            return readAll(
                    new RecordStream(
                            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), Integer.MAX_VALUE),
                    output);
        } catch (IOException e) {
            throw new OutputFormatException("the output broke off: " + e.getMessage(), e);
        }
    }
}
