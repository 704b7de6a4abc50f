package org.metasched.classad.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;

class GangLanguageTest {

    private static final String MACHINE_PORT =
            "Ports = { [ Label = requester; Constraint = requester.Type == \"Job\" ] }";

    @ParameterizedTest
    @EnumSource(value = GangAlgorithm.class, names = "EXACT", mode = EnumSource.Mode.EXCLUDE)
    void anOfferWithPortsOfItsOwnBringsItsOwnNeighbours(GangAlgorithm algorithm) {
        var job = ad(
                "[ Type = \"Job\"; Name = \"j\"; Ports = { [ Label = cpu; Constraint = cpu.Type == \"Machine\" ] } ]");
        var machine = ad("[ Type = \"Machine\"; Name = \"m\"; Ports = {"
                + " [ Label = requester; Constraint = requester.Type == \"Job\" ],"
                + " [ Label = disk; Need = 10; Constraint = disk.Type == \"Disk\" && disk.Free >= Need ] } ]");
        var small = ad("[ Type = \"Disk\"; Name = \"small\"; Free = 5;"
                + " Ports = { [ Label = requester; Constraint = requester.Type == \"Machine\" ] } ]");
        var large = ad("[ Type = \"Disk\"; Name = \"large\"; Free = 50;"
                + " Ports = { [ Label = requester; Constraint = requester.Type == \"Machine\" ] } ]");

        Optional<Gang> gang = algorithm.matcher().marshal(job, List.of(machine, small, large));
        Optional<Gang> without = algorithm.matcher().marshal(job, List.of(machine, small));

        assertThat(gang.orElseThrow().members().stream()
                        .map(member -> member.ad().name()))
                .containsExactly("j", "m", "large");
        assertThat(Definition.violations(gang.orElseThrow())).isEmpty();
        assertThat(without).isEmpty();
    }

