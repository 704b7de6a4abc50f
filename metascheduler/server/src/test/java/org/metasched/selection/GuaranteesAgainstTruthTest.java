package org.metasched.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.Compensation;
import org.metasched.agreement.GuaranteeState;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.fakes.TestGrid;

/**
 * Many agreements, each with a promise and a penalty, over sites that lose nodes and get them back, against what the sites
 * really did. {@code -Dmetasched.guarantees=1000} is the large one; it prints what a look costs.
 */
@Tag("full")
class GuaranteesAgainstTruthTest {

    private static final int AGREEMENTS = Integer.getInteger("metasched.guarantees", 100);
    private static final int SITES = 20;
    private static final int MINUTES = 30;

    private final Random random = new Random(16);
    private final TestGrid grid = new TestGrid().levels(new ClassAdServiceLevels());
    private final Map<AgreementId, Integer> violated = new HashMap<>();

    @Test
    void statesAndPenaltiesAreWhatTheSitesDid() throws Exception {
        IntStream.range(0, SITES).forEach(i -> grid.site("s" + i, 1000));
        try (grid) {
            var started = grid.start();
            List<Agreement> made = new ArrayList<>();
            for (int i = 0; i < AGREEMENTS; i++) {
                made.add(((Created) started.service.offer(offer(i))).agreement());
            }
            long cpu = 0;
            for (int minute = 0; minute < MINUTES; minute++) {
                var broken = losses();
                long before = cpu();
                started.monitor.poll();
                cpu += cpu() - before;
                made.forEach(agreement -> check(grid.memory.find(agreement.id()).orElseThrow(), broken));
                grid.clock.advance(Duration.ofMinutes(1));
            }
            made.forEach(agreement -> started.service.find(agreement.id()).ifPresent(a -> {
                int closed = a.assessments().get(0).times() + (isViolated(a) ? 1 : 0);
                assertThat(closed).isEqualTo(violated.get(a.id()));
            }));
            if (AGREEMENTS > 100) {
                System.out.printf("%d agreements: %.1f ms of CPU a look%n", AGREEMENTS, cpu / 1e6 / MINUTES);
            }
        }
    }

    private void check(Agreement agreement, Set<String> broken) {
        boolean hit = agreement.commitments().stream()
                .anyMatch(c -> broken.contains(c.site().value()));
        assertThat(isViolated(agreement)).as(agreement.id().value()).isEqualTo(hit);
        violated.merge(agreement.id(), hit ? 1 : 0, Integer::sum);
    }

    private static boolean isViolated(Agreement agreement) {
        return agreement.guarantees().get("WHOLE") == GuaranteeState.VIOLATED;
    }

    private Set<String> losses() {
        var broken = new HashSet<String>();
        for (var site : grid.sites()) {
            boolean loses = random.nextInt(10) == 0;
            site.loseNodes(loses ? new String[] {"n1"} : new String[0]);
            if (loses) {
                broken.add(site.site().value());
            }
        }
        return broken;
    }

    private AgreementOffer offer(int number) {
        int first = random.nextInt(SITES);
        var plain = grid.offer("o" + number, 1, "s" + first, "s" + (first + 1 + random.nextInt(SITES - 1)) % SITES);
        var promise = new GuaranteeTerm(
                "WHOLE",
                List.of(),
                Optional.of("Now >= Start"),
                Optional.of("LostNodes == 0 && SilentParts == 0"),
                List.of(new Compensation(
                        Compensation.Kind.PENALTY, Optional.of(Duration.ofMinutes(1)), 0, "EUR", "10 * LostNodes")));
        return new AgreementOffer(
                plain.key(),
                plain.name(),
                plain.template(),
                plain.alternatives(),
                List.of(promise),
                plain.expiration(),
                plain.document(),
                plain.acceptance(),
                Optional.empty());
    }

    private static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
