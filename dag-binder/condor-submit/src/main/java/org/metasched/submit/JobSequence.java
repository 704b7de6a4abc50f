package org.metasched.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.metasched.submit.SubmitDescription.Job;

/** The jobs of a description as they are made, numbered by cluster and process. Not thread-safe. */
final class JobSequence {

    private final SubmitContext context;
    private final MacroTable table;
    private final Consumer<Job> jobs;
    /** Files and directories that condor_submit requires and that do not exist. */
    final List<String> missing = new ArrayList<>();

    int jobCount;
    private int cluster;
    private int process;
    private String executable = "";
    private JobAd clusterAd = new JobAd();

    JobSequence(SubmitContext context, MacroTable table, Consumer<Job> jobs) {
        this.context = context;
        this.table = table;
        this.jobs = jobs;
        this.cluster = context.cluster();
    }

    /** Sets the macros of the next job: {@code step} is its number among the jobs of the item, {@code row} the number of the item. */
    void putMacros(int row, int step) {
        String clusterText = Integer.toString(cluster);
        String processText = Integer.toString(process);
        table.putDefault("Cluster", clusterText);
        table.putDefault("ClusterId", clusterText);
        table.putDefault("Process", processText);
        table.putDefault("ProcId", processText);
        table.putDefault("JobId", clusterText + "." + processText);
        table.putDefault("ItemIndex", Integer.toString(row));
        table.putDefault("Row", Integer.toString(row));
        table.putDefault("Step", Integer.toString(step));
    }

    /** Makes a job from the current settings; another executable begins a new cluster. */
    void make(SubmitSettings settings, int row, int step) throws SubmitException {
        putMacros(row, step);
        String current = settings.get("executable", "Cmd").orElse("");
        if (process > 0 && !current.equals(executable)) {
            cluster++;
            process = 0;
            putMacros(row, step);
        }
        executable = current;
        JobAd ad = JobAdBuilder.build(settings, context, cluster, process, missing);
        clusterAd = process == 0 ? ad : clusterAd;
        jobs.accept(new Job(ad, clusterAd));
        process++;
        jobCount++;
    }
}