    /** One check when the disk is bound, and one of each of the two pairs when the gang is complete. */
    @Test
    void theOracleCountsEachCheckOfAPair() {
        var job = ad("[ Type = \"Job\"; Ports = { [ Label = cpu; Constraint = cpu.Type == \"Machine\" ] } ]");
        var machine =
                ad("[ Type = \"Machine\"; Ports = { [ Label = requester; Constraint = requester.Type == \"Job\" ],"
                        + " [ Label = disk; Constraint = disk.Type == \"Disk\" ] } ]");
        var disk = ad(
                "[ Type = \"Disk\"; Ports = { [ Label = requester; Constraint = requester.Type == \"Machine\" ] } ]");

        var found = new NaiveGangmatcher().marshal(PortedAd.of(job), new GangPool(List.of(machine, disk)));

        assertThat(found.gang()).isPresent();
        assertThat(found.effort().evaluations()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(value = GangAlgorithm.class, names = "EXACT", mode = EnumSource.Mode.EXCLUDE)
    void aPortTakesAsManyNeighboursAsItMaySay(GangAlgorithm algorithm) {
        var root = ad("[ Ports = { [ Label = cpu; Count = 1000; Constraint = cpu.Type == \"Machine\" ] } ]");
        var machines = IntStream.range(0, 1_000)
                .mapToObj(i -> ad("[ Type = \"Machine\"; Requirements = true ]"))
                .toList();

        var found = algorithm.matcher().marshal(PortedAd.of(root), new GangPool(machines));

        assertThat(found.gang().map(gang -> gang.offers().size())).contains(1_000);
    }

    @ParameterizedTest
    @EnumSource(value = GangAlgorithm.class, names = "EXACT", mode = EnumSource.Mode.EXCLUDE)
    void aPortOfAMemberTakesAsManyNeighboursAsOneOfTheRoot(GangAlgorithm algorithm) {
        var root = ad("[ Ports = { [ Label = site; Constraint = site.Type == \"Site\" ] } ]");
        var offers = new ArrayList<ClassAd>();
        offers.add(ad("[ Type = \"Site\"; Ports = { [ Label = requester; Constraint = true ],"
                + " [ Label = cpu; Count = 1000; Constraint = cpu.Type == \"Machine\" ] } ]"));
        for (int i = 0; i < 1_000; i++) {
            offers.add(ad("[ Type = \"Machine\"; Requirements = true ]"));
        }

        var found = algorithm.matcher().marshal(PortedAd.of(root), new GangPool(offers));

        assertThat(found.gang().map(gang -> gang.offers().size())).contains(1_001);
    }

    @ParameterizedTest
    @EnumSource(GangAlgorithm.class)
    void rootsThatDifferOnlyInWhatOffersJudgeThemByAreNotTakenForOneAnother(GangAlgorithm algorithm) {
        String port = "Ports = { [ Label = cpu; Constraint = cpu.Type == \"Machine\" ] } ]";
        var welcome = PortedAd.of(ad("[ Type = \"Job\"; Owner = \"ann\"; " + port));
        var refused = PortedAd.of(ad("[ Type = \"Job\"; Owner = \"bob\"; " + port));
        String machine = "[ Type = \"Machine\";"
                + " Ports = { [ Label = requester; Constraint = requester.Owner isnt \"bob\" ] } ]";

        var outcome =
                GangCycle.run(List.of(welcome, refused), new GangPool(List.of(ad(machine), ad(machine))), algorithm);

        assertThat(outcome.assignments())
                .extracting(assignment -> assignment.gang().isPresent())
                .containsExactly(true, false);
    }

    @ParameterizedTest
    @EnumSource(value = GangAlgorithm.class, names = "NAIVE", mode = EnumSource.Mode.EXCLUDE)
    void licencesThatAreEachValidOnOneHostFindIt(GangAlgorithm algorithm) {
        var offers = new ArrayList<ClassAd>();
        var roots = new ArrayList<PortedAd>();
        for (int i = 0; i < 300; i++) {
            offers.add(ad("[ Type = \"Machine\"; Name = \"m" + i + "\"; " + MACHINE_PORT + " ]"));
            roots.add(
                    PortedAd.of(ad("[ Type = \"Job\"; Ports = { [ Label = cpu; Constraint = cpu.Type == \"Machine\" ],"
                            + " [ Label = lic; Host = cpu.Name; Constraint = lic.Type == \"License\" ] } ]")));
        }
        for (int i = 299; i >= 0; i -= 3) {
            offers.add(ad("[ Type = \"License\"; Name = \"l" + i + "\"; Ports = { [ Label = requester;"
                    + " Constraint = requester.Host == \"m" + i + "\" ] } ]"));
        }

        var outcome = GangCycle.run(roots, new GangPool(offers), algorithm);

        assertThat(outcome.gangs()).isEqualTo(100);
        assertThat(outcome.assignments())
                .allSatisfy(assignment -> assignment
                        .gang()
                        .ifPresent(
                                gang -> assertThat(Definition.violations(gang)).isEmpty()));
    }

    @ParameterizedTest
    @EnumSource(value = GangAlgorithm.class, names = "EXACT", mode = EnumSource.Mode.EXCLUDE)
    void aPortMaySayHowManyNeighboursItWantsAndThenItsLabelIsAList(GangAlgorithm algorithm) {
        var job = ad(
                "[ Type = \"Job\"; Name = \"j\"; Ports = {"
                        + " [ Label = cpus; Count = 3; Rank = cpus.Memory; Constraint = cpus.Type == \"Machine\" ],"
                        + " [ Label = licence; Sum = sum(cpus.Memory); Constraint = licence.Type == \"License\" && licence.For >= Sum ] } ]");
        List<ClassAd> offers = new ArrayList<>();
        for (int memory : new int[] {1, 2, 4, 8}) {
            offers.add(machine("m" + memory, memory));
        }
        offers.add(ad("[ Type = \"License\"; Name = \"l\"; For = 11; " + MACHINE_PORT + " ]"));

        Gang gang = algorithm.matcher().marshal(job, offers).orElseThrow();

        assertThat(gang.root().dockings().get(0).members().stream()
                        .map(member -> member.ad().name()))
                .containsExactly("m8", "m2", "m1");
    }

    @ParameterizedTest
    @EnumSource(value = GangAlgorithm.class, names = "EXACT", mode = EnumSource.Mode.EXCLUDE)
    void aPortTakesAsManyNeighboursAsItMayAndNoFewerThanItMust(GangAlgorithm algorithm) {
        var job = ad("[ Type = \"Job\"; Name = \"j\"; Ports = {"
                + " [ Label = cpus; Min = 2; Max = 4; Constraint = cpus.Type == \"Machine\" ] } ]");

        assertThat(algorithm.matcher().marshal(job, List.of(machine("a", 1)))).isEmpty();
        assertThat(docked(algorithm, job, machine("a", 1), machine("b", 1), machine("c", 1)))
                .containsExactly("a", "b", "c");
        assertThat(docked(
                        algorithm,
                        job,
                        machine("a", 1),
                        machine("b", 1),
                        machine("c", 1),
                        machine("d", 1),
                        machine("e", 1)))
                .hasSize(4);
    }

    @ParameterizedTest
    @EnumSource(value = GangAlgorithm.class, names = "EXACT", mode = EnumSource.Mode.EXCLUDE)
    void aRootMayPreferAmongCompleteGangs(GangAlgorithm algorithm) {
        var job = ad(
                "[ Type = \"Job\"; Name = \"j\"; GangRank = -abs; abs = a.Memory > b.Memory ? a.Memory - b.Memory : b.Memory - a.Memory;"
                        + " Ports = { [ Label = a; Constraint = a.Type == \"Machine\" ], [ Label = b; Constraint = b.Type == \"Machine\" ] } ]");

        assertThat(docked(algorithm, job, machine("m1", 1), machine("m9", 9), machine("m5", 5), machine("m8", 8)))
                .containsExactly("m9", "m8");
    }

    @Test
    void aPortPrefersByItsRankThenByTheOffersThenByOrder() {
        var job = ad(
                "[ Type = \"Job\"; Name = \"j\"; Weight = 7; Ports = { [ Label = cpu; Rank = cpu.Memory; Constraint = true ] } ]");
        var dull = machine("dull", 4);
        var keen = ad("[ Type = \"Machine\"; Name = \"keen\"; Memory = 4; Ports = {"
                + " [ Label = requester; Rank = requester.Weight; Constraint = true ] } ]");

        assertThat(docked(GangAlgorithm.DYNAMIC, job, machine("small", 2), dull, keen, machine("also", 4)))
                .containsExactly("keen");
        assertThat(docked(GangAlgorithm.DYNAMIC, job, machine("small", 2), dull, machine("also", 4)))
                .containsExactly("dull");
    }

    @ParameterizedTest
    @EnumSource(GangAlgorithm.class)
    void anAdIsInAtMostOneGangOfACycleAndOnceInAGang(GangAlgorithm algorithm) {
        var twice = ad(
                "[ Type = \"Job\"; Name = \"j\"; Ports = {"
                        + " [ Label = a; Constraint = a.Type == \"Machine\" ], [ Label = b; Constraint = b.Type == \"Machine\" ] } ]");
        List<PortedAd> roots = List.of(PortedAd.of(twice), PortedAd.of(twice.with("Name", "k")));

        CycleOutcome outcome = GangCycle.run(
                roots, new GangPool(List.of(machine("a", 1), machine("b", 1), machine("c", 1))), algorithm);

        assertThat(outcome.gangs()).isEqualTo(1);
        assertThat(outcome.assignments().get(0).gang().orElseThrow().offers()).doesNotHaveDuplicates();
    }

    @Test
    void anAdWithoutPortsJoinsAsAWhole() {
        var job = ad(
                "[ Type = \"Job\"; Name = \"j\"; Ports = { [ Label = site; WANT = true; Constraint = site.Free > 2 ] } ]");
        var site = ad("[ Name = \"s\"; Free = 3; CurMatches = 0; MaxMatches = 1;"
                + " Requirements = CurMatches < MaxMatches && TARGET.WANT =?= true ]");

        assertThat(docked(GangAlgorithm.DYNAMIC, job, site.with("CurMatches", 1), site))
                .containsExactly("s");
        assertThat(docked(GangAlgorithm.NAIVE, job, site)).containsExactly("s");
        assertThat(docked(
                        GangAlgorithm.DYNAMIC,
                        job.with("Ports", job.lookup("Ports").orElseThrow()),
                        site.with("Free", 1)))
                .isEmpty();
    }

    @Test
    void sayNoToAMatchThatIsTiedInThreeWaysAndBoundItInstead() {
        List<PortedAd> roots = new ArrayList<>();
        for (String app : new String[] {"x", "y"}) {
            roots.add(PortedAd.of(ad("[ Type = \"Job\"; Name = \"" + app + "\"; Ports = {"
                    + " [ Label = cpu; Constraint = cpu.Type == \"Machine\" ],"
                    + " [ Label = licence; Part = cpu.Part; Constraint = licence.App == \"" + app + "\" ] } ]")));
        }
        List<ClassAd> offers = new ArrayList<>();
        for (int part = 0; part < 2; part++) {
            offers.add(machine("m" + part, 1).with("Part", part));
            for (String app : new String[] {"x", "y"}) {
                offers.add(ad("[ Type = \"License\"; Name = \"" + app + part + "\"; App = \"" + app + "\"; Part = "
                        + part + "; Ports = { [ Label = requester; Constraint = requester.Part == Part ] } ]"));
            }
        }

        CycleOutcome outcome = GangCycle.run(roots, new GangPool(offers), GangAlgorithm.EXACT);

        assertThat(outcome.gangs()).isEqualTo(2);
        assertThat(outcome.bound()).hasValue(2);
    }

    @Test
    void manyRootsOfWhichOneNeedsNoOfferDoNotExhaustTheStack() {
        String job =
                "[ Type = \"Job\"; Name = \"j\"; Ports = { [ Label = cpu; %s Constraint = cpu.Type == \"Machine\" ] } ]";
        var roots = new ArrayList<PortedAd>(Collections.nCopies(20_000, PortedAd.of(ad(job.formatted("")))));
        roots.add(PortedAd.of(ad(job.formatted("Min = 0;"))));

        CycleOutcome outcome =
                GangCycle.run(roots, new GangPool(List.of(machine("m", 1), machine("n", 1))), GangAlgorithm.EXACT);

        assertThat(outcome.gangs()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[ Name = \"bad\"; Ports = 5 ]",
                "[ Name = \"bad\"; Ports = { } ]",
                "[ Name = \"bad\"; Ports = { 7 } ]",
                "[ Name = \"bad\"; Ports = { [ Constraint = true ] } ]",
                "[ Name = \"bad\"; Ports = { [ Label = 3; Constraint = true ] } ]",
                "[ Name = \"bad\"; Ports = { [ Label = a ], [ Label = A ] } ]",
                "[ Name = \"bad\"; Ports = { [ Label = a; Count = \"many\" ] } ]",
                "[ Name = \"bad\"; Ports = { [ Label = a; Count = -1 ] } ]",
                "[ Name = \"bad\"; Ports = { [ Label = a; Min = 5; Max = 2 ] } ]",
                "[ Name = \"bad\"; Ports = { [ Label = a; Count = 9999999999 ] } ]",
            })
    void malformedPortsAreRefusedWithAReason(String text) {
        assertThatThrownBy(() -> PortedAd.of(ad(text))).isInstanceOf(MalformedAdException.class);
        var pool = new GangPool(List.of(ad(text), machine("good", 1)));
        assertThat(pool.refusals()).hasSize(1);
        assertThat(pool.size()).isEqualTo(1);
    }

    @Test
    void aCountBeyondTheGreatestIsNamedAsItIs() {
        assertThatThrownBy(() -> PortedAd.of(ad("[ Name = \"r\"; Ports = { [ Label = a; Count = 9999999999 ] } ]")))
                .hasMessage("The Count (9999999999) of a port of r is not a whole number from 0 to 1000.");
    }

    @Test
    void aLabelUsedBeforeItsPortIsUndefinedAndTheExplanationSaysSo() {
        var root = PortedAd.of(ad("[ Type = \"Job\"; Name = \"j\"; Ports = {"
                + " [ Label = a; Constraint = a.Memory == b.Memory ], [ Label = b; Constraint = true ] } ]"));
        var pool = new GangPool(List.of(machine("m", 1), machine("n", 1)));

        List<String> reasons = RootExplanation.of(root, pool).reasons();

        assertThat(new DynamicGangmatcher().marshal(root, pool).gang()).isEmpty();
        assertThat(reasons).anyMatch(reason -> reason.contains("refers to label b, which is declared later"));
    }

    @ParameterizedTest
    @EnumSource(GangAlgorithm.class)
    void circularAndHostileAdsJustDoNotMatch(GangAlgorithm algorithm) {
        var circular = PortedAd.of(ad("[ Type = \"Job\"; Name = \"j\"; X = Y + 1; Y = X + 1; Ports = {"
                + " [ Label = a; Constraint = a.Memory >= X ] } ]"));
        var doubling = new StringBuilder("[ Type = \"Job\"; Name = \"d\"; A0 = a.Memory; ");
        for (int i = 1; i < 60; i++) {
            doubling.append("A" + i + " = A" + (i - 1) + " + A" + (i - 1) + "; ");
        }
        var exponential = PortedAd.of(ad(doubling + "Ports = { [ Label = a; Constraint = A59 > 5 ] } ]"));
        var endless = ad("[ Type = \"Job\"; Name = \"e\"; Ports = { [ Label = requester; Constraint = true ],"
                + " [ Label = next; Constraint = true ] } ]");
        var pool = new GangPool(List.of(machine("m", 1), endless));

        assertThat(algorithm.matcher().marshal(circular, pool).gang()).isEmpty();
        assertThat(algorithm.matcher().marshal(exponential, pool).gang()).isEmpty();
    }

    private static List<String> docked(GangAlgorithm algorithm, ClassAd job, ClassAd... offers) {
        return algorithm.matcher().marshal(job, List.of(offers)).stream()
                .flatMap(gang -> gang.root().dockings().stream())
                .flatMap(docking -> docking.members().stream())
                .map(member -> member.ad().name())
                .toList();
    }

    private static ClassAd machine(String name, int memory) {
        return ad("[ Type = \"Machine\"; Name = \"" + name + "\"; Memory = " + memory + "; " + MACHINE_PORT + " ]");
    }

    private static ClassAd ad(String text) {
        try {
            return ClassAd.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new AssertionError(text, e);
        }
    }
}
