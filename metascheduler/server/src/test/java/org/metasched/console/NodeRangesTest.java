package org.metasched.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeRangesTest {

    @Test
    void namesThatDifferInANumberAreFolded() {
        var hundred = IntStream.rangeClosed(1, 100).mapToObj(i -> "fzj-" + i).toList();

        assertThat(NodeRanges.folded(hundred)).isEqualTo("fzj-[1-100]");
        assertThat(NodeRanges.folded(List.of("n3", "n1", "n2", "n9", "m1"))).isEqualTo("n[1-3,9], m1");
        assertThat(NodeRanges.folded(List.of("n01", "n02", "n10", "n1"))).isEqualTo("n[01-02,10], n1");
        assertThat(NodeRanges.folded(
                        IntStream.range(0, 16).mapToObj(i -> "n" + i).toList()))
                .isEqualTo("n[0-15]");
        assertThat(NodeRanges.folded(List.of("n00", "n01", "n0", "n10"))).isEqualTo("n[00-01,10], n0");
        assertThat(NodeRanges.folded(List.of("a1.org", "a2.org", "login", "7"))).isEqualTo("a[1-2].org, login, 7");
        assertThat(NodeRanges.folded(List.of("gpu", "gpu1", "gpu2", "n1", "n"))).isEqualTo("gpu, gpu[1-2], n1, n");
        assertThat(NodeRanges.folded(List.of())).isEmpty();
    }
}
