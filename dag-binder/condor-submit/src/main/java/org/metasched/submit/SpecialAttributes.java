package org.metasched.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Attributes of special kinds of jobs (accounted, deferred, parallel, Java, limited, on grids), and those that every job gets. */
final class SpecialAttributes extends AttributeGroup {

    private static final Set<String> DEFERRING =
            Set.of("CronMinute", "CronHour", "CronDayOfMonth", "CronMonth", "CronDayOfWeek", "DeferralTime");

    SpecialAttributes(AdMaker maker) {
        super(maker);
    }

    /** Whether the job starts at a given time. */
    static boolean isDeferred(JobAd ad) {
        return DEFERRING.stream().anyMatch(ad::has);
    }

    void universe() throws SubmitException {
        ad.put("JobUniverse", maker.universe.number());
        if (maker.universe.docker()) {
            ad.put("WantDocker", true);
        }
        if (maker.universe.container()) {
            if (settings.isSet("docker_image", "DockerImage")) {
                ad.put("WantDockerImage", true);
            }
            ad.put("WantContainer", true);
        }
        if (settings.truth(false, "WantParallelScheduling")) {
            ad.put("WantParallelScheduling", true);
        }
        Optional<String> remote = settings.get("Remote_universe", "Remote_JobUniverse");
        if (remote.isPresent()) {
            ad.put("Remote_JobUniverse", remoteUniverse(remote.get()));
        }
    }

    private long remoteUniverse(String name) throws SubmitException {
        int number = Universe.named(name.strip());
        if (number == Universe.VANILLA || number >= Universe.SCHEDULER && number != Universe.MPI) {
            return number;
        }
        return SubmitNumbers.integer(name)
                .filter(n -> n > 0)
                .orElseThrow(
                        () -> settings.error("Remote_universe", "Unknown Remote_Universe of '" + name + "' specified"));
    }

    void grid() throws SubmitException {
        if (!maker.universe.is(Universe.GRID)) {
            return;
        }
        SimpleCommands.GRIDS.apply(maker);
        CloudAttributes.apply(maker);
    }

    void parallel() throws SubmitException {
        boolean parallel = maker.universe.is(Universe.PARALLEL);
        if (maker.universe.is(Universe.MPI) || parallel || ad.isTrue("WantParallelScheduling")) {
            Optional<String> machines = settings.get("machine_count", "MachineCount");
            if (machines.isEmpty()) {
                machines = settings.get("node_count", "NodeCount");
            }
            settings.refuseIf(machines.isEmpty(), "universe", "No machine_count specified!");
            long count = SubmitNumbers.integer(machines.get()).orElse(0L);
            ad.put("MinHosts", count);
            ad.put("MaxHosts", count);
            ad.put("RequestCpus", 1);
        }
        if (parallel) {
            ad.put("WantIOProxy", true);
            ad.put("JobRequiresSandbox", true);
        }
    }

    void java() throws SubmitException {
        Optional<String> old = settings.get("java_vm_args");
        Optional<String> text = settings.get("java_vm_arguments", "JavaVMArgs");
        Optional<String> modern = settings.get("java_vm_arguments2");
        settings.refuseIf(
                old.isPresent() && text.isPresent(),
                "java_vm_args",
                "you specified a value for both java_vm_args and java_vm_arguments.");
        Optional<String> chosen = modern.isPresent() ? modern : text.isPresent() ? text : old;
        if (chosen.isPresent()) {
            new ExecutionAttributes(maker)
                    .putArguments("JavaVMArgs", "JavaVMArguments", chosen, "java_vm_arguments", false);
        }
    }

    void toolDaemon() throws SubmitException {
        if (!settings.isSet("tool_daemon_cmd", "ToolDaemonCmd")) {
            return;
        }
        SimpleCommands.TOOLS.apply(maker);
        if (settings.isSet("suspend_job_at_exec", "SuspendJobAtExec")) {
            ad.put("SuspendJobAtExec", settings.truth(false, "suspend_job_at_exec", "SuspendJobAtExec"));
        }
        Optional<String> text = settings.get("tool_daemon_arguments2");
        Optional<String> plain = settings.get("tool_daemon_arguments", "ToolDaemonArgs");
        Optional<String> old = settings.get("tool_daemon_args");
        settings.refuseIf(
                plain.isPresent() && old.isPresent(),
                "tool_daemon_args",
                "you specified both tdp_daemon_args and tdp_daemon_arguments");
        text = text.or(() -> plain).or(() -> old);
        new ExecutionAttributes(maker)
                .putArguments("ToolDaemonArgs", "ToolDaemonArguments", text, "tool_daemon_arguments", false);
    }

    void containerServices() throws SubmitException {
        if (!maker.universe.docker() && !maker.universe.container()) {
            return;
        }
        Optional<String> services = settings.get("container_service_names", "ContainerServiceNames");
        if (services.isEmpty()) {
            return;
        }
        ad.putString("ContainerServiceNames", services.get());
        for (String service : services.get().split("[\\s,]+")) {
            long port = settings.integer(service + "_container_port").orElse(-1L);
            settings.refuseIf(
                    port < 0 || port > 65535,
                    "container_service_names",
                    "Requested container service '%s' was not assigned a port, or the assigned port was not valid.",
                    service);
            ad.put(service + "_ContainerPort", port);
        }
    }

