package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.CompensationAssessment;
import org.metasched.agreement.GuaranteeState;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.client.AgreementClient;
import org.metasched.fakes.TestGrid;
import org.metasched.selection.ClassAdServiceLevels;
import org.metasched.soap.RandomTermTree.Compositor;
import org.metasched.soap.TermTreeModel.Answer;
import org.metasched.soap.TermTreeModel.Grant;
import org.metasched.soap.TermTreeModel.Look;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Random trees of terms, at sites with random load: grant, guarantees and penalties are those of {@link TermTreeModel}. */
@Tag("full")
class RandomTermTreesTest {

    private static final Logger LOG = LoggerFactory.getLogger(RandomTermTreesTest.class);
    private static final int TREES = Integer.getInteger("metasched.term.trees", 2_000);
    private static final long SEED = Long.getLong("metasched.term.seed", 20261126);
    private static final int HALF_HOURS = 16;
    /** The clock begins at 08:00. */
    private static final int NOW = -60;

    private final OfferReader reader;

    RandomTermTreesTest() {
        var sites = new LinkedHashMap<SiteId, Integer>();
        IntStream.range(0, RandomTermTree.SIZES.length)
                .forEach(i -> sites.put(new SiteId(RandomTermTree.SITES.get(i)), RandomTermTree.SIZES[i]));
        List<AgreementTemplate> template = List.of(CoAllocationTemplate.of(List.copyOf(sites.keySet()), sites));
        reader = new OfferReader(() -> template);
    }

    @Test
    void grantsGuaranteesAndPenaltiesAreThoseOfTheModel() throws Exception {
        var wrong = new ArrayList<String>();
        var kinds = new TreeMap<String, Integer>();
        for (int i = 0; i < TREES; i++) {
            var random = new Random(SEED + i);
            var offer = new RandomTermTree(random).offer();
            var load = load(random);
            var expected = new TermTreeModel(load).answer(offer, NOW);
            try (var grid = grid(load)) {
                var started = grid.levels(new ClassAdServiceLevels()).start();
                var made = made(started, offer);
                String which = "tree " + i + " " + RandomTermTree.shown(offer) + "\n" + Arrays.deepToString(load);
                compare(which, summary(made), summary(expected), wrong);
                kinds.merge(kind(expected), 1, Integer::sum);
                if (expected.grant().isPresent() && wrong.isEmpty()) {
                    var grant = expected.grant().get();
                    var looks = looks(random, grant);
                    var ended = followed(grid, started, agreement(made.orElseThrow()), looks);
                    compare(which + looks, judged(ended), judged(grant, looks), wrong);
                    kinds.merge(grant.parts().size() > 1 ? "several parts" : "one part", 1, Integer::sum);
                    kinds.merge(due(ended) > 0 ? "compensated" : "nothing due", 1, Integer::sum);
                } else if (expected.grant().isEmpty()) {
                    assertThat(grid.heldEverywhere()).as(which).isZero();
                }
            }
        }

        assertThat(wrong.stream().limit(5)).as(wrong.size() + " of " + TREES).isEmpty();
        assertThat(kinds)
                .as("of each kind enough")
                .containsKeys("granted", "too late", "none can be had", "compensated", "several parts");
        assertThat(kinds.getOrDefault("granted", 0)).as(kinds.toString()).isGreaterThan(TREES / 4);
        LOG.info("{} trees: {}", TREES, kinds);
    }

    private static void compare(String which, String got, String expected, List<String> wrong) {
        if (!got.equals(expected)) {
            wrong.add(which + "\n  expected " + expected + "\n  but was  " + got);
        }
    }

    private static String kind(Answer expected) {
        return expected.grant().isPresent()
                ? "granted"
                : expected.whyInvalid().isEmpty() ? "none can be had" : expected.whyInvalid();
    }

    private static int due(Agreement ended) {
        return ended.assessments().stream()
                .mapToInt(CompensationAssessment::times)
                .sum();
    }

    private static TestGrid grid(int[][] load) {
        var grid = new TestGrid();
        for (int s = 0; s < load.length; s++) {
            String site = RandomTermTree.SITES.get(s);
            grid.site(site, RandomTermTree.SIZES[s]);
            for (int from = 0, to; from < HALF_HOURS; from = to) {
                to = from + 1;
                while (to < HALF_HOURS && load[s][to] == load[s][from]) {
                    to++;
                }
                grid.at(site).busy(RandomTermTree.at(30 * from), RandomTermTree.at(30 * to), load[s][from]);
            }
        }
        return grid;
    }

    /** Of each site: idle, taken, taken at first, or, if it is small, partly taken. */
    private static int[][] load(Random random) {
        var load = new int[RandomTermTree.SIZES.length][HALF_HOURS];
        for (int s = 0; s < load.length; s++) {
            int size = RandomTermTree.SIZES[s];
            int kind = random.nextInt(size > 8 ? 4 : 6);
            int until = kind == 2 || kind == 3 ? random.nextInt(HALF_HOURS) : HALF_HOURS;
            for (int h = 0; h < until && kind > 0; h++) {
                load[s][h] = kind < 4 ? size : h % 3 == 0 ? random.nextInt(size) : load[s][h - 1];
            }
        }
        return load;
    }

