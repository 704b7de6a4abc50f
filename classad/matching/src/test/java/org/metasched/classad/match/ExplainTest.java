package org.metasched.classad.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Value;

class ExplainTest {

    private final RankedMatchmaker matchmaker = new RankedMatchmaker();

    @Test
    void namesEachConjunctOfBothSidesWithItsValue() {
        var job = MatchmakerTest.ad("[ Need = 5; Requirements = TARGET.Memory >= Need && TARGET.Gpu ]");
        var machine = MatchmakerTest.ad("[ Memory = 4; Requirements = TARGET.Need < 3 ]");

        Verdict verdict = matchmaker.explain(job, machine);

        assertThat(verdict.matches()).isFalse();
        assertThat(verdict.customerSide())
                .extracting(Verdict.Conjunct::expression)
                .containsExactly("TARGET.Memory >= Need", "TARGET.Gpu");
        assertThat(verdict.customerSide())
                .extracting(Verdict.Conjunct::value)
                .containsExactly(Value.FALSE, Value.UNDEFINED);
        assertThat(verdict.customerSide().get(0).operands()).containsEntry("TARGET.Memory", Value.of(4));
        assertThat(verdict.offerSide()).extracting(Verdict.Conjunct::met).containsExactly(false);
    }

    @Test
    void countsWhatEachClauseCostsAndWhatWouldHelp() {
        var job = MatchmakerTest.ad(
                "[ Requirements = TARGET.Memory >= 64 && TARGET.Arch == \"ALPHA\" && TARGET.Mhz >= 9000 ]");
        List<ClassAd> machines = new ArrayList<>();
        for (int memory = 16; memory <= 128; memory *= 2) {
            machines.add(
                    MatchmakerTest.ad("[ Memory = " + memory + "; Arch = \"INTEL\"; Mhz = 500; Requirements = true ]"));
            machines.add(MatchmakerTest.ad(
                    "[ Memory = " + memory + "; Arch = \"ALPHA\"; Mhz = 9500; Requirements = true ]"));
        }
        machines.add(MatchmakerTest.ad(
                "[ Memory = 256; Arch = \"ALPHA\"; Mhz = 9500; Requirements = TARGET.Owner == \"x\" ]"));

        PoolVerdict verdict = matchmaker.explain(job, OfferPool.of(machines));

        assertThat(verdict.offers()).isEqualTo(9);
        assertThat(verdict.meetingConstraint()).isEqualTo(3);
        assertThat(verdict.matching()).isEqualTo(2);
        assertThat(verdict.refusals())
                .containsExactly(new PoolVerdict.Refusal("TARGET.Owner == \"x\"", 1, 1, "Owner is undefined"));
        PoolVerdict.Clause memory = verdict.clauses().get(0);
        assertThat(memory.met()).isEqualTo(5);
        assertThat(memory.matchingWithout()).isEqualTo(4);
        assertThat(memory.relaxations())
                .containsExactly(
                        new PoolVerdict.Relaxation("TARGET.Memory >= 32", 3),
                        new PoolVerdict.Relaxation("TARGET.Memory >= 16", 4));
    }

    @Test
    void namesWhatNothingInThePoolCanSatisfyAndWhatExcludesEachOther() {
        var machines = List.of(
                MatchmakerTest.ad("[ Memory = 64; Arch = \"INTEL\"; Requirements = true ]"),
                MatchmakerTest.ad("[ Memory = 512; Arch = \"ALPHA\"; Requirements = true ]"));

        PoolVerdict never = matchmaker.explain(
                MatchmakerTest.ad("[ Requirements = TARGET.Memory >= 1024 && TARGET.Arch == \"INTEL\" ]"),
                OfferPool.of(machines));
        PoolVerdict excluded = matchmaker.explain(
                MatchmakerTest.ad("[ Requirements = TARGET.Memory >= 100 && TARGET.Arch == \"INTEL\" ]"),
                OfferPool.of(machines));

        assertThat(never.clauses().get(0).neverMet()).isTrue();
        assertThat(never.clauses().get(0).inPool()).hasValue("offers have 64 to 512");
        assertThat(never.clauses().get(1).neverMet()).isFalse();
        assertThat(excluded.conflicts())
                .containsExactly(new PoolVerdict.Conflict("TARGET.Memory >= 100", "TARGET.Arch == \"INTEL\""));
    }

