package org.metasched.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class NeedTest {

    private static final Need NODES = new Need.Nodes(4, 2, new TreeSet<>(List.of("gpu")));
    private static final Need BANDWIDTH = new Need.Bandwidth(100);
    private static final Need LICENCES = new Need.Licences("matlab", 1);

    @Test
    void foldCallsTheFunctionOfTheOwnKind() {
        assertThat(List.of(NODES, BANDWIDTH, LICENCES))
                .extracting(need -> need.<String>fold(n -> "nodes", b -> "bandwidth", l -> "licences"))
                .containsExactly("nodes", "bandwidth", "licences");
        assertThat(NODES.asNodes()).contains((Need.Nodes) NODES);
        assertThat(BANDWIDTH.asNodes()).isEmpty();
        assertThat(LICENCES.asNodes()).isEmpty();
    }

    @Test
    void anotherAmountKeepsTheRest() {
        assertThat(NODES.withAmount(7).words()).isEqualTo("7 nodes with 2 cores each with [gpu]");
        assertThat(BANDWIDTH.withAmount(7).words()).isEqualTo("7 Mbit/s");
        assertThat(LICENCES.withAmount(7).words()).isEqualTo("7 licences of matlab");
        assertThatThrownBy(() -> LICENCES.withAmount(Need.MOST + 1)).hasMessageContaining("10000001");
    }

    @Test
    void onlyAfterUnreachableMayItHaveHappened() {
        List<LocalSchedulerException> mishaps = List.of(
                new LocalSchedulerException.Refused("no"),
                new LocalSchedulerException.Unreachable("no answer"),
                new LocalSchedulerException.Misconfigured("no command"),
                new LocalSchedulerException.UnknownReservation("not here"));

        assertThat(mishaps)
                .extracting(LocalSchedulerException::mayHaveHappened)
                .containsExactly(false, true, false, false);
        assertThat(mishaps)
                .extracting(mishap -> mishap.<String>fold(r -> "R", u -> "U", m -> "M", k -> "K"))
                .containsExactly("R", "U", "M", "K");
    }
}
