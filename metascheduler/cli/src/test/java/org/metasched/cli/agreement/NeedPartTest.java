package org.metasched.cli.agreement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;

class NeedPartTest {

    @Test
    void anExpressionEndsTheNeedAndMayHaveCommas() {
        var part = NeedPart.read(
                "cpu:nodes=16,cores=2,Requirements=member(Arch, {\"X86_64\", \"ARM\"}) && FreeNodes >= 16");

        assertThat(part.site()).isEmpty();
        assertThat(part.constraint()).contains("member(Arch, {\"X86_64\", \"ARM\"}) && FreeNodes >= 16");
        assertThat(part.need()).isEqualTo(new Need.Nodes(16, 2, java.util.Collections.emptySortedSet()));
    }

    @Test
    void aLicenceIsOneUnlessItIsCounted() {
        assertThat(NeedPart.read("licence:feature=matlab").need()).isEqualTo(new Need.Licences("matlab", 1));
        assertThat(NeedPart.read("license:feature=matlab,count=3").need()).isEqualTo(new Need.Licences("matlab", 3));
        assertThat(NeedPart.read("network:bandwidth=1000").constraint()).isEqualTo(Optional.of("true"));
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> NeedPart.read("gpu:nodes=1"))
                .hasMessageContaining("(gpu:nodes=1) must begin with cpu:");
        assertThatThrownBy(() -> NeedPart.read("cpu:nodes=1,Requirements=a &&"))
                .hasMessageContaining("no ClassAd expression");
        assertThatThrownBy(() -> NeedPart.read("cpu:nodes=none")).hasMessageContaining("whole number");
        assertThatThrownBy(() -> NeedPart.read("cpu:nodes=0")).hasMessageContaining("must be from 1");
        assertThatThrownBy(() -> NeedPart.read("licence:count=2")).hasMessageContaining("does not say how much");
    }
}
