package org.metasched.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.metasched.adapter.simulated.InjectedFault;
import org.metasched.adapter.simulated.SimulatedGrid;

class JobTrialTest {

    @Test
    void leavesNoReservationWhenTheAnswerIsLost() throws Exception {
        var grid = SimulatedGrid.at("2026-01-05T08:00:00Z").site("fzj", 4);
        var site = grid.site("fzj");
        site.suffers(InjectedFault.LOSE_ANSWER);

        var finding = new JobTrial(site, "", grid.clock()).run();

        assertThat(finding.outcome()).isEqualTo("wrong");
        assertThat(site.held()).isEmpty();
    }
}
