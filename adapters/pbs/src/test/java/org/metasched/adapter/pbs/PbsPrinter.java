package org.metasched.adapter.pbs;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.pbs.PbsWorld.ArrayJob;
import org.metasched.adapter.pbs.PbsWorld.Job;
import org.metasched.adapter.pbs.PbsWorld.Piece;
import org.metasched.adapter.pbs.PbsWorld.Resv;
import org.metasched.adapter.pbs.PbsWorld.Vnode;

/** Prints a made-up site as OpenPBS 23.06 does, which was seen to wrap lines of {@code qstat -f} after 78 characters. */
record PbsPrinter(PbsWorld world) {

    private static final String SERVER = PbsWorld.SERVER;

    /** {@code pbsnodes -a -v -F json}. */
    String nodesAsJson() {
        var nodes = new ArrayList<String>();
        for (Vnode vnode : world.vnodes()) {
            var keys = new LinkedHashMap<String, String>();
            keys.put("Mom", quoted(vnode.host()));
            keys.put("ntype", quoted("PBS"));
            keys.put("state", quoted(vnode.state()));
            keys.put("pcpus", String.valueOf(vnode.cores()));
            List<String> jobs = distinctJobs(vnode);
            if (!jobs.isEmpty()) {
                keys.put("jobs", "[" + jobs.stream().map(PbsPrinter::quoted).collect(Collectors.joining(", ")) + "]");
            }
            addReservations(vnode, keys, true);
            var available = new LinkedHashMap<String, String>();
            resources(vnode)
                    .forEach((name, value) -> available.put(name, name.equals("ncpus") ? value : quoted(value)));
            keys.put("resources_available", object(available));
            keys.put("resources_assigned", "{}");
            end(vnode).forEach((name, value) -> keys.put(name, quoted(value)));
            nodes.add(quoted(vnode.name()) + ": " + object(keys));
        }
        return whole("nodes", nodes);
    }

    /** {@code pbsnodes -a -v}. */
    String nodesAsText() {
        var text = new StringBuilder();
        for (Vnode vnode : world.vnodes()) {
            var keys = new LinkedHashMap<String, String>();
            keys.put("Mom", vnode.host());
            keys.put("ntype", "PBS");
            keys.put("state", vnode.state());
            String jobs = world.jobsOn(vnode.name()).stream()
                    .flatMap(job ->
                            Stream.iterate(0, i -> i < job.cores(), i -> i + 1).map(i -> job.job() + "/" + i))
                    .collect(Collectors.joining(", "));
            if (!jobs.isEmpty()) {
                keys.put("jobs", jobs);
            }
            addReservations(vnode, keys, false);
            resources(vnode).forEach((name, value) -> keys.put("resources_available." + name, value));
            keys.put("resources_assigned.ncpus", "0");
            keys.putAll(end(vnode));
            text.append(vnode.name()).append('\n');
            keys.forEach((name, value) -> text.append("     " + name + " = " + value + "\n"));
            text.append('\n');
        }
        return text.toString();
    }

    private List<String> distinctJobs(Vnode vnode) {
        return world.jobsOn(vnode.name()).stream()
                .map(PbsWorld.Guest::job)
                .distinct()
                .toList();
    }

    private void addReservations(Vnode vnode, Map<String, String> keys, boolean json) {
        String ids = String.join(", ", world.reservationsOn(vnode.name()));
        if (!ids.isEmpty()) {
            keys.put("resv", json ? quoted(ids) : ids);
        }
    }

    private static Map<String, String> resources(Vnode vnode) {
        var resources = new LinkedHashMap<String, String>();
        resources.put("arch", "linux");
        vnode.properties().forEach(name -> resources.put(name, "True"));
        resources.put("host", vnode.host());
        resources.put("mem", "4gb");
        resources.put("ncpus", String.valueOf(vnode.cores()));
        resources.put("vnode", vnode.name());
        return resources;
    }

    private static Map<String, String> end(Vnode vnode) {
        var end = new LinkedHashMap<String, String>();
        if (vnode.ownQueue()) {
            end.put("queue", "special");
        }
        end.put("resv_enable", vnode.offered() || vnode.ownQueue() ? "True" : "False");
        end.put("sharing", vnode.sharing());
        end.put("license", "l");
        return end;
    }

    /** {@code qstat -f -F json}. */
    String jobsAsJson() {
        var jobs = new ArrayList<String>();
        for (Map<String, String> job : listing()) {
            var keys = new LinkedHashMap<String, String>();
            var resources = new LinkedHashMap<String, String>();
            job.forEach((name, value) -> {
                if (name.startsWith("Resource_List.")) {
                    resources.put(name.substring(14), value.matches("\\d+") ? value : quoted(value));
                } else if (!name.equals("Job Id")) {
                    keys.put(name, value.matches("\\d+") ? value : quoted(value));
                }
            });
            keys.put("Resource_List", object(resources));
            keys.put("Variable_List", "{\"PBS_O_LOGNAME\": \"alice\", \"job_state\": \"F\"}");
            jobs.add(quoted(job.get("Job Id")) + ": " + object(keys));
        }
        return whole("Jobs", jobs);
    }

    /** {@code qstat -f}. */
    String jobsAsText() {
        var text = new StringBuilder();
        for (Map<String, String> job : listing()) {
            text.append("Job Id: ").append(job.get("Job Id")).append('\n');
            job.forEach((name, value) -> {
                if (!name.equals("Job Id")) {
                    text.append(wrapped("    " + name + " = " + value));
                }
            });
            text.append("    Variable_List = PBS_O_HOME=/home/alice,\n\tjob_state = F\n\n");
        }
        return text.toString();
    }

