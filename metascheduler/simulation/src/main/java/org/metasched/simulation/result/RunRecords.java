package org.metasched.simulation.result;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.adapter.simulated.LocalJob;

/**
 * Records of all jobs of one run.
 *
 * @param local local jobs, site by site, in the order of submission
 * @param meta meta-jobs in the order of submission
 */
public record RunRecords(List<LocalRecord> local, List<MetaRecord> meta) {

    public RunRecords {
        local = List.copyOf(local);
        meta = List.copyOf(meta);
    }

    /** The local jobs by identity of their job in the workload, which runs of the same scenario share. */
    Map<LocalJob, LocalRecord> byJob() {
        Map<LocalJob, LocalRecord> byJob = new IdentityHashMap<>();
        local.forEach(record -> byJob.put(record.job(), record));
        return byJob;
    }
}