    @Test
    void saysWhatIsWrongWithTheAdsThemselves() {
        var silent = MatchmakerTest.ad("[ Name = \"x\" ]");
        var circular = MatchmakerTest.ad("[ A = B; B = A; Requirements = A > TARGET.Memory ]");
        var wrongType = MatchmakerTest.ad("[ Requirements = \"yes\" ]");
        var machine = MatchmakerTest.ad("[ Memory = 1; Requirements = true ]");

        assertThat(matchmaker.explain(silent, machine).notes()).anyMatch(note -> note.contains("no Requirements"));
        assertThat(matchmaker.explain(circular, machine).notes()).anyMatch(note -> note.contains("circle"));
        assertThat(matchmaker.explain(wrongType, machine).notes())
                .anyMatch(note -> note.contains("neither true nor false"));
        assertThat(matchmaker.match(circular, List.of(machine))).isEmpty();
    }

    @Test
    void refusalsThatDifferInTheirLimitOnlyAreOneAndSayWhatTheCustomerHas() {
        var job = MatchmakerTest.ad("[ ImageSize = 90; Owner = \"ann\"; Requirements = TARGET.Memory > 1 ]");
        var machines = new ArrayList<ClassAd>();
        for (int limit = 10; limit <= 30; limit += 10) {
            machines.add(MatchmakerTest.ad("[ Memory = 5; Requirements = TARGET.ImageSize <= " + limit + " ]"));
        }
        machines.add(
                MatchmakerTest.ad("[ Memory = 5; Requirements = TARGET.ImageSize <= 40 && TARGET.Owner != \"ann\" ]"));
        machines.add(MatchmakerTest.ad("[ Memory = 5; A = B; B = A; Requirements = A ]"));
        machines.add(MatchmakerTest.ad("[ Memory = 5 ]"));

        PoolVerdict verdict = matchmaker.explain(job, OfferPool.of(machines));

        assertThat(verdict.refusals())
                .containsExactly(
                        new PoolVerdict.Refusal("TARGET.ImageSize <= (10 to 40)", 4, 3, "ImageSize is 90"),
                        new PoolVerdict.Refusal(
                                "(no Requirements)", 1, 1, "an ad without a constraint matches nothing"),
                        new PoolVerdict.Refusal(
                                "A", 1, 1, "it refers to itself in a circle, or too far to be followed"),
                        new PoolVerdict.Refusal("TARGET.Owner != \"ann\"", 1, 0, "Owner is \"ann\""));
    }

    @Test
    void anOfferThatRefusesByTwoLimitsOfOneAttributeCountsOnce() {
        var job = MatchmakerTest.ad("[ ImageSize = 90; Requirements = true ]");
        var machine =
                MatchmakerTest.ad("[ START = TARGET.ImageSize <= 50; Requirements = START && TARGET.ImageSize <= 20 ]");

        assertThat(matchmaker.explain(job, OfferPool.of(List.of(machine))).refusals())
                .containsExactly(new PoolVerdict.Refusal("TARGET.ImageSize <= (20 to 50)", 1, 1, "ImageSize is 90"));
    }

    @Test
    void countsTheOffersThatFailOneClauseOnlyAndSaysWhatTheClauseSees() {
        var job = MatchmakerTest.ad("[ Need = 64; Requirements = TARGET.Memory >= Need && TARGET.Arch == \"ALPHA\" ]");
        var machines = List.of(
                MatchmakerTest.ad("[ Memory = 32; Arch = \"ALPHA\"; Requirements = true ]"),
                MatchmakerTest.ad("[ Memory = 32; Arch = \"INTEL\"; Requirements = true ]"),
                MatchmakerTest.ad("[ Memory = 64; Arch = \"ALPHA\"; Requirements = true ]"));

        PoolVerdict.Clause memory =
                matchmaker.explain(job, OfferPool.of(machines)).clauses().get(0);

        assertThat(memory.alone()).isEqualTo(1);
        assertThat(memory.matchingWithout()).isEqualTo(2);
        assertThat(memory.sees()).isEqualTo("Need is 64");
    }
}
