package org.metasched.dag.slurm;

import java.util.Map;
import java.util.Set;
import org.metasched.dag.DagNode;
import org.metasched.submit.JobAd;

/** What of the submit language Slurm, or a job without file transfer, cannot honour. */
final class SubmitRules {

    private static final Set<String> UNIVERSES = Set.of("5", "7", "12");

    /** Commands that change what comes of a job. */
    private static final Map<String, String> REFUSED = Map.ofEntries(
            Map.entry("transfer_output_remaps", "Files stay where the job writes them"),
            Map.entry("output_destination", "Files stay where the job writes them"),
            Map.entry("deferral_time", "A node starts as soon as its parents are done"),
            Map.entry("cron_minute", "A node runs once"),
            Map.entry("cron_hour", "A node runs once"),
            Map.entry("cron_day_of_month", "A node runs once"),
            Map.entry("cron_month", "A node runs once"),
            Map.entry("cron_day_of_week", "A node runs once"),
            Map.entry("max_retries", "Jobs are not retried by themselves; RETRY repeats the node"),
            Map.entry("retry_until", "Jobs are not retried by themselves; RETRY repeats the node"),
            Map.entry("success_exit_code", "A job succeeds with exit code 0"),
            Map.entry("on_exit_hold", "A job ends when its program does"),
            Map.entry("on_exit_remove", "A job ends when its program does"),
            Map.entry("checkpoint_exit_code", "A job ends when its program does"),
            Map.entry("noop_job", "Write NOOP into the DAG"),
            Map.entry("x509userproxy", "No proxy is handed on to jobs"),
            Map.entry("use_x509userproxy", "No proxy is handed on to jobs"),
            Map.entry("use_oauth_services", "No token is handed on to jobs"));

    /** Commands that change where, when or how fast it runs. */
    private static final Map<String, String> WAIVABLE = Map.ofEntries(
            Map.entry("requirements", "Slurm does not match ClassAds; say it as --sbatch sbatch,--constraint=..."),
            Map.entry("rank", "Slurm does not rank machines"),
            Map.entry("preferences", "Slurm does not rank machines"),
            Map.entry("request_disk", "Slurm hands out no disk"),
            Map.entry("periodic_hold", "Slurm evaluates no expressions of a job"),
            Map.entry("periodic_remove", "Slurm evaluates no expressions of a job"),
            Map.entry("periodic_release", "Slurm evaluates no expressions of a job"),
            Map.entry("periodic_vacate", "Slurm evaluates no expressions of a job"),
            Map.entry("concurrency_limits", "Slurm has licences instead; say it as --sbatch sbatch,--licenses=..."),
            Map.entry("allowed_job_duration", "Say it as --sbatch sbatch,--time=..."),
            Map.entry("allowed_execute_duration", "Say it as --sbatch sbatch,--time=..."),
            Map.entry("priority", "Slurm computes priorities by itself"),
            Map.entry("nice_user", "Say it as --sbatch sbatch,--nice"),
            Map.entry("accounting_group", "Say it as --sbatch sbatch,--account=..."),
            Map.entry("accounting_group_user", "Say it as --sbatch sbatch,--account=..."),
            Map.entry("notify_user", "Say it as --sbatch sbatch,--mail-user=..."));

    private final DagNode node;
    private final Map<String, DagNode.Place> used;
    private final UnsupportedFeatures unsupported;

    /** @param used the commands of the node's description, without underscores */
    SubmitRules(DagNode node, Map<String, DagNode.Place> used, UnsupportedFeatures unsupported) {
        this.node = node;
        this.used = used;
        this.unsupported = unsupported;
    }

    void checkCommands() {
        REFUSED.forEach((command, reason) -> {
            DagNode.Place place = used.get(SubmitScan.plain(command));
            if (place != null) {
                unsupported.refuse(place, command, about(reason), "");
            }
        });
        WAIVABLE.forEach((command, reason) -> {
            DagNode.Place place = used.get(SubmitScan.plain(command));
            if (place != null) {
                unsupported.refuseUnlessWaived(place, command, about(reason));
            }
        });
    }

    void check(JobAd ad) {
        String universe = ad.get("JobUniverse").orElse("");
        if (!UNIVERSES.contains(universe)) {
            unsupported.refuse(
                    place("universe"), "universe", about("Only vanilla, local and scheduler jobs are programs"), "");
        }
        for (String attribute : new String[] {"DockerImage", "ContainerImage", "WantDockerImage", "WantContainer"}) {
            if (ad.get(attribute).isPresent()) {
                String command = attribute.contains("Docker") ? "docker_image" : "container_image";
                unsupported.refuse(place(command), command, about("Containers are not started"), "");
            }
        }
        if (ad.get("JobStatus").filter("5"::equals).isPresent()) {
            unsupported.refuse(place("hold"), "hold", about("The DAG would wait for it for ever"), "");
        }
        files(ad, "TransferInput", "transfer_input_files");
        files(ad, "TransferOutput", "transfer_output_files");
        ad.attributes().forEach((name, text) -> {
            if (text.contains("$$(")) {
                unsupported.refuse(
                        node.place(),
                        "$$()",
                        about("The value of " + name + " still asks for a machine's attribute"),
                        "");
            }
        });
    }

    /** A job runs in its initial directory, so what is there, or to be left there, needs no transfer. */
    private void files(JobAd ad, String attribute, String command) {
        for (String name : ad.string(attribute).orElse("").split(",")) {
            String plain = name.strip();
            if (plain.contains("/") && !plain.matches("\\./[^/]+/?|[^/]+/")) {
                unsupported.refuse(
                        place(command),
                        command,
                        about("The file (" + plain + ") is not in the job's directory, and nothing is transferred"),
                        "Jobs run in their initialdir, on a file system that the machines share.");
            }
        }
    }

    private DagNode.Place place(String command) {
        return used.getOrDefault(SubmitScan.plain(command), node.place());
    }

    private String about(String reason) {
        return reason + " (node " + node.name() + ")";
    }

    /**
     * A whole number that a description asks for.
     *
     * @return empty if it does not, or not for a number
     */
    java.util.OptionalLong amount(JobAd ad, String command, String attribute) {
        DagNode.Place place = used.getOrDefault(SubmitScan.plain(command), used.get(SubmitScan.plain(attribute)));
        String text = ad.get(attribute).orElse("");
        if (place == null || text.isEmpty()) {
            return java.util.OptionalLong.empty();
        }
        if (text.matches("\\d{1,15}")) {
            return java.util.OptionalLong.of(Long.parseLong(text));
        }
        unsupported.refuse(place, command, about("The amount (" + text + ") is no whole number"), "");
        return java.util.OptionalLong.empty();
    }
}
