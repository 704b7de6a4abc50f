package org.metasched.classad.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;

class OfferRanksTest {

    /** A key that is equal to no other is not kept: one for each such customer would be. */
    @Test
    void remembersOnlyRanksThatMayComeAgain() throws Exception {
        List<ClassAd> offers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            offers.add(ClassAd.parse("[ Memory = " + i + "; Requirements = true ]"));
        }
        OfferIndex index = OfferIndex.ofWhole(offers);
        index.prepare();
        var site = new EvaluationSite(MatchParty.whole(ClassAd.parse("[ Requirements = true; Rank = TARGET.Memory ]")));

        WeakReference<Object> key = requestWithANewKey(index, site);
        System.gc();

        assertThat(key.get()).isNull();
    }

    private static WeakReference<Object> requestWithANewKey(OfferIndex index, EvaluationSite site) {
        Object key = new Object();
        assertThat(index.ranks().table(site, key, false)).isNull();
        return new WeakReference<>(key);
    }
}
