package org.metasched.dag.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Attributes of special kinds of jobs: accounted, deferred, parallel, Java, virtual machines, limited, on grids. */
final class SpecialAttributes {

    private static final Set<String> DEFERRING =
            Set.of("CronMinute", "CronHour", "CronDayOfMonth", "CronMonth", "CronDayOfWeek", "DeferralTime");

    private final AdMaker maker;
    private final Settings settings;
    private final JobAd ad;

    SpecialAttributes(AdMaker maker) {
        this.maker = maker;
        this.settings = maker.settings;
        this.ad = maker.ad;
    }

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
        switch (name.strip().toLowerCase(Locale.ROOT)) {
            case "vanilla":
                return Universe.VANILLA;
            case "scheduler":
                return Universe.SCHEDULER;
            case "grid":
                return Universe.GRID;
            case "java":
                return Universe.JAVA;
            case "parallel":
                return Universe.PARALLEL;
            case "local":
                return Universe.LOCAL;
            case "vm":
                return Universe.VM;
            default:
                return Numbers.integer(name)
                        .filter(n -> n > 0)
                        .orElseThrow(() -> settings.error(
                                "Remote_universe", "Unknown Remote_Universe of '" + name + "' specified"));
        }
    }

    void grid() throws SubmitException {
        if (!maker.universe.is(Universe.GRID)) {
            return;
        }
        maker.stringIf("GridResource", "grid_resource", "GridResource");
        maker.stringIf("ArcRte", "arc_rte", "ArcRte");
        maker.stringIf("ArcResources", "arc_resources", "ArcResources");
        maker.stringIf("ArcApplication", "arc_application", "ArcApplication");
        maker.stringIf("BatchExtraSubmitArgs", "batch_extra_submit_args", "BatchExtraSubmitArgs");
        maker.stringIf("BatchProject", "batch_project", "BatchProject");
        maker.stringIf("BatchQueue", "batch_queue", "BatchQueue");
        maker.expressionIf("BatchRuntime", "batch_runtime", "BatchRuntime");
        CloudAttributes.apply(maker);
    }

    void parallel() throws SubmitException {
        boolean parallel = maker.universe.is(Universe.PARALLEL);
        if (maker.universe.is(Universe.MPI) || parallel || ad.isTrue("WantParallelScheduling")) {
            Optional<String> machines = settings.get("machine_count", "MachineCount");
            if (machines.isEmpty()) {
                machines = settings.get("node_count", "NodeCount");
            }
            if (machines.isEmpty()) {
                throw settings.error("universe", "No machine_count specified!");
            }
            long count = Numbers.integer(machines.get()).orElse(0L);
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
        Optional<String> chosen = modern.isPresent() ? modern : text.isPresent() ? text : old;
        if (chosen.isPresent()) {
            new ExecutionAttributes(maker)
                    .putArguments("JavaVMArgs", "JavaVMArguments", chosen, "java_vm_arguments", false);
        }
    }

    void virtualMachine() throws SubmitException {
        if (!maker.universe.is(Universe.VM)) {
            return;
        }
        Optional<String> type = settings.get("vm_type", "JobVMType");
        if (type.isPresent()) {
            ad.putString("JobVMType", type.get().toLowerCase(Locale.ROOT));
        }
        ad.put("JobVMCheckpoint", settings.truth(false, "vm_checkpoint", "JobVMCheckpoint"));
        ad.put("JobVMNetworking", settings.truth(false, "vm_networking", "JobVMNetworking"));
        maker.stringIf("JobVMNetworkingType", "vm_networking_type", "JobVMNetworkingType");
        ad.put("JobVM_VNC", settings.truth(false, "vm_vnc", "JobVM_VNC"));
        Optional<String> memory = settings.get("vm_memory", "JobVMMemory");
        long mebibytes = memory.flatMap(text -> Numbers.bytes(text, 1L << 20)).orElse(0L);
        if (mebibytes < 1) {
            throw settings.error(
                    "vm_memory",
                    "vm_memory cannot be found.\nPlease specify vm_memory for vm universe in your"
                            + " submit description file.");
        }
        ad.put("JobVMMemory", mebibytes);
        ad.put("ExecutableSize", mebibytes * 1024);
        ad.put(
                "JobVM_VCPUS",
                Math.max(
                        1,
                        settings.get("vm_vcpus", "JobVM_VCPUS")
                                .flatMap(Numbers::integer)
                                .orElse(1L)));
        maker.stringIf("JobVM_MACADDR", "vm_macaddr", "JobVM_MACADDR");
        disk(type.orElse("").toLowerCase(Locale.ROOT));
    }

    private void disk(String type) throws SubmitException {
        if (type.equals("vmware")) {
            throw settings.error("vm_type", "A vm_type of 'vmware' is no longer supported");
        }
        if (type.equals("xen") || type.equals("kvm")) {
            Optional<String> disk = settings.get("vm_disk");
            if (disk.isEmpty()) {
                throw settings.error("vm_disk", "'<vm>_disk' cannot be found.");
            }
            ad.putString("VMPARAM_vm_Disk", disk.get());
        }
        if (type.equals("xen")) {
            Optional<String> kernel = settings.get("xen_kernel", "VMPARAM_Xen_Kernel");
            if (kernel.isEmpty()) {
                throw settings.error("xen_kernel", "'xen_kernel' cannot be found.");
            }
            ad.putString("VMPARAM_Xen_Kernel", kernel.get());
        }
    }

    void toolDaemon() throws SubmitException {
        if (!settings.isSet("tool_daemon_cmd", "ToolDaemonCmd")) {
            return;
        }
        maker.stringIf("ToolDaemonCmd", "tool_daemon_cmd", "ToolDaemonCmd");
        maker.stringIf("ToolDaemonInput", "tool_daemon_input", "ToolDaemonInput");
        maker.stringIf("ToolDaemonOutput", "tool_daemon_output", "ToolDaemonOutput");
        maker.stringIf("ToolDaemonError", "tool_daemon_error", "ToolDaemonError");
        if (settings.isSet("suspend_job_at_exec", "SuspendJobAtExec")) {
            ad.put("SuspendJobAtExec", settings.truth(false, "suspend_job_at_exec", "SuspendJobAtExec"));
        }
        Optional<String> text = settings.get("tool_daemon_arguments2");
        text = text.isPresent() ? text : settings.get("tool_daemon_arguments", "tool_daemon_args");
        new ExecutionAttributes(maker)
                .putArguments("ToolDaemonArgs", "ToolDaemonArguments", text, "tool_daemon_arguments", false);
    }

    void credentials() throws SubmitException {
        Optional<String> proxy = settings.get("x509userproxy");
        proxy.ifPresent(file -> ad.putString("x509userproxy", maker.inJobDirectory(file)));
        Optional<Long> lifetime =
                settings.integer("delegate_job_gsi_credentials_lifetime", "DelegateJobGSICredentialsLifetime");
        lifetime.ifPresent(seconds -> ad.put("DelegateJobGSICredentialsLifetime", seconds));
        Optional<String> token = settings.get("scitokens_file", "ScitokensFile");
        String use = settings.get("use_scitokens", "use_scitoken").orElse(token.isPresent() ? "true" : "false");
        boolean wanted = use.equalsIgnoreCase("auto")
                ? token.isPresent()
                : Numbers.truth(use).orElse(false);
        Optional<String> file =
                token.or(() -> Optional.ofNullable(maker.context.environment().get("BEARER_TOKEN_FILE")));
        if (wanted && file.isPresent()) {
            ad.putString("ScitokensFile", maker.inJobDirectory(file.get()));
        } else if (wanted) {
            throw settings.error(
                    "use_scitokens",
                    "No Scitokens filename specified. Expected either scitokens_file command or the"
                            + " BEARER_TOKEN_FILE environment variable to be set.");
        }
        Optional<String> services = settings.get("use_oauth_services", "UseOAuthServices");
        services.ifPresent(names -> ad.putString("OAuthServicesNeeded", String.join(",", AdMaker.list(names))));
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
            if (port < 0 || port > 65535) {
                throw settings.error(
                        "container_service_names",
                        "Requested container service '" + service
                                + "' was not assigned a port, or the assigned port was not valid.");
            }
            ad.put(service + "_ContainerPort", port);
        }
    }

    void limits() throws SubmitException {
        Optional<String> names = settings.get("concurrency_limits");
        Optional<String> expression = settings.get("concurrency_limits_expr");
        if (names.isPresent() && expression.isPresent()) {
            throw settings.error(
                    "concurrency_limits", "concurrency_limits and concurrency_limits_expr can't be used together");
        }
        if (names.isPresent()) {
            List<String> limits = new ArrayList<>();
            for (String limit : names.get().toLowerCase(Locale.ROOT).split("[\\s,]+")) {
                if (!limit.matches("[a-z_][a-z0-9_.@-]*(:[0-9.]+)?")) {
                    throw settings.error("concurrency_limits", "Invalid concurrency limit '" + limit + "'");
                }
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
            if (!name.matches("[A-Za-z0-9_.@-]+")) {
                throw settings.error("accounting_group", "Invalid accounting_group: " + name);
            }
        }
        ad.putString("AcctGroupUser", owner);
        group.ifPresent(name -> ad.putString("AcctGroup", name));
        ad.putString("AccountingGroup", group.map(name -> name + "." + owner).orElse(owner));
    }

    void deferral() throws SubmitException {
        maker.expressionIf("DeferralTime", "deferral_time", "DeferralTime");
        if (!isDeferred(ad)) {
            return;
        }
        if (maker.universe.is(Universe.SCHEDULER)) {
            throw settings.error(
                    "deferral_time",
                    "DeferralTime does not work for scheduler universe jobs."
                            + "\nConsider submitting this job using the local universe, instead");
        }
        ad.put("DeferralWindow", 0);
        maker.expressionIf("DeferralWindow", "deferral_window", "DeferralWindow");
        maker.expressionIf("DeferralWindow", "cron_window", "CronWindow");
        ad.put("DeferralPrepTime", 300);
        maker.expressionIf("DeferralPrepTime", "deferral_prep_time", "DeferralPrepTime");
        maker.expressionIf("DeferralPrepTime", "cron_prep_time", "CronPrepTime");
    }

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
                .flatMap(Expressions::literalNumber)
                .filter(seconds -> seconds > 0 && seconds < 20)
                .ifPresent(seconds -> ad.put("JobLeaseDuration", 20));
    }
}
