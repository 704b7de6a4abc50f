package org.metasched.submit;

import java.util.List;
import java.util.Locale;

/** Makes one job ad from the current settings. The order of the steps is condor's, as later ones look at earlier ones. */
final class JobAdBuilder {

    private static final List<String> COUNTERS =
            List.of(("ExitStatus NumCkpts NumJobStarts NumJobCompletions NumRestarts NumSystemHolds"
                            + " CommittedTime CommittedSlotTime CumulativeSlotTime TotalSuspensions LastSuspensionTime"
                            + " CumulativeSuspensionTime CommittedSuspensionTime")
                    .split(" "));
    private static final List<String> TIMES = List.of(
            "RemoteWallClockTime RemoteUserCpu RemoteSysCpu CumulativeRemoteUserCpu CumulativeRemoteSysCpu".split(" "));

    private JobAdBuilder() {}

    static JobAd build(SubmitSettings settings, SubmitContext context, int cluster, int process, List<String> missing)
            throws SubmitException {
        AdMaker maker = new AdMaker(settings, context, missing);
        JobAd ad = maker.ad;
        ad.put("MyType", "\"Job\"");
        ad.put("TargetType", "\"Machine\"");
        ad.put("ClusterId", cluster);
        ad.put("ProcId", process);
        ad.put("JobSubmitMethod", 0);
        ad.put("Owner", "undefined");
        TIMES.forEach(name -> ad.put(name, "0.0"));
        COUNTERS.forEach(name -> ad.put(name, 0));
        ad.put("ExitBySignal", false);
        apply(maker);
        forced(maker);
        new ResourceAttributes(maker).gpuProperties();
        new RequirementsMaker(maker).apply();
        // The user cannot set these two.
        ad.put("ClusterId", cluster);
        ad.put("ProcId", process);
        return ad;
    }

    private static void apply(AdMaker maker) throws SubmitException {
        ExecutionAttributes execution = new ExecutionAttributes(maker);
        SpecialAttributes special = new SpecialAttributes(maker);
        PolicyAttributes policy = new PolicyAttributes(maker);
        TransferAttributes transfer = new TransferAttributes(maker);
        special.universe();
        execution.directory();
        execution.executable();
        execution.arguments();
        special.grid();
        new VirtualMachineAttributes(maker).apply();
        special.java();
        special.parallel();
        execution.environment();
        policy.status();
        special.toolDaemon();
        execution.standardFiles();
        new CredentialAttributes(maker).apply();
        policy.notification();
        policy.rank();
        policy.periodic();
        policy.retries();
        policy.signals();
        special.containerServices();
        new ResourceAttributes(maker).apply();
        special.limits();
        special.accounting();
        SimpleCommands.OF_ALL_JOBS.apply(maker);
        special.deferral();
        transfer.sizes();
        transfer.apply();
        special.automatic();
    }

    /** Puts the attributes that the user sets by {@code +Attr} and {@code MY.Attr}, which override all others. */
    private static void forced(AdMaker maker) throws SubmitException {
        for (String name : maker.settings.names()) {
            if (name.length() > 3 && name.toUpperCase(Locale.ROOT).startsWith("MY.")) {
                String raw = maker.settings.table().own(name);
                String value = raw == null || raw.isEmpty() ? "" : maker.settings.expand(name, raw);
                maker.expression(name.substring(3), name, value.isEmpty() ? "undefined" : value);
            }
        }
    }
}
