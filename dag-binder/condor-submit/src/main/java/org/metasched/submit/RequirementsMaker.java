package org.metasched.submit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.metasched.classad.Expr;

/** Makes the Requirements of a job: the user's, and those that condor adds about attributes that the user does not mention. */
final class RequirementsMaker extends AttributeGroup {

    private static final Set<String> OPERATING_SYSTEM =
            Set.of("opsys", "opsysandver", "opsyslongname", "opsysshortname", "opsysname", "opsyslegacy");

    /** The name of a request for a resource that the pool defines. */
    private static final Pattern CUSTOM_REQUEST = Pattern.compile("(?i)request(?!(cpus|disk|memory)$)[^_].+");

    private final Universe universe;
    private final StringBuilder text = new StringBuilder();
    private Set<String> mentioned = Set.of();

    RequirementsMaker(AdMaker maker) {
        super(maker);
        this.universe = maker.universe;
    }

    void apply() throws SubmitException {
        Optional<String> own = settings.get("requirements");
        if (settings.isSet("MY.Requirements")) {
            return;
        }
        own.ifPresent(requirements -> text.append('(').append(requirements).append(')'));
        if (universe.is(Universe.GRID) && !universe.isGrid("condor")) {
            maker.expression("Requirements", "requirements", own.isPresent() ? text.toString() : "true");
            return;
        }
        mentioned = new TreeSet<>();
        SubmitExpressions.parse(text.toString())
                .map(SubmitExpressions::machineReferences)
                .ifPresent(mentioned::addAll);
        mentioned.remove("requestmemory");
        platform();
        resources();
        mightTransfer();
        deferral();
        if (ad.isTrue("WantFTOnCheckpoint") && !mentioned.contains("hasselfcheckpointtransfers")) {
            and("TARGET.HasSelfCheckpointTransfers");
        }
        cuda();
        maker.expression("Requirements", "requirements", text.toString());
    }

    private void and(String clause) {
        text.append(text.length() > 0 ? " && " : "").append(clause);
    }

    private void platform() {
        if (universe.is(Universe.JAVA)) {
            and("TARGET.HasJava");
            return;
        }
        if (!mentioned.contains("arch")) {
            and("(TARGET.Arch == \"X86_64\")");
        }
        if (universe.is(Universe.VM)) {
            virtualMachine();
        } else if (universe.docker()) {
            and("TARGET.HasDocker");
            String network = ad.string("DockerNetworkType").orElse("");
            if (!network.isEmpty() && !List.of("host", "none", "nat").contains(network)) {
                and("StringListMember(My.DockerNetworkType,TARGET.DockerNetworks)");
            }
        } else if (universe.container()) {
            and("TARGET.HasContainer");
            and(
                    ad.has("DockerImage") || ad.has("WantDockerImage")
                            ? "TARGET.HasDockerURL"
                            : ad.has("WantSIF") ? "TARGET.HasSIF" : "TARGET.HasSandboxImage");
        } else if (mentioned.stream().noneMatch(OPERATING_SYSTEM::contains)) {
            and("(TARGET.OpSys == \"LINUX\")");
        }
    }

    private void virtualMachine() {
        andUnless("hasvm", "(TARGET.HasVM =?= true)");
        andUnless("vm_type", "(TARGET.VM_Type == MY.JobVMType)");
        andUnless("vm_availnum", "(TARGET.VM_AvailNum > 0)");
        if (ad.isTrue("JobVMCheckpoint")) {
            and("((MY.VM_CkptMac =?= UNDEFINED) || (TARGET.VM_All_Guest_Macs =?= UNDEFINED)"
                    + " || (stringListIMember(MY.VM_CkptMac,TARGET.VM_All_Guest_Macs,\",\") == FALSE))");
        }
    }

    private void andUnless(String attribute, String clause) {
        if (!mentioned.contains(attribute)) {
            and(clause);
        }
    }

