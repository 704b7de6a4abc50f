package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.Job;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Program;
import org.metasched.adapter.Requester;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.RefusalCode;
import org.metasched.fakes.TestGrid;

class GridProgramsTest {

    /** Has this answer to each question. */
    private record Judge(LocalSchedulerException answer) implements JobStarter {
        @Override
        public void check(Program program, Optional<Requester> requester) throws LocalSchedulerException {
            throw answer;
        }

        @Override
        public JobStatus start(Job job) throws LocalSchedulerException {
            throw answer;
        }

        @Override
        public Map<Job.Name, JobStatus> jobs(Collection<Job.Name> names) throws LocalSchedulerException {
            throw answer;
        }
    }

    @Test
    void aGridWithoutSitesRefusesNoProgram() {
        try (var grid = new TestGrid()) {
            var started = grid.start();
            var above = new AgreementsAbove(new SiteId("grid"), started.service, started.calls.directory());
            var programs = new GridPrograms(above, started.calls);

            assertThatCode(() -> programs.check(Program.of("/bin/true", List.of()), Optional.empty()))
                    .doesNotThrowAnyException();
        }
    }

    /** What sites below have not decided is no refusal above. */
    @ParameterizedTest
    @CsvSource({
        "ADAPTER_DOWN, true",
        "SCHEDULER_UNREADABLE, true",
        "BUSY, true",
        "ADAPTER_MISCONFIGURED, false",
        "SITE_REFUSES, false"
    })
    void aRefusalBelowIsARefusalAboveIfASiteDecided(RefusalCode code, boolean isUnanswered) {
        assertThat(GridAsSite.problem(code, "why").isUnanswered()).isEqualTo(isUnanswered);
        assertThat(GridAsSite.problem(code, "why").mayHaveHappened()).isFalse();
    }

    @Test
    void aProgramIsRefusedIfEachSiteBelowAnswersAndRefuses() {
        try (var grid = new TestGrid().site("fzj", 64).site("scai", 64)) {
            var started = grid.start();
            var above = new AgreementsAbove(new SiteId("grid"), started.service, started.calls.directory());
            var programs = new GridPrograms(above, started.calls);
            var program = Program.of("/bin/true", List.of());

            grid.at("scai").runsPrograms(new Judge(new Unreachable("no answer")));
            assertThatCode(() -> programs.check(program, Optional.empty())).doesNotThrowAnyException();

            grid.at("scai").runsPrograms(new Judge(new Refused("not here")));
            assertThatThrownBy(() -> programs.check(program, Optional.empty())).isInstanceOf(Refused.class);
        }
    }
}