    private static String wrapped(String line) {
        var text = new StringBuilder();
        for (int at = 0; at < line.length(); at += 78) {
            text.append(at == 0 ? "" : "\t")
                    .append(line, at, Math.min(line.length(), at + 78))
                    .append('\n');
        }
        return text.toString();
    }

    private List<Map<String, String>> listing() {
        var all = new ArrayList<Map<String, String>>();
        for (Job job : world.jobs()) {
            var keys = begin(
                    job.id(), job.state(), job.inside().map(PbsPrinter::queueOf).orElse("workq"));
            int cores = job.chunks().stream()
                    .flatMap(List::stream)
                    .mapToInt(Piece::cores)
                    .sum();
            addResources(keys, cores, job.place(), job.limit());
            if (!job.chunks().isEmpty()) {
                keys.put("exec_host", SERVER + "/0");
                keys.put("exec_vnode", chunks(job.chunks()));
                keys.put("stime", time(job.start()));
            }
            job.inside().ifPresent(id -> keys.put("reserve_ID", id));
            all.add(keys);
        }
        for (ArrayJob array : world.arrays()) {
            var keys = begin(array.id(), array.running().isEmpty() ? "Q" : "B", "workq");
            addResources(keys, array.cores(), array.place(), array.limit());
            keys.put("stime", time(world.now()));
            keys.put("array", "True");
            keys.put("array_indices_submitted", "1-200");
            all.add(keys);
        }
        return all;
    }

    private Map<String, String> begin(String id, String state, String queue) {
        var keys = new LinkedHashMap<String, String>();
        keys.put("Job Id", id);
        keys.put("Job_Name", "run");
        keys.put("Job_Owner", "alice@" + SERVER);
        keys.put("job_state", state);
        keys.put("queue", queue);
        keys.put("ctime", time(world.now()));
        return keys;
    }

    private static void addResources(
            Map<String, String> keys, int cores, String place, java.util.Optional<Duration> limit) {
        keys.put("Resource_List.ncpus", String.valueOf(cores));
        keys.put("Resource_List.place", place);
        limit.ifPresent(time -> keys.put("Resource_List.walltime", clock(time)));
    }

    /** {@code pbs_rstat -f}. */
    String reservations() {
        var text = new StringBuilder();
        for (Resv resv : world.reservations()) {
            long length = resv.slot().length().toSeconds();
            line(text, "Resv ID: ", resv.id());
            line(text, "Reserve_Name = ", resv.name());
            line(text, "Reserve_Owner = ", "gridadm@" + SERVER);
            line(text, "reserve_state = ", resv.state());
            line(text, "reserve_start = ", time(resv.slot().start()));
            line(text, "reserve_end = ", time(resv.slot().end()));
            line(text, "reserve_duration = ", String.valueOf(length));
            line(text, "queue = ", queueOf(resv.id()));
            line(text, "Resource_List.select = ", resv.select());
            line(text, "Resource_List.place = ", resv.place());
            line(text, "Resource_List.walltime = ", clock(Duration.ofSeconds(length)));
            if (resv.holds()) {
                line(text, "resv_nodes = ", resv.freed() ? "\u0005\n\u009b(freed" : chunks(resv.chunks()));
            }
            line(text, "Authorized_Users = ", "gridadm@" + SERVER);
            line(
                    text,
                    "Variable_List = ",
                    "PBS_O_LOGNAME=gridadm,PBS_O_HOST=" + SERVER + ",PBS_TZID=" + resv.ruleZone());
            resv.rule().ifPresent(rule -> line(text, "reserve_rrule = ", rule));
            resv.rule().ifPresent(rule -> line(text, "reserve_index = ", "1"));
            line(text, "reserve_count = ", String.valueOf(resv.occurrences().size()));
            line(text, "partition = ", "pbs-default\n");
        }
        return text.toString();
    }

    private static void line(StringBuilder into, String name, String value) {
        into.append(name).append(value).append('\n');
    }

    private static String chunks(List<List<Piece>> chunks) {
        return chunks.stream()
                .map(chunk -> chunk.stream()
                        .map(piece -> piece.vnode() + ":ncpus=" + piece.cores() + ":mem=1048576kb")
                        .collect(Collectors.joining("+", "(", ")")))
                .collect(Collectors.joining("+"));
    }

    private static String queueOf(String reservation) {
        return reservation.substring(0, reservation.indexOf('.'));
    }

    private static String clock(Duration time) {
        return String.format(Locale.ROOT, "%02d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
    }

    /** A day of one digit has a blank before it. */
    private String time(Instant instant) {
        ZonedDateTime local = instant.atZone(world.zone());
        return local.format(DateTimeFormatter.ofPattern("EEE MMM ", Locale.ENGLISH))
                + String.format(Locale.ROOT, "%2d", local.getDayOfMonth())
                + local.format(DateTimeFormatter.ofPattern(" HH:mm:ss uuuu", Locale.ENGLISH));
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    private static String object(Map<String, String> keys) {
        return keys.entrySet().stream()
                .map(key -> quoted(key.getKey()) + ":\t" + key.getValue())
                .collect(Collectors.joining(",\n\t\t\t", "{\n\t\t\t", "\n\t\t}"));
    }

    /** With no record at all the key is missing too. */
    private String whole(String key, List<String> records) {
        return "{\n\t\"timestamp\":\t" + world.now().getEpochSecond()
                + ",\n\t\"pbs_version\":\t\"23.06.06\",\n\t\"pbs_server\":\t\""
                + SERVER + "\""
                + (records.isEmpty()
                        ? ""
                        : ",\n\t" + quoted(key) + ":\t{\n\t\t" + String.join(",\n\t\t", records) + "\n\t}")
                + "\n}\n";
    }
}