    private void resources() {
        disk();
        if (universe.is(Universe.VM)) {
            if (!ad.string("JobVMType").orElse("").equalsIgnoreCase("xen")) {
                and("(TARGET.TotalMemory >= MY.JobVMMemory)");
            }
            andUnless("vm_memory", "(TARGET.VM_Memory >= MY.JobVMMemory)");
            if (ad.isTrue("JobVMHardwareVT")) {
                andUnless("vm_hardwarevt", "TARGET.VM_HardwareVT");
            }
            if (ad.isTrue("JobVMNetworking")) {
                andUnless("vm_networking", "TARGET.VM_Networking");
                if (ad.has("JobVMNetworkingType")) {
                    and("stringListIMember(JobVMNetworkingType,TARGET.VM_Networking_Types,\",\")");
                }
            }
        } else if (asksForMoreThan("RequestMemory", 1)) {
            and("(TARGET.Memory >= RequestMemory)");
        }
        if (!universe.is(Universe.GRID) && !mentioned.contains("cpus") && asksForMoreThan("RequestCpus", 1)) {
            and("(TARGET.Cpus >= RequestCpus)");
        }
        custom();
        if (ad.has("ToolDaemonCmd")) {
            andUnless("hastdp", "TARGET.HasTDP");
        }
        if (ad.isTrue("EncryptExecuteDirectory")) {
            andUnless("encryptexecutedirectory", "TARGET.HasEncryptExecuteDirectory");
        }
        if (universe.is(Universe.MPI)) {
            andUnless("hasmpi", "TARGET.HasMPI");
        }
    }

    private void disk() {
        boolean recentMachinesCheckThemselves = universe.is(Universe.VANILLA);
        String clause = recentMachinesCheckThemselves
                ? "(versionGE(split(TARGET.CondorVersion)[1],\"25.12.0\") || (TARGET.Disk >= RequestDisk))"
                : "(TARGET.Disk >= RequestDisk)";
        if (mentioned.contains("disk")) {
            if (!universe.is(Universe.VM) && ad.has("RequestDisk")) {
                and("(TARGET.Disk >= RequestDisk)");
            }
        } else if (ad.has("RequestDisk")) {
            if (asksForMoreThan("RequestDisk", 0)) {
                and(clause);
            }
        } else {
            and(universe.is(Universe.VM) ? "(TARGET.TotalDisk >= DiskUsage)" : "(TARGET.Disk >= DiskUsage)");
        }
    }

    /** Whether a request is an expression, or a number greater than the given one. */
    private boolean asksForMoreThan(String attribute, double number) {
        Optional<Expr> expr = ad.expression(attribute);
        return expr.isPresent()
                && SubmitExpressions.literalNumber(expr.get())
                        .map(n -> n > number)
                        .orElse(true);
    }

    /** Adds the clauses about resources that the pool defines, which {@code request_NAME} asks for. */
    private void custom() {
        TreeSet<String> requests = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        ad.attributes().keySet().stream()
                .filter(CUSTOM_REQUEST.asMatchPredicate())
                .forEach(requests::add);
        for (String request : requests) {
            String tag = request.substring("Request".length());
            if (!mentioned.contains(tag.toLowerCase(Locale.ROOT))) {
                custom(request, tag);
            }
        }
    }

    private void custom(String request, String tag) {
        Optional<String> string = ad.string(request);
        if (string.isPresent()) {
            if (!string.get().isEmpty()) {
                and("regexp(" + request + ",TARGET." + tag + ")");
            }
            return;
        }
        if (!asksForMoreThan(request, 0)) {
            return;
        }
        String require = "Require" + tag;
        and(
                ad.has(require)
                        ? "(countMatches(MY." + require + ",TARGET.Available" + tag + ") >= " + request + ")"
                        : "(TARGET." + tag + " >= " + request + ")");
    }

    private void mightTransfer() throws SubmitException {
        if (!universe.mightTransfer()) {
            return;
        }
        String domain = "(TARGET.FileSystemDomain == MY.FileSystemDomain)";
        String should = ad.string("ShouldTransferFiles").orElse("IF_NEEDED");
        if (should.equals("NO")) {
            andUnless("filesystemdomain", domain);
            return;
        }
        Set<String> methods = methods();
        if (!methods.isEmpty()) {
            ad.putString("WantTransferPluginMethods", String.join(",", methods));
        }
        if (mentioned.contains("hasfiletransfer") || mentioned.contains("hasjobtransferplugins")) {
            return;
        }
        String transfer = transfer(methods);
        boolean either = should.equals("IF_NEEDED") && !mentioned.contains("filesystemdomain");
        and(either ? "(" + domain + " || (" + transfer + "))" : "(" + transfer + ")");
    }