    void limits() throws SubmitException {
        Optional<String> names = settings.get("concurrency_limits");
        Optional<String> expression = settings.get("concurrency_limits_expr");
        settings.refuseIf(
                names.isPresent() && expression.isPresent(),
                "concurrency_limits",
                "concurrency_limits and concurrency_limits_expr can't be used together");
        if (names.isPresent()) {
            List<String> limits = new ArrayList<>();
            for (String limit : names.get().toLowerCase(Locale.ROOT).split("[\\s,]+")) {
                boolean isLimit = limit.matches("[a-z_][a-z0-9_.@-]*(:[0-9.]+)?");
                settings.refuseIf(!isLimit, "concurrency_limits", "Invalid concurrency limit '%s'", limit);
                limits.add(limit);
            }
            limits.sort(null);
            ad.putString("ConcurrencyLimits", String.join(",", limits));
        } else if (expression.isPresent()) {
            maker.expression("ConcurrencyLimits", "concurrency_limits_expr", expression.get());
        }
    }

    void accounting() throws SubmitException {
        Optional<String> group = settings.get("accounting_group", "AccountingGroup");
        if (settings.truth(false, "nice_user", "NiceUser")) {
            group = group.or(() -> Optional.of("nice-user"));
            ad.put("MaxJobRetirementTime", 0);
        }
        Optional<String> user = settings.get("accounting_group_user", "AcctGroupUser");
        if (group.isEmpty() && user.isEmpty()) {
            return;
        }
        String owner = user.orElse(maker.context.user());
        for (String name : List.of(group.orElse("x"), owner)) {
            settings.refuseIf(
                    !name.matches("[A-Za-z0-9_.@-]+"), "accounting_group", "Invalid accounting_group: %s", name);
        }
        ad.putString("AcctGroupUser", owner);
        group.ifPresent(name -> ad.putString("AcctGroup", name));
        ad.putString("AccountingGroup", group.map(name -> name + "." + owner).orElse(owner));
    }

    void deferral() throws SubmitException {
        Optional<String> time = settings.get("deferral_time", "DeferralTime");
        if (time.isPresent()) {
            maker.expression("DeferralTime", "deferral_time", time.get());
            checkSeconds("DeferralTime", "deferral_time", time.get());
        }
        if (!isDeferred(ad)) {
            return;
        }
        settings.refuseIf(
                maker.universe.is(Universe.SCHEDULER),
                "deferral_time",
                "DeferralTime does not work for scheduler universe jobs."
                        + "\nConsider submitting this job using the local universe, instead");
        deferralNumber("DeferralWindow", 0, "cron_window", "CronWindow", "deferral_window", "DeferralWindow");
        deferralNumber(
                "DeferralPrepTime", 300, "cron_prep_time", "CronPrepTime", "deferral_prep_time", "DeferralPrepTime");
    }

    /** Puts a number of seconds; {@code cron}, the form of the command for cron jobs, overrides the other. */
    private void deferralNumber(
            String attribute, long otherwise, String cron, String cronAttribute, String key, String keyAttribute)
            throws SubmitException {
        Optional<String> ofCron = settings.get(cron, cronAttribute);
        Optional<String> value = ofCron.isPresent() ? ofCron : settings.get(key, keyAttribute);
        ad.put(attribute, otherwise);
        if (value.isPresent()) {
            String command = ofCron.isPresent() ? cron : key;
            maker.expression(attribute, command, value.get());
            checkSeconds(attribute, command, value.get());
        }
    }

    private void checkSeconds(String attribute, String key, String text) throws SubmitException {
        boolean literal =
                ad.expression(attribute).filter(SubmitExpressions::isLiteral).isPresent();
        if (literal && !text.strip().matches("\\d+")) {
            throw settings.error(key, key + " = " + text + " is invalid, must eval to a non-negative integer.");
        }
    }

    /** The attributes that every job gets. */
    void automatic() {
        if (!ad.has("MaxHosts") && !maker.universe.is(Universe.MPI)) {
            ad.put("MinHosts", 1);
            ad.put("MaxHosts", 1);
        }
        ad.put("CurrentHosts", 0);
        if (ad.has("CheckpointExitCode")) {
            ad.put("WantFTOnCheckpoint", true);
        }
        if (maker.universe.canReconnect() && !ad.has("JobLeaseDuration")) {
            ad.put("JobLeaseDuration", 2400);
        }
        if (!ad.has("JobPrio")) {
            ad.put("JobPrio", 0);
        }
        if (ad.has("JobStarterLog") && !ad.has("JobStarterDebug")) {
            ad.put("JobStarterDebug", true);
        }
        ad.expression("JobLeaseDuration")
                .flatMap(SubmitExpressions::literalNumber)
                .filter(seconds -> seconds > 0 && seconds < 20)
                .ifPresent(seconds -> ad.put("JobLeaseDuration", 20));
    }
}
