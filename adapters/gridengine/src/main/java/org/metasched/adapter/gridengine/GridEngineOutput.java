package org.metasched.adapter.gridengine;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.OutputTable;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.gridengine.ElementLines.Element;

/** Reads what {@code qstat}, {@code qrstat}, {@code qconf} and {@code qselect} print. Times are local, without a zone. */
final class GridEngineOutput {

    /** {@code [[CC]YY]MMDDhhmm[.SS]}, as {@code qrsub -a} takes it. */
    static final DateTimeFormatter ASKED = DateTimeFormatter.ofPattern("uuuuMMddHHmm.ss", Locale.ROOT);

    private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}");
    private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9_.-]{1,128}@[A-Za-z0-9_.-]{1,253}");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Pattern DURATION = Pattern.compile("(?:(\\d{1,9}):(\\d{1,9}):)?(\\d{1,9})(?:\\.0+)?");
    private static final Pattern GRANTED = Pattern.compile("Your advance reservation (\\d{1,18}) has been granted");
    private static final int MOST_SLOTS = 10_000_000;
    /** State letters out of service: disabled, unreachable, in error, orphaned, suspended or misconfigured; a load alarm soon passes. */
    private static final String OUT_OF_SERVICE = "uduDEocCsS";

    private GridEngineOutput() {}

    /** A queue on a host, with its jobs. */
    record QueueInstance(String queue, String host, int slots, String state, List<RunningJob> jobs) {
        boolean usable() {
            return state.chars().noneMatch(c -> OUT_OF_SERVICE.indexOf(c) >= 0);
        }
    }

    /**
     * A job, or the part of it that runs in one queue instance.
     *
     * @param limit requested run time; empty if it requested none
     */
    record RunningJob(long id, Instant start, int slots, Optional<Duration> limit) {}

    /**
     * An advance reservation in full.
     *
     * @param slotsOnHosts granted slots by host
     */
    record AdvanceReservation(
            long id,
            String name,
            String state,
            Instant start,
            Instant end,
            Map<String, Integer> slotsOnHosts,
            Set<String> resources,
            List<String> messages) {

        boolean begun() {
            return state.equals("r") || state.equals("E");
        }

        boolean over() {
            return state.equals("d") || state.equals("x");
        }
    }

    /**
     * Assumptions of the scheduler.
     *
     * @param defaultDuration run time of a job without a limit
     * @param offset time added to each run time
     */
    record SchedulerSettings(Optional<Duration> defaultDuration, Duration offset) {}

    /** {@code qstat -f -u * -s rs -r -xml}. */
    static List<QueueInstance> queueInstances(String output, SiteClock times) {
        var instances = new ArrayList<QueueInstance>();
        for (Element queue : ElementLines.read(output, "job_info").all("queue_info", "Queue-List")) {
            String name = queue.text("name", INSTANCE);
            instances.add(new QueueInstance(
                    name.substring(0, name.indexOf('@')),
                    name.substring(name.indexOf('@') + 1),
                    (int) queue.number("slots_total", MOST_SLOTS),
                    queue.find("state").map(Element::text).orElse(""),
                    queue.all("job_list").stream()
                            .map(job -> runningJob(job, times))
                            .toList()));
        }
        return instances;
    }

    private static RunningJob runningJob(Element job, SiteClock times) {
        Optional<Duration> limit = Optional.empty();
        for (Element request : job.all("hard_request")) {
            if ("h_rt".equals(request.attributes().get("name"))) {
                limit = duration(request.text());
            }
        }
        // The later of two instants, as the end of the job is counted from its start.
        return new RunningJob(
                job.number("JB_job_number", Long.MAX_VALUE),
                times.end(job.text("JAT_start_time", TIME), SHOWN),
                (int) job.number("slots", MOST_SLOTS),
                limit);
    }

    /** {@code qstat -u * -s p -xml}: the count of waiting jobs. */
    static int waitingJobs(String output) {
        return (int) ElementLines.read(output, "job_info").all("job_info", "job_list").stream()
                .map(job -> job.text("JB_job_number", NUMBER))
                .distinct()
                .count();
    }

    /** {@code qstat -u * -xml}: ids of the jobs that wait or run, by name. */
    static Map<String, String> jobsByName(String output) {
        var ids = new LinkedHashMap<String, String>();
        Element all = ElementLines.read(output, "job_info");
        for (String part : List.of("queue_info", "job_info")) {
            all.all(part, "job_list")
                    .forEach(job -> ids.put(job.get("JB_name").text(), job.text("JB_job_number", NUMBER)));
        }
        return ids;
    }

    /** {@code qrstat -u * -xml}: the names of all reservations, by id. */
    static Map<Long, String> reservationNames(String output) {
        var names = new LinkedHashMap<Long, String>();
        for (Element summary : ElementLines.read(output, "qrstat").all("ar_summary")) {
            names.put(summary.number("id", Long.MAX_VALUE), summary.get("name").text());
        }
        return names;
    }

    /** {@code qrstat -ar 1,2 -xml}. Those that ended meanwhile are left out. */
    static List<AdvanceReservation> reservations(String output, SiteClock times) {
        return ElementLines.read(output, "qrstat").all("ar_summary").stream()
                .map(summary -> reservation(summary, times))
                .toList();
    }

    private static AdvanceReservation reservation(Element summary, SiteClock times) {
        var slots = new LinkedHashMap<String, Integer>();
        for (Element granted : summary.all("granted_slots_list", "granted_slots")) {
            String instance = granted.attribute("queue_instance", INSTANCE);
            int count = Integer.parseInt(granted.attribute("slots", NUMBER));
            slots.merge(instance.substring(instance.indexOf('@') + 1), count, Integer::sum);
        }
        Instant start = times.start(summary.text("start_time", TIME), SHOWN);
        Instant end = times.end(summary.text("end_time", TIME), SHOWN);
        OutputFormatException.throwIf(
                !start.isBefore(end), "a reservation ends at %s, not after its start %s", end, start);
        return new AdvanceReservation(
                summary.number("id", Long.MAX_VALUE),
                summary.get("name").text(),
                summary.text("state", Pattern.compile("[A-Za-z]{1,4}")),
                start,
                end,
                slots,
                resources(summary),
                summary.all("message").stream().map(Element::text).toList());
    }

    /** The value of a resource is in an attribute called {@code type}. */
    private static Set<String> resources(Element summary) {
        var resources = new TreeSet<String>();
        for (Element resource : summary.all("resource_list", "resource")) {
            resources.add(resource.attributes().getOrDefault("name", "") + "="
                    + resource.attributes().getOrDefault("type", ""));
        }
        return resources;
    }

    /** {@code qconf -sp}: number of slots that a parallel environment puts on each host; empty if it varies. */
    static Optional<Integer> slotsPerHost(String output) {
        String rule = required(output, "allocation_rule");
        return rule.matches("[1-9]\\d{0,6}") ? Optional.of(Integer.parseInt(rule)) : Optional.empty();
    }

    /** {@code qconf -ssconf}. */
    static SchedulerSettings schedulerSettings(String output) {
        String usual = required(output, "default_duration");
        Matcher offset = Pattern.compile("(?i)DURATION_OFFSET=(\\d{1,9})")
                .matcher(setting(output, "params").orElse(""));
        return new SchedulerSettings(
                duration(usual), Duration.ofSeconds(offset.find() ? Long.parseLong(offset.group(1)) : 60));
    }

    private static String required(String output, String key) {
        return setting(output, key).orElseThrow(() -> new OutputFormatException("the " + key + " is missing"));
    }

    private static Optional<String> setting(String output, String key) {
        return OutputTable.lines(output).stream()
                .filter(line -> line.startsWith(key + " "))
                .map(line -> line.substring(key.length()).strip())
                .findFirst();
    }

    /** {@code qselect}: the hosts of the queue instances it names, one a line. */
    static Set<String> hosts(String output) {
        var hosts = new TreeSet<String>();
        for (String line : OutputTable.lines(output)) {
            OutputFormatException.throwIf(
                    !INSTANCE.matcher(line.strip()).matches(), "expected queue@host, not (%s)", DisplayText.of(line));
            hosts.add(line.strip().substring(line.strip().indexOf('@') + 1));
        }
        return hosts;
    }

    /** Whether {@code qrsub -w v} would grant, by the one line that begins with "verification:"; empty if that is unclear. */
    static Optional<Boolean> verdict(String output) {
        List<String> verdicts =
                output.lines().filter(line -> line.startsWith("verification: ")).toList();
        if (verdicts.size() != 1) {
            return Optional.empty();
        } else if (verdicts.get(0).matches("verification: found possible assignment with \\d+ slots\\s*")) {
            return Optional.of(true);
        }
        return verdicts.get(0).matches("verification: no suitable queues\\s*") ? Optional.of(false) : Optional.empty();
    }

    /** The id of the reservation that {@code qrsub} made. */
    static Optional<Long> granted(String output) {
        Matcher matcher = GRANTED.matcher(output);
        return matcher.find() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
    }

    /** Seconds or {@code h:m:s}; empty for INFINITY. */
    private static Optional<Duration> duration(String text) {
        if (text.equalsIgnoreCase("INFINITY")) {
            return Optional.empty();
        }
        Matcher matcher = DURATION.matcher(text);
        OutputFormatException.throwIf(!matcher.matches(), "expected seconds or h:m:s, not (%s)", DisplayText.of(text));
        Duration seconds = Duration.ofSeconds(Long.parseLong(matcher.group(3)));
        return Optional.of(
                matcher.group(1) == null
                        ? seconds
                        : seconds.plusHours(Long.parseLong(matcher.group(1)))
                                .plusMinutes(Long.parseLong(matcher.group(2))));
    }
}
