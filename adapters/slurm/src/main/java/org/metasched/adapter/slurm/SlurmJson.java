package org.metasched.adapter.slurm;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.command.JsonOutput;
import org.metasched.adapter.command.NamedFields;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.slurm.SlurmOutput.JobLine;
import org.metasched.adapter.slurm.SlurmOutput.NodeLine;
import org.metasched.adapter.slurm.SlurmOutput.Table;

/**
 * Answers of slurmrestd. Each record becomes the fields that Slurm's commands print, and is read by their readers. Records are read one at
 * a time: a job's has 5 KB, of which a hundred bytes are used.
 */
final class SlurmJson {

    /** Reads one record and leaves the next ones in the parser, which checks their form. */
    private static final JsonMapper RECORDS = new JsonMapper();

    private SlurmJson() {}

    /** A job that waits or holds nodes. */
    record Job(JobLine line, String name, List<String> partitions, String reservation) {}

    /** {@code GET /nodes/}: the nodes of the partition. */
    static Table<NodeLine> nodes(String answer, String partition) {
        var nodes = records(answer, "nodes", "NODELIST=name CPUS=cpus", (node, fields) -> {
            fields.put("AVAIL_FEATURES", String.join(",", texts(node.path("features"))));
            List<String> words = texts(node.path("state")).stream()
                    .map(word -> word.toLowerCase(Locale.ROOT))
                    .toList();
            // A word for out of service goes before one for maintenance, and both before any other.
            String outOfService = first(words, SlurmOutput.OUT_OF_SERVICE::contains);
            boolean isInService = !SlurmOutput.OUT_OF_SERVICE.contains(outOfService);
            fields.put("STATE", isInService ? first(words, word -> word.startsWith("maint")) : outOfService);
            return texts(node.path("partitions")).contains(partition);
        });
        return Table.of(nodes, "nodes", SlurmOutput::node);
    }

    /** {@code GET /jobs/}, without those that have ended. */
    static Table<Job> jobs(String answer) {
        String keys = "JOBID=job_id NAME=name PARTITION=partition RESERVATION=resv_name NODELIST=nodes";
        var jobs = records(answer, "jobs", keys, (job, fields) -> {
            String state = first(texts(job.path("job_state")), SlurmOperations.ON_NODES::contains);
            fields.put("END_TIME", time(job.path("end_time")));
            fields.put("STATE", state);
            return state.isEmpty() || state.equals("PENDING") || SlurmOperations.ON_NODES.contains(state);
        });
        return Table.of(
                jobs,
                "jobs",
                job -> new Job(
                        SlurmOutput.job(job),
                        job.text("NAME"),
                        List.of(job.text("PARTITION").split(",")),
                        job.text("RESERVATION")));
    }

    /** {@code GET /reservations/}, which does not say which have begun. */
    static SlurmReservations reservations(String answer, Instant now) {
        String keys = "ReservationName=name NodeCnt=node_count Nodes=node_list Features=features Users=users";
        return SlurmReservations.of(records(answer, "reservations", keys, (record, fields) -> {
            fields.put("StartTime", time(record.path("start_time")));
            fields.put("EndTime", time(record.path("end_time")));
            fields.put("Duration", "0:00:00");
            fields.put("Flags", String.join(",", texts(record.path("flags"))));
            boolean begun = record.path("start_time").path("number").asLong() <= now.getEpochSecond();
            fields.put("State", begun ? "ACTIVE" : "INACTIVE");
            return true;
        }));
    }

    /** The scheduler's words about what it refused. */
    static String errors(String answer) {
        try {
            return JsonOutput.parse(answer)
                    .path("errors")
                    .valueStream()
                    .map(error -> error.path("error").asText() + " ("
                            + error.path("description").asText() + ")")
                    .collect(Collectors.joining("; "));
        } catch (OutputFormatException notJson) {
            return DisplayText.lines(answer);
        }
    }

    /** Seconds since the epoch, or the word for a time that is not set or infinite. */
    private static String time(JsonNode value) {
        boolean set = value.path("set").asBoolean() && !value.path("infinite").asBoolean();
        boolean unset = value.has("set") && !set || value.path("number").asLong(-1) == 0;
        return unset ? "N/A" : value.path("number").asText();
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    /** The first wanted word; without one the first word, or an empty text. */
    private static String first(List<String> words, Predicate<String> wanted) {
        return words.stream().filter(wanted).findFirst().orElse(words.isEmpty() ? "" : words.get(0));
    }

    /**
     * The records of a list of the answer.
     *
     * @param complete adds fields to those of a record, and returns whether the record is wanted
     * @throws OutputFormatException when the answer has no such list, is cut short or reports errors
     */
    private static List<NamedFields> records(
            String answer, String list, String keys, BiPredicate<JsonNode, Map<String, String>> complete) {
        List<NamedFields> records = null;
        try (JsonParser json = JsonOutput.parser(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)))) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                if (field.equals(list) && json.currentToken() == JsonToken.START_ARRAY) {
                    records = new ArrayList<>();
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        JsonNode record = RECORDS.readTree(json);
                        Map<String, String> fields = fields(record, keys);
                        if (complete.test(record, fields)) {
                            records.add(new NamedFields(fields, records.size() + 1));
                        }
                    }
                } else if (field.equals("errors")) {
                    JsonNode errors = RECORDS.readTree(json);
                    OutputFormatException.throwIf(!errors.isEmpty(), "errors: %s", DisplayText.of(errors.toString()));
                } else {
                    json.skipChildren();
                }
            }
            if (records == null || json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
                throw new OutputFormatException(
                        "expected an object with the list '" + list + "', not (" + DisplayText.of(answer) + ")");
            }
            return records;
        } catch (JsonProcessingException e) {
            throw JsonOutput.refusal(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Texts and whole numbers of a record.
     *
     * @param keys pairs {@code COMMAND_NAME=json_name}, separated by blanks
     */
    private static Map<String, String> fields(JsonNode record, String keys) {
        var fields = new HashMap<String, String>();
        for (String key : keys.split(" ")) {
            JsonNode value = record.path(key.substring(key.indexOf('=') + 1));
            if (value.isTextual() || value.isIntegralNumber()) {
                String text = value.asText().isEmpty() ? SlurmOutput.NONE : value.asText();
                fields.put(key.substring(0, key.indexOf('=')), text);
            }
        }
        return fields;
    }
}