    /** The clause that a machine can take part in the transfer of files. */
    private String transfer(Set<String> methods) throws SubmitException {
        StringBuilder transfer = new StringBuilder();
        transfer.append(ad.has("TransferPlugins") ? "TARGET.HasJobTransferPlugins" : "TARGET.HasFileTransfer");
        boolean encrypts = ad.has("EncryptInputFiles")
                || ad.has("EncryptOutputFiles")
                || ad.has("DontEncryptInputFiles")
                || ad.has("DontEncryptOutputFiles");
        if (encrypts && !mentioned.contains("hasperfileencryption")) {
            transfer.append(" && TARGET.HasPerFileEncryption");
        }
        boolean recent = ad.has("TransferCheckpoint")
                || ad.isTrue("PreserveRelativePaths")
                || ad.string("WhenToTransferOutput").orElse("").equals("ON_SUCCESS");
        if (recent) {
            transfer.append(" && versioncmp(split(TARGET.CondorVersion)[1],\"8.9.7\") >= 0");
        }
        if (!mentioned.contains("hasfiletransferpluginmethods")) {
            for (String method : methods) {
                transfer.append(" && stringListIMember(\"")
                        .append(method)
                        .append("\",TARGET.HasFileTransferPluginMethods)");
                requireKeys(method);
            }
        }
        return transfer.toString();
    }

    private void requireKeys(String method) throws SubmitException {
        if (!method.equalsIgnoreCase("s3") && !method.equalsIgnoreCase("gs")) {
            return;
        }
        String reason = "[s3|gs]:// URLs require [s3|aws|gs]_%s_file to be set.";
        settings.refuseIf(!ad.has("EC2AccessKeyId"), "transfer_input_files", reason, "access_key_id");
        settings.refuseIf(!ad.has("EC2SecretAccessKey"), "transfer_input_files", reason, "secret_access_key");
    }

    /** The URL schemes of the files to be transferred, except those whose plugin is transferred with the job. */
    private Set<String> methods() {
        Set<String> methods = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String file : AdMaker.list(ad.string("TransferInput").orElse(""))) {
            addMethod(methods, file);
        }
        addMethod(methods, ad.string("OutputDestination").orElse(""));
        for (String remap : ad.string("TransferOutputRemaps").orElse("").split(";")) {
            int equals = remap.indexOf('=');
            addMethod(methods, equals < 0 ? "" : remap.substring(equals + 1).strip());
        }
        for (String plugin : ad.string("TransferPlugins").orElse("").split(";")) {
            int equals = plugin.indexOf('=');
            if (equals > 0) {
                AdMaker.list(plugin.substring(0, equals)).forEach(methods::remove);
            }
        }
        return methods;
    }

    private static void addMethod(Set<String> methods, String file) {
        if (AdMaker.isUrl(file)) {
            methods.add(AdMaker.urlScheme(file));
        }
    }

    private void deferral() {
        if (!SpecialAttributes.isDeferred(ad)) {
            return;
        }
        if (!universe.is(Universe.LOCAL)) {
            and("TARGET.HasJobDeferral");
        }
        if (!ad.has("ScheddInterval")) {
            ad.put("ScheddInterval", 300);
        }
        and(
                "(((time() + ScheddInterval) >= (DeferralTime - DeferralPrepTime)) && (time() < (DeferralTime + DeferralWindow)))");
    }

    private void cuda() throws SubmitException {
        Optional<String> version = ad.string("CUDAVersion");
        if (version.isEmpty()) {
            return;
        }
        settings.refuseIf(
                !version.get().matches("\\d{1,6}(\\.\\d{1,6})?"),
                "cuda_version",
                "cuda_version must be of the form 'x' or 'x.y', where x and y are positive integers.");
        String[] parts = version.get().split("\\.");
        // The version x.y becomes x * 1000 + y, as condor computes it.
        long major = Long.parseLong(parts[0]);
        long number =
                parts.length > 1 ? major * 1000 + Long.parseLong(parts[1]) % 100 : major < 1000 ? major * 1000 : major;
        ad.put("CUDAVersion", number);
        and("CUDAVersion <= TARGET.CUDAMaxSupportedVersion");
    }
}
