package org.metasched.cli.agreement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.client.OfferWriter;

class NeedPartTest {

    @Test
    void anExpressionEndsTheNeedAndMayHaveCommas() {
        var part = only("cpu:nodes=16,cores=2,Requirements=member(Arch, {\"X86_64\", \"ARM\"}) && FreeNodes >= 16");

        assertThat(part.site()).isEmpty();
        assertThat(part.constraint()).contains("member(Arch, {\"X86_64\", \"ARM\"}) && FreeNodes >= 16");
        assertThat(part.need()).isEqualTo(new Need.Nodes(16, 2, java.util.Collections.emptySortedSet()));
    }

    @Test
    void aRankGoesUpToTheRequirements() {
        var part =
                only("cpu:nodes=16,Rank=ifThenElse(Arch == \"ARM\", 2, 1),Requirements=member(Arch, {\"ARM\", \"X\"})");

        assertThat(part.rank()).contains("ifThenElse(Arch == \"ARM\", 2, 1)");
        assertThat(part.constraint()).contains("member(Arch, {\"ARM\", \"X\"})");
        assertThat(only("cpu:nodes=16,rank=Memory").rank()).contains("Memory");
        assertThat(only("cpu:nodes=16,rank=Memory").constraint()).contains("true");
        assertThat(only("cpu:nodes=16").rank()).isEmpty();
        assertThatThrownBy(() -> NeedPart.read("cpu:nodes=1,Rank=a &&")).hasMessageContaining("no ClassAd expression");
    }

    @Test
    void aLicenceIsOneUnlessItIsCounted() {
        assertThat(only("licence:feature=matlab").need()).isEqualTo(new Need.Licences("matlab", 1));
        assertThat(only("license:feature=matlab,count=3").need()).isEqualTo(new Need.Licences("matlab", 3));
        assertThat(only("network:bandwidth=1000").constraint()).isEqualTo(Optional.of("true"));
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
        assertThatThrownBy(() -> NeedPart.read("licence:feature=matlab,count=2,count=3"))
                .hasMessageContaining("says count twice");
        assertThatThrownBy(() -> NeedPart.read("licence:feature=matlab,count=2,licences=3"))
                .hasMessageContaining("says both count and licences");
        assertThatThrownBy(() -> NeedPart.read("licence:feature")).hasMessageContaining("has (feature)");
    }

    @Test
    void aKindTakesItsOwnKeysOnly() {
        for (String text : List.of(
                "network:nodes=16",
                "cpu:bandwidth=1000",
                "cpu:feature=matlab,licences=2",
                "network:total=1000",
                "licence:feature=matlab,count=1,cores=2")) {
            assertThatThrownBy(() -> NeedPart.read(text)).as(text).hasMessageContaining("where one of [");
        }
        assertThatThrownBy(() -> NeedPart.read("network:nodes=16"))
                .hasMessageContaining("has (nodes=16) where one of [bandwidth, sites] with '='");
        assertThatThrownBy(() -> SitePart.read("fzj:nodes=4,min-part=2"))
                .hasMessageContaining("has (min-part=2) where one of [bandwidth, cores,");
    }

    @Test
    void theFormOfASplitNeedsATotal() {
        for (String key : List.of("min-part", "max-parts", "multiple", "overhead")) {
            assertThatThrownBy(() -> NeedPart.read("cpu:nodes=4," + key + "=2"))
                    .hasMessageContaining("says " + key + ", which goes with total only");
        }
        assertThat(only("cpu:total=8,min-part=2").split()).isPresent();
    }

    @Test
    void lettersThatBecomeLongerInLowerCaseMoveNothing() {
        var part = only("cpu:nodes=4,Rank=City == \"\u0130\",Requirements=TotalNodes >= 64");

        assertThat(part.rank()).contains("City == \"\u0130\"");
        assertThat(part.constraint()).contains("TotalNodes >= 64");
    }

    @Test
    void sitesMakeAsManyEqualParts() {
        var parts = NeedPart.read("cpu:nodes=4,sites=3");

        assertThat(parts)
                .hasSize(3)
                .allSatisfy(part -> assertThat(part.need())
                        .isEqualTo(new Need.Nodes(4, 1, java.util.Collections.emptySortedSet())));
    }

    private static OfferWriter.Part only(String text) {
        var parts = NeedPart.read(text);
        assertThat(parts).hasSize(1);
        return parts.get(0);
    }
}
