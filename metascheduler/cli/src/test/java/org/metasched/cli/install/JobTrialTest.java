package org.metasched.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.Program;
import org.metasched.adapter.Requester;
import org.metasched.adapter.simulated.InjectedFault;
import org.metasched.adapter.simulated.SimulatedGrid;

class JobTrialTest {

    @Test
    void leavesNoReservationWhenTheAnswerIsLost() throws Exception {
        var grid = SimulatedGrid.at("2026-01-05T08:00:00Z").site("fzj", 4);
        var site = grid.site("fzj");
        site.suffers(InjectedFault.LOSE_ANSWER);

        var finding = new JobTrial(site, Optional.empty(), grid.clock()).run();

        assertThat(finding.outcome()).isEqualTo("wrong");
        assertThat(site.held()).isEmpty();
    }

    /** The program tells it by its exit code, on the site's own clock; all other codes are a launcher's or a shell's. */
    @ParameterizedTest
    @CsvSource({
        "80, good, began 0 s after",
        "87, good, began 7 s after",
        "120, good, began 40 s or more after",
        "1, wrong, is ENDED with 1",
        "72, wrong, is ENDED with 72",
        "127, wrong, is ENDED with 127"
    })
    void saysHowLongAfterItsSlotTheProgramBegan(int exit, String outcome, String detail) throws Exception {
        var grid = SimulatedGrid.at("2026-01-05T08:00:00Z").site("fzj", 4);
        var site = grid.site("fzj");
        var jobs = new JobStarter() {
            @Override
            public void check(Program program, Optional<Requester> requester) {}

            @Override
            public JobStatus start(Job job) {
                var held = site.held().get(0).reservation().slot().start().getEpochSecond();
                assertThat(job.program().arguments().get(1)).contains("$(date +%s) - " + held + ")");
                return new JobStatus(JobStatus.State.ENDED, "17", Optional.of(exit), "", "");
            }

            @Override
            public Map<Job.Name, JobStatus> jobs(Collection<Job.Name> names) {
                return Map.of();
            }
        };

        var finding = new JobTrial(running(site, jobs), Optional.empty(), grid.clock()).run();

        assertThat(finding.outcome()).isEqualTo(outcome);
        assertThat(finding.detail()).startsWith("job 17 ").contains(detail);
        assertThat(site.held()).isEmpty();
    }

    private static LocalScheduler running(LocalScheduler site, JobStarter jobs) {
        return (LocalScheduler) Proxy.newProxyInstance(
                JobTrialTest.class.getClassLoader(),
                new Class<?>[] {LocalScheduler.class},
                (self, method, arguments) ->
                        method.getName().equals("jobStarter") ? Optional.of(jobs) : method.invoke(site, arguments));
    }
}
