package org.metasched.adapter.slurm;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.adapter.slurm.SlurmWorld.Job;
import org.metasched.adapter.slurm.SlurmWorld.Node;
import org.metasched.adapter.slurm.SlurmWorld.Resv;

/** Prints a made-up site as Slurm 22.05 and 24.11 do, and as slurmrestd does. */
record SlurmPrinter(SlurmWorld world) {

    /** {@code sinfo -N -o} {@value SlurmOutput#NODE_FORMAT}. */
    String sinfo() {
        return world.nodes().stream()
                .map(node -> node.name() + "|" + node.state().word() + "|" + node.cores() + "|"
                        + String.join(",", node.features()) + "\n")
                .collect(Collectors.joining("", "NODELIST|STATE|CPUS|AVAIL_FEATURES\n", ""));
    }

    /** {@code squeue -o} {@value SlurmOutput#JOB_FORMAT}. */
    String squeue(boolean withWaiting) {
        return world.jobs().stream()
                .filter(job -> withWaiting || !job.waits())
                .map(job -> job.id() + "|" + job.state() + "|"
                        + job.end().map(SlurmPrinter::seconds).orElse(job.id() % 2 == 0 ? "NONE" : "UNLIMITED") + "|"
                        + hostList(job.nodes()) + "\n")
                .collect(Collectors.joining("", "JOBID|STATE|END_TIME|NODELIST\n", ""));
    }

    /** {@code scontrol -a -o show reservation}. 24.11 has no watts any more, and tells which cores each node gives. */
    String reservations(boolean modern) {
        if (world.reservations().isEmpty()) {
            return "No reservations in the system\n";
        }
        var text = new StringBuilder();
        for (Resv resv : world.reservations()) {
            boolean active = !resv.start().isAfter(world.now());
            text.append("ReservationName=" + resv.name() + " StartTime=" + seconds(resv.start()) + " EndTime="
                    + seconds(resv.end()) + " Duration=" + duration(resv) + " Nodes="
                    + (resv.nodes().isEmpty() ? "(null)" : hostList(resv.nodes())) + " NodeCnt="
                    + (resv.odd() ? "many" : resv.wanted()) + " CoreCnt=2 Features=(null) PartitionName=grid Flags="
                    + String.join(",", resv.flags()));
            if (modern && resv.flags().contains("FLEX")) {
                resv.nodes().forEach(node -> text.append("   NodeName=" + node + " CoreIDs=0-1"));
            }
            text.append(" TRES=cpu=2 Users=alice Groups=(null) Accounts=(null) Licenses=(null) State="
                    + (active ? "ACTIVE" : "INACTIVE") + " BurstBuffer=(null)" + (modern ? "" : " Watts=n/a")
                    + " MaxStartDelay=(null)\n");
        }
        return text.toString();
    }

    private static String duration(Resv resv) {
        long seconds = resv.end().getEpochSecond() - resv.start().getEpochSecond();
        String clock = String.format("%02d:%02d:%02d", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        return seconds < 86_400 ? clock : seconds / 86_400 + "-" + clock;
    }

    private static String seconds(Instant instant) {
        return String.valueOf(instant.getEpochSecond());
    }

    /** Neighbours as a range: {@code s[1-3,7],big4}. */
    static String hostList(List<String> names) {
        var numbers = new LinkedHashMap<String, List<Integer>>();
        for (String name : names) {
            String head = name.replaceAll("\\d+$", "");
            numbers.computeIfAbsent(head, any -> new ArrayList<>())
                    .add(Integer.parseInt(name.substring(head.length())));
        }
        return numbers.entrySet().stream()
                .map(entry -> entry.getValue().size() == 1
                        ? entry.getKey() + entry.getValue().get(0)
                        : entry.getKey() + "[" + ranges(entry.getValue()) + "]")
                .collect(Collectors.joining(","));
    }

    private static String ranges(List<Integer> numbers) {
        var ranges = new ArrayList<String>();
        int first = numbers.get(0);
        for (int i = 0; i < numbers.size(); i++) {
            int number = numbers.get(i);
            if (i + 1 == numbers.size() || numbers.get(i + 1) != number + 1) {
                ranges.add(first == number ? String.valueOf(number) : first + "-" + number);
                first = i + 1 == numbers.size() ? 0 : numbers.get(i + 1);
            }
        }
        return String.join(",", ranges);
    }

    /** {@code GET /nodes/}, with a node of another partition. */
    String nodesJson() {
        var records = new ArrayList<String>();
        for (Node node : world.nodes()) {
            records.add(node(
                    node.name(),
                    node.cores(),
                    list(node.features()),
                    list(node.state().json()),
                    "grid"));
        }
        records.add(node("t1", 4, "[]", "[\"IDLE\"]", "test"));
        return answer("nodes", records);
    }

    private static String node(String name, int cores, String features, String state, String partition) {
        return "{\"name\": \"" + name + "\", \"cores\": 1, \"cpus\": " + cores + ", \"features\": " + features
                + ", \"state\": " + state + ", \"reason\": \"\", \"partitions\": [\"" + partition + "\"]}";
    }

    /** {@code GET /jobs/}, with one that has ended. */
    String jobsJson() {
        var records = new ArrayList<String>();
        for (Job job : world.jobs()) {
            records.add(job(job.id(), job.state(), job.end(), hostList(job.nodes())));
        }
        records.add(job(
                99, "COMPLETED", Optional.of(world.now()), world.nodes().get(0).name()));
        return answer("jobs", records);
    }

    private static String job(int id, String state, Optional<Instant> end, String nodes) {
        return "{\"job_id\": " + id + ", \"name\": \"run\", \"partition\": \"grid\", \"job_state\": [\"" + state
                + "\"], \"end_time\": " + time(end) + ", \"nodes\": \"" + nodes + "\", \"resv_name\": \"\"}";
    }

    /** {@code GET /reservations/}. */
    String reservationsJson() {
        var records = new ArrayList<String>();
        for (Resv resv : world.reservations()) {
            Map<String, String> keys = new LinkedHashMap<>();
            keys.put("name", "\"" + resv.name() + "\"");
            keys.put("start_time", time(Optional.of(resv.start())));
            keys.put("end_time", time(Optional.of(resv.end())));
            keys.put("node_list", "\"" + hostList(resv.nodes()) + "\"");
            keys.put(resv.odd() ? "nodes_counted" : "node_count", String.valueOf(resv.wanted()));
            keys.put("features", "\"\"");
            keys.put("users", "\"alice\"");
            keys.put(
                    "flags",
                    list(resv.flags().stream().filter(flag -> !flag.isEmpty()).toList()));
            records.add(keys.entrySet().stream()
                    .map(key -> "\"" + key.getKey() + "\": " + key.getValue())
                    .collect(Collectors.joining(", ", "{", "}")));
        }
        return answer("reservations", records);
    }

    private static String time(Optional<Instant> instant) {
        return "{\"set\": true, \"infinite\": false, \"number\": "
                + instant.map(SlurmPrinter::seconds).orElse("0") + "}";
    }

    private static String list(Iterable<String> words) {
        var quoted = new ArrayList<String>();
        words.forEach(word -> quoted.add("\"" + word + "\""));
        return quoted.toString();
    }

    private static String answer(String list, List<String> records) {
        return "{\"" + list + "\": [" + String.join(", ", records)
                + "], \"meta\": {}, \"errors\": [], \"warnings\": []}";
    }
}
