package org.metasched.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.bench.command.GangBench.Times;
import org.metasched.classad.gang.GangAlgorithm;

class GangBenchTest {

    @Test
    void everyRunIsTimedAndFindsTheSame() {
        var workload = new GangWorkload(40, 50, 2, 1, false, false, false);

        var once = GangBench.of(workload, GangAlgorithm.NAIVE, 1);
        var thrice = GangBench.of(workload, GangAlgorithm.NAIVE, 3);

        assertThat(once.times()).hasSize(1);
        assertThat(thrice.times()).hasSize(3).allMatch(times -> times.parse() > 0 && times.total() > times.parse());
        assertThat(thrice.outcome().gangs()).isEqualTo(once.outcome().gangs()).isPositive();
        assertThat(thrice.textBytes()).isEqualTo(once.textBytes()).isPositive();
    }

    @Test
    void theMedianIsOfThePartThatIsAsked() {
        var outcome = GangBench.of(new GangWorkload(1, 100, 1, 1, false, false, false), GangAlgorithm.NAIVE, 1)
                .outcome();
        var bench =
                new GangBench(outcome, List.of(new Times(3, 10, 1), new Times(1, 30, 2), new Times(2.00049, 20, 9)), 1);

        assertThat(bench.median(Times::parse)).isEqualTo(2.0);
        assertThat(bench.median(Times::match)).isEqualTo(2.0);
        assertThat(bench.median(Times::total)).isEqualTo(31.0);
    }
}
