package org.metasched.adapter.oar;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.command.JsonOutput;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.SiteClock;
import org.metasched.slots.ComputeNode;

/**
 * Reads the JSON of {@code oarnodes} and {@code oarstat}, whose times are seconds since the epoch, and the lines of
 * {@code oarsub}, whose times are local.
 */
final class OarOutput {

    static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    static final String NO_JOBS = "{}";

    /** State of a job that OAR can place, but has not confirmed to oarsub. */
    static final String UNACKNOWLEDGED = "toAckReservation";

    private static final Set<String> WAITING = Set.of("Waiting", "Hold", UNACKNOWLEDGED);
    private static final Set<String> OVER = Set.of("Terminated", "Error");

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.:-]{1,253}");
    private static final Pattern USER = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}\\$?");
    private static final Pattern WANTED =
            Pattern.compile("/network_address=(\\d{1,7}),walltime=(\\d{1,7}):(\\d{1,7}):(\\d{1,7})\"");
    private static final Pattern RUNS_AT =
            Pattern.compile("could run at (\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2})\\)");
    private static final Pattern PROPERTY = Pattern.compile("\\b([A-Za-z_][A-Za-z0-9_]*)='([^']*)'");
    /** Properties that OAR's own admission rules add to every job. */
    private static final Set<String> ADDED = Set.of("drain", "desktop_computing");

    /** Facts of a resource that change often, or are its number; all other facts are properties that a request may name. */
    private static final Set<String> NO_PROPERTIES =
            Set.of(("resource_id state state_num next_state finaud_decision next_finaud_decision expiry_date"
                            + " last_job_date last_available_upto available_upto suspended_jobs cpuset drain"
                            + " desktop_computing scheduler_priority")
                    .split(" "));

    /** The greatest number that is read. */
    private static final long MOST = 1L << 40;

    private OarOutput() {}

    /** A compute node: the resources with one network address. {@code usable} while at least one of them is alive. */
    record NodeLine(ComputeNode node, boolean usable) {}

    /** OAR's plan for one job that runs or waits; {@code nodes} repeats a node's name for each of its resources. */
    record Planned(long id, String state, Instant start, Instant stop, List<String> nodes) {

        boolean waits() {
            return WAITING.contains(state);
        }
    }

    /**
     * The nodes of a job.
     *
     * @param wanted requested number of nodes
     * @param cores number of cores by node that it has; empty when it has ended
     * @param lost names of its nodes that do not work
     */
    record Nodes(int wanted, Map<String, Integer> cores, List<String> lost) {}

    /**
     * One job in full. A reservation is a job with a fixed start.
     *
     * @param walltime time for which it holds, or held, its nodes; of an ended job the requested time
     */
    record Job(
            long id,
            String name,
            String owner,
            String state,
            String reservation,
            Instant start,
            Duration walltime,
            Optional<Instant> stop,
            Nodes nodes,
            Set<String> properties,
            String message) {

        boolean isReservation() {
            return !reservation.equals("None");
        }

        boolean isConfirmed() {
            return reservation.equals("Scheduled") && !state.equals(UNACKNOWLEDGED);
        }

        /** Whether OAR refused it: OAR keeps a refused job in state Error, as it does a cancelled one. */
        boolean wasRefused() {
            return isOver() && (message.startsWith("This reservation could run") || message.contains("too old"));
        }

        boolean isOver() {
            return OVER.contains(state);
        }

        boolean waits() {
            return WAITING.contains(state);
        }
    }

    /** {@code oarnodes -J}. */
    static List<NodeLine> nodes(String output) {
        var cores = new TreeMap<String, Integer>();
        var properties = new HashMap<String, Set<String>>();
        for (Map.Entry<String, JsonNode> entry : entries(output)) {
            JsonNode resource = object(entry.getValue(), entry.getKey());
            if (!text(resource, "type").equals("default")) {
                continue;
            }
            String host = text(resource, "network_address", HOST);
            boolean alive = text(resource, "state").equals("Alive")
                    && !resource.path("drain").asText().equals("YES");
            cores.merge(host, alive ? 1 : 0, Integer::sum);
            var facts = facts(resource);
            properties.merge(host, facts, (one, other) -> {
                var both = new TreeSet<>(one);
                both.retainAll(other);
                return both;
            });
        }
        var nodes = new ArrayList<NodeLine>();
        cores.forEach((host, alive) -> nodes.add(new NodeLine(
                new ComputeNode(host, Math.max(1, alive), properties.getOrDefault(host, Set.of())), alive > 0)));
        return nodes;
    }

    private static Set<String> facts(JsonNode resource) {
        var facts = new TreeSet<String>();
        for (Map.Entry<String, JsonNode> fact : resource.properties()) {
            if (fact.getValue().isValueNode() && !fact.getValue().isNull() && !NO_PROPERTIES.contains(fact.getKey())) {
                facts.add(fact.getKey() + "=" + fact.getValue().asText());
            }
        }
        return facts;
    }

    /** {@code oarstat -J -g}: the jobs that run or are planned in a span. OAR shows those that are over too. */
    static List<Planned> gantt(String output) {
        JsonNode whole = JsonOutput.parse(output);
        var planned = new ArrayList<Planned>();
        OutputFormatException.throwIf(!whole.path("resources").isArray(), "the list of resources is missing");
        for (Map.Entry<String, JsonNode> entry :
                object(whole.path("jobs"), "jobs").properties()) {
            JsonNode job = object(entry.getValue(), "job " + entry.getKey());
            String state = text(job, "state");
            if (OVER.contains(state)) {
                continue;
            }
            Instant start = instant(job, "start_time");
            Instant stop = instant(job, "stop_time");
            OutputFormatException.throwIf(
                    stop.isBefore(start), "job %s stops before it starts", DisplayText.of(entry.getKey()));
            planned.add(new Planned(number(job, "job_id"), state, start, stop, hosts(job, "network_address")));
        }
        return planned;
    }

    /** {@code oarstat -J}, with or without {@code -f}: ids only. */
    static Set<Long> ids(String output) {
        var ids = new LinkedHashSet<Long>();
        for (Map.Entry<String, JsonNode> entry : entries(output)) {
            ids.add(number(entry.getValue(), "Job_Id"));
        }
        return ids;
    }

    /** {@code oarstat -f -J}. */
    static List<Job> jobs(String output) {
        var jobs = new ArrayList<Job>();
        for (Map.Entry<String, JsonNode> entry : entries(output)) {
            jobs.add(job(object(entry.getValue(), "job " + entry.getKey())));
        }
        return jobs;
    }

    private static Job job(JsonNode job) {
        var cores = new TreeMap<Long, String>();
        var lost = new TreeSet<String>();
        for (Map.Entry<String, JsonNode> entry : resources(job).properties()) {
            boolean isNumber = entry.getKey().matches("\\d{1,18}");
            OutputFormatException.throwIf(
                    !isNumber, "expected the number of a resource, not (%s)", DisplayText.of(entry.getKey()));
            String host = text(entry.getValue(), "network_address", HOST);
            cores.put(Long.parseLong(entry.getKey()), host);
            if (!text(entry.getValue(), "current_state").equals("Alive")) {
                lost.add(host);
            }
        }
        var onNodes = new LinkedHashMap<String, Integer>();
        cores.values().forEach(host -> onNodes.merge(host, 1, Integer::sum));
        if (onNodes.isEmpty()) {
            int assigned = job.path("assigned_resources").size();
            List<String> hosts =
                    hosts(job, "assigned_network_address").stream().distinct().toList();
            hosts.forEach(host -> onNodes.put(host, Math.max(1, assigned / hosts.size())));
        }
        Matcher wanted = WANTED.matcher(text(job, "wanted_resources"));
        boolean hasRequest = wanted.find();
        Duration requested = hasRequest ? duration(wanted) : Duration.ZERO;
        long stop = job.path("stopTime").isMissingNode() ? 0 : number(job, "stopTime");
        return new Job(
                number(job, "Job_Id"),
                job.path("name").asText(""),
                text(job, "owner", USER),
                text(job, "state"),
                text(job, "reservation"),
                instant(job, "startTime"),
                job.path("walltime").isNull() ? requested : Duration.ofSeconds(number(job, "walltime")),
                stop == 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(stop)),
                new Nodes(hasRequest ? Integer.parseInt(wanted.group(1)) : 0, onNodes, List.copyOf(lost)),
                properties(job.path("properties").asText("")),
                job.path("message").asText(""));
    }

    /** The resources of a job; an ended job has none. */
    private static JsonNode resources(JsonNode job) {
        JsonNode resources = job.path("reserved_resources");
        return resources.isMissingNode() || resources.isNull()
                ? JsonOutput.parse(NO_JOBS)
                : object(resources, "reserved_resources");
    }

    private static Duration duration(Matcher wanted) {
        return Duration.ofHours(Long.parseLong(wanted.group(2)))
                .plusMinutes(Long.parseLong(wanted.group(3)))
                .plusSeconds(Long.parseLong(wanted.group(4)));
    }

    private static Set<String> properties(String clause) {
        var properties = new TreeSet<String>();
        Matcher matcher = PROPERTY.matcher(clause);
        while (matcher.find()) {
            if (!ADDED.contains(matcher.group(1))) {
                properties.add(matcher.group(1) + "=" + matcher.group(2));
            }
        }
        return properties;
    }

    static boolean saysValid(String output) {
        return output.contains("Reservation valid --> OK");
    }

    /** The start that a refusal names, when it names one. */
    static Optional<Instant> possibleStart(String output, SiteClock times) {
        Matcher matcher = RUNS_AT.matcher(output);
        return matcher.find() ? Optional.of(times.end(matcher.group(1), LOCAL)) : Optional.empty();
    }

    private static Set<Map.Entry<String, JsonNode>> entries(String output) {
        return object(JsonOutput.parse(output), "the output").properties();
    }

    private static JsonNode object(JsonNode node, String what) {
        if (!node.isObject()) {
            throw new OutputFormatException(DisplayText.of(what) + " should be an object");
        }
        return node;
    }

    private static String text(JsonNode parent, String name) {
        JsonNode value = parent.path(name);
        if (!value.isTextual() || value.textValue().isEmpty()) {
            throw new OutputFormatException(name + " should be a text, not (" + DisplayText.of(value.toString()) + ")");
        }
        return value.textValue();
    }

    private static String text(JsonNode parent, String name, Pattern form) {
        String value = text(parent, name);
        if (!form.matcher(value).matches()) {
            throw new OutputFormatException(name + " has an odd form: (" + DisplayText.of(value) + ")");
        }
        return value;
    }

    /** A number, which Perl prints as a number or as a text of digits. */
    private static long number(JsonNode parent, String name) {
        JsonNode value = parent.path(name);
        if ((value.isIntegralNumber() || value.isTextual()) && value.asText().matches("\\d{1,13}")) {
            long number = Long.parseLong(value.asText());
            if (number <= MOST) {
                return number;
            }
        }
        throw new OutputFormatException(name + " should be a number, not (" + DisplayText.of(value.toString()) + ")");
    }

    private static Instant instant(JsonNode parent, String name) {
        return Instant.ofEpochSecond(number(parent, name));
    }

    private static List<String> hosts(JsonNode parent, String name) {
        OutputFormatException.throwIf(!parent.path(name).isArray(), "%s should be a list", name);
        var hosts = new ArrayList<String>();
        for (JsonNode host : parent.path(name)) {
            if (!host.isTextual() || !HOST.matcher(host.textValue()).matches()) {
                throw new OutputFormatException(name + " holds an odd name: (" + DisplayText.of(host.toString()) + ")");
            }
            hosts.add(host.textValue());
        }
        return hosts;
    }
}
