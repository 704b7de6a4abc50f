package org.metasched.it.live;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples of live schedulers, and what {@code init} writes for them. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class SiteSamplesIT extends SampleChecks {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @ResourceLock("slurm")
    @Execution(ExecutionMode.SAME_THREAD)
    void slurm(boolean byInit) throws Exception {
        passes("slurm", byInit);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @ResourceLock("oar")
    @Execution(ExecutionMode.SAME_THREAD)
    void oar(boolean byInit) throws Exception {
        passes("oar", byInit);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @ResourceLock("gridengine-real")
    @Execution(ExecutionMode.SAME_THREAD)
    void gridEngine(boolean byInit) throws Exception {
        passes("gridengine", byInit);
    }

    @Test
    @ResourceLock("slurm2605")
    void slurmByRest() throws Exception {
        samplePasses("slurm-rest");
    }

    private void passes(String sample, boolean byInit) throws Exception {
        if (byInit) {
            writtenByInitPasses(sample);
        } else {
            samplePasses(sample);
        }
    }
}