    /** The outcome, or nothing when the offer is invalid. */
    private Optional<CreationOutcome> made(TestGrid.Started started, Compositor offer) throws InterruptedException {
        try {
            var document = AgreementClient.offer("offer", RandomTermTree.document(offer));
            var identity = new InitiatorIdentity(Authorizer.OPEN, new Authorizer.Call(Subject.ANONYMOUS, "", ""));
            return Optional.of(
                    started.service.offer(reader.read(document, identity, Optional.empty(), Optional.empty())));
        } catch (InvalidOfferException e) {
            return Optional.empty();
        }
    }

    private static Agreement agreement(CreationOutcome outcome) {
        return outcome.<Agreement, RuntimeException>fold(Created::agreement, refused -> {
            throw new IllegalStateException(refused.reason());
        });
    }

    private static String summary(Optional<CreationOutcome> made) {
        return made.map(outcome -> outcome.<String, RuntimeException>fold(
                        created -> {
                            var agreement = created.agreement();
                            var sites = new TreeMap<String, String>();
                            agreement
                                    .commitments()
                                    .forEach(c -> sites.put(
                                            c.term(),
                                            c.site() + " "
                                                    + c.reservation().granted().amount()));
                            return sites + " at " + agreement.slot().orElseThrow() + " "
                                    + agreement.offer().guarantees().stream()
                                            .map(g -> g.name())
                                            .toList();
                        },
                        refused -> switch (refused.code()) {
                            case TOO_LATE, OFFER_INVALID, SITE_UNKNOWN -> "invalid";
                            default -> "none";
                        }))
                .orElse("invalid");
    }

    private static String summary(Answer answer) {
        if (!answer.whyInvalid().isEmpty()) {
            return "invalid";
        }
        return answer.grant()
                .map(grant -> {
                    var sites = new TreeMap<String, String>();
                    grant.parts().forEach(p -> sites.put(p.name(), grant.sites().get(p.name()) + " " + p.nodes()));
                    return sites + " at "
                            + new TimeSlot(
                                    RandomTermTree.at(grant.start()),
                                    RandomTermTree.at(grant.start() + grant.minutes()))
                            + " "
                            + grant.promises().stream().map(p -> p.name()).toList();
                })
                .orElse("none");
    }

    /** Some before the slot, some in it, and the one that sees its end; nodes come and go. */
    private static List<Look> looks(Random random, Grant grant) {
        int end = grant.start() + grant.minutes();
        var minutes = IntStream.range(0, 1 + random.nextInt(8))
                .map(i -> NOW + 1 + random.nextInt(end - NOW - 1))
                .distinct()
                .boxed()
                .sorted(Comparator.naturalOrder())
                .toList();
        var looks = new ArrayList<Look>();
        minutes.forEach(at -> looks.add(new Look(at, lost(random))));
        looks.add(new Look(end + random.nextInt(30), lost(random)));
        return looks;
    }

    private static Map<String, Integer> lost(Random random) {
        var lost = new HashMap<String, Integer>();
        RandomTermTree.SITES.forEach(site -> lost.put(site, Math.max(0, random.nextInt(5) - 2)));
        return lost;
    }

    private static Agreement followed(TestGrid grid, TestGrid.Started started, Agreement made, List<Look> looks)
            throws Exception {
        for (var look : looks) {
            grid.clock.advance(Duration.between(grid.clock.instant(), RandomTermTree.at(look.at())));
            look.lost()
                    .forEach((site, count) -> grid.at(site)
                            .loseNodes(IntStream.range(0, count)
                                    .mapToObj(n -> "n" + n)
                                    .toArray(String[]::new)));
            started.monitor.poll();
        }
        return started.service.find(made.id()).orElseThrow();
    }

    private static String judged(Agreement ended) {
        var states = new TreeMap<String, GuaranteeState>();
        ended.offer()
                .guarantees()
                .forEach(g -> states.put(g.name(), ended.guarantees().get(g.name())));
        return ended.state() + " " + states + " "
                + ended.assessments().stream()
                        .map(a -> a.times() + "x " + a.total())
                        .toList();
    }

    private static String judged(Grant grant, List<Look> looks) {
        var states = new TreeMap<String, GuaranteeState>();
        grant.promises().forEach(p -> {
            var all = TermTreeModel.states(p, grant, looks);
            states.put(p.name(), all.get(all.size() - 1));
        });
        return "COMPLETE " + states + " "
                + grant.promises().stream()
                        .flatMap(p -> RandomTermTree.inOrder(p.due()).stream()
                                .map(due -> TermTreeModel.due(due, p, grant, looks)))
                        .map(sum -> sum.times() + "x " + sum.total())
                        .toList();
    }
}
