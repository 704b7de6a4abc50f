package org.metasched.classad.gang;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.CpuBudget;
import org.metasched.classad.Dialect;
import org.metasched.classad.Limits;
import org.metasched.classad.LookupMode;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;

/**
 * Fuzzing of gang matching: whatever ads are offered, a root is malformed or gets an answer that keeps the definition, or
 * none. As a test, the inputs of the test resources are run once; {@code test/fuzz.sh} looks for new ones.
 */
class GangFuzzTest {

    private static final Limits SMALL = new Limits(1 << 12, 100, 100, 10_000, 1 << 12, 1 << 16, 10_000);
    private static final int MOST_ADS = 6;

    @FuzzTest
    void marshalsAnyAds(FuzzedDataProvider data) {
        GangAlgorithm algorithm = data.pickValue(GangAlgorithm.values());
        ReadOptions reading = new ReadOptions(Syntax.NEW, LookupMode.OLD, Dialect.PAPER, SMALL);
        String text = data.consumeRemainingAsString();
        CpuBudget.spend(() -> {
            try {
                List<ClassAd> ads = ClassAd.parseAll(text, reading);
                if (!ads.isEmpty()) {
                    marshal(ads.subList(0, Math.min(MOST_ADS, ads.size())), algorithm);
                }
            } catch (ClassAdSyntaxException | MalformedAdException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        });
    }

    private static void marshal(List<ClassAd> ads, GangAlgorithm algorithm) {
        var root = PortedAd.of(ads.get(0));

        var found = algorithm.matcher().marshal(root, new GangPool(ads.subList(1, ads.size())));

        if (ads.stream().allMatch(ad -> ad.has("Ports"))) {
            found.gang()
                    .ifPresent(gang -> assertThat(Definition.violations(gang)).isEmpty());
        }
    }
}
