package org.metasched.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.simulated.SwfTrace;

class UserResamplingTest {

    private static final long WEEK = 7 * 86_400;

    /** Twelve users over twenty weeks; user 3 comes in the fifth week and leaves after the eighth. */
    private static SwfTrace trace() {
        var random = new Random(1);
        var jobs = new ArrayList<SwfTrace.Job>();
        for (int i = 0; i < 4000; i++) {
            int user = random.nextInt(12);
            long week = user == 3 ? 4 + random.nextInt(4) : random.nextInt(20);
            long second = week * WEEK + random.nextInt((int) WEEK);
            jobs.add(new SwfTrace.Job(i, second, 60 + i, 1 + user, 1 + user, 9000, 1, user, 1, 1));
        }
        return new SwfTrace("t", Map.of("maxprocs", List.of("16")), jobs);
    }

    @Test
    void eachJobIsOneOfItsUserInTheSameHourOfAnotherWeek() {
        var trace = trace();

        var drawn = UserResampling.of(trace, 7).jobs();

        for (var job : drawn) {
            assertThat(trace.jobs())
                    .anyMatch(known -> known.user() == job.user()
                            && known.runSeconds() == job.runSeconds()
                            && (known.submitSeconds() - job.submitSeconds()) % WEEK == 0);
        }
        assertThat(drawn.stream().filter(job -> job.user() == 3))
                .isNotEmpty()
                .allMatch(job -> job.submitSeconds() / WEEK >= 4 && job.submitSeconds() / WEEK < 8);
        assertThat(drawn.size()).isBetween(3400, 4600);
        assertThat(drawn).extracting(SwfTrace.Job::number).isSorted().doesNotHaveDuplicates();
        assertThat(drawn).extracting(SwfTrace.Job::submitSeconds).isSorted();
    }

    @Test
    void aSeedGivesItsTrace() {
        assertThat(UserResampling.of(trace(), 7)).isEqualTo(UserResampling.of(trace(), 7));
        assertThat(UserResampling.of(trace(), 8)).isNotEqualTo(UserResampling.of(trace(), 7));
    }
}
