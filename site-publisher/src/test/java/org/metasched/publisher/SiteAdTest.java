package org.metasched.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.classad.ClassAd;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.LeaseSamples;

class SiteAdTest {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

    /** The site ad of the USCMS page, as a site admin writes it. */
    private static final String PUBLISH = """
        name: uw-hep-USCMS-Site
        max-matches: 2
        requirements: (CurMatches < MaxMatches) && (TARGET.WANT_USCMS_MATCHMAKER =?= TRUE)
        environment:
          SiteGatekeeperURL: dill.hep.wisc.edu:/jobmanager-condor
          SiteWorkingArea: /scratch/work
        attributes:
          Is_USCMS_Site: true
          MatchmakerURL: ramen.fnal.gov:/jobmanager-condor
          Weight: 2.5
        expressions:
          Busy: CurMatches > MaxMatches / 2
        """;

    @TempDir
    private Path directory;

    private final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);

    @Test
    void aSiteAdSaysWhatTheTemplateSaysAndWhatIsTrueNow() {
        ClassAd ad =
                new SiteAdBuilder(template(PUBLISH)).build(1, Optional.of(new SiteLoad(64, 12, 3, 4)), 1057960761, NOW);

        assertThat(value(ad, "Name")).isEqualTo("\"uw-hep-USCMS-Site\"");
        assertThat(value(ad, "SiteEnvironment"))
                .isEqualTo("\"SiteGatekeeperURL=dill.hep.wisc.edu:/jobmanager-condor;SiteWorkingArea=/scratch/work\"");
        // Without the two HTCondor's negotiator passes over the ad.
        assertThat(value(ad, "StartdIpAddr")).isEqualTo("\"<127.0.0.1:9>\"");
        assertThat(value(ad, "WantClaiming")).isEqualTo("false");
        assertThat(value(ad, "CurMatches")).isEqualTo("1");
        assertThat(value(ad, "MaxMatches")).isEqualTo("2");
        assertThat(value(ad, "FreeNodes")).isEqualTo("12");
        assertThat(value(ad, "Is_USCMS_Site")).isEqualTo("true");
        assertThat(value(ad, "Weight")).startsWith("2.5");
        assertThat(value(ad, "Busy")).isEqualTo("false");
        assertThat(value(ad, "ClassAdLifetime")).isEqualTo("900");
    }

    @Test
    void aJobThatAsksForTheMatchmakerMatchesUntilTheSiteIsFull() throws Exception {
        var job = ClassAd.parse("[WANT_USCMS_MATCHMAKER = true; Requirements = Is_USCMS_Site =?= true]");
        var builder = new SiteAdBuilder(template(PUBLISH));

        for (int matches : new int[] {0, 1, 2}) {
            ClassAd site = builder.build(matches, Optional.empty(), 1, NOW);

            assertThat(site.evaluate("Requirements", Scope.matching(site, job, LookupMode.OLD))
                            .satisfies())
                    .isEqualTo(matches < 2);
            assertThat(job.evaluate("Requirements", Scope.matching(job, site, LookupMode.OLD))
                            .satisfies())
                    .isTrue();
        }
    }

    @Test
    void matchesAreSimultaneousJobsByTheUsualSizeOfAGroupRoundedUp() {
        assertThat(template("simultaneous-jobs: 101\nusual-group-size: 50").maxMatches())
                .isEqualTo(3);
        assertThat(template("simultaneous-jobs: 100").maxMatches()).isEqualTo(2);
    }

    @Test
    void aValueThatTheOldEnvironmentSyntaxCannotCarryIsWrittenInTheNewOne() {
        ClassAd ad = new SiteAdBuilder(
                        template("max-matches: 1\nenvironment: {A: 'x;y', B: \"it's\", C: plain, D: 'say \"hi\"'}"))
                .build(0, Optional.empty(), 1, NOW);

        assertThat(ad.evaluate("SiteEnvironment"))
                .isEqualTo(org.metasched.classad.Value.of("\"A=x;y B='it''s' C=plain D='say \"\"hi\"\"'\""));
    }

    @Test
    void theOnlyValueOfAnEnvironmentReadsAsItWasWritten() {
        assertThat(SiteEnvironment.written(Map.of("A", "x B=y"))).isEqualTo("\"A='x B=y'\"");
        assertThat(SiteEnvironment.written(Map.of("A", "'x'"))).isEqualTo("\"A='''x'''\"");
        assertThat(SiteEnvironment.written(Map.of("A", "|x"))).isEqualTo("A=|x");
    }

    @Test
    void badSettingsAreNamedWithTheirPlace() {
        assertThatThrownBy(() -> template("max-matches: 1\nrequirement: true"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("site.yaml:2:1")
                .hasMessageContaining("requirements");
        assertThatThrownBy(() -> template("max-matches: 1\nrequirements: a &&"))
                .hasMessageContaining("site.yaml:2:15")
                .hasMessageContaining("not a ClassAd expression");
        assertThatThrownBy(() -> template("name: x")).hasMessageContaining("max-matches");
        assertThatThrownBy(() -> template("max-matches: 1\nevery: 1h\nlifetime: 5m"))
                .hasMessageContaining("lifetime");
        assertThatThrownBy(() -> template("max-matches: 1\nattributes: {'a b': 1}"))
                .hasMessageContaining("site.yaml:2:");
    }

    @Test
    void furtherAttributesDoNotReplaceThoseOfTheAdItself() {
        for (String name : List.of("Name", "mytype", "CurMatches", "UpdateSequenceNumber", "Requirements")) {
            for (String section : List.of("attributes", "expressions")) {
                assertThatThrownBy(() -> template("max-matches: 1\n" + section + ": {" + name + ": true}"))
                        .as(section)
                        .isInstanceOf(InvalidSettingException.class)
                        .hasMessageMatching("site.yaml:2:\\d+: " + name + ": expected another attribute: .*");
            }
        }
        assertThat(template("max-matches: 1\nattributes: {WantClaiming: true, TotalNodes: 4}")
                        .attributes())
                .containsKeys("WantClaiming", "TotalNodes");
    }

    @Test
    void eachTurnSendsAHigherNumberAndTheCountOfTheLedger() throws Exception {
        var collector = new InMemoryCollector(clock);
        var loop = loop(new FakeSite(), collector, 3);

        var first = loop.once();
        var second = loop.once();

        assertThat(number(first)).isLessThan(number(second));
        assertThat(collector.query(CollectorQuery.ofType("Machine")))
                .singleElement()
                .satisfies(ad -> {
                    assertThat(value(ad, "CurMatches")).isEqualTo("3");
                    assertThat(value(ad, "QueuedJobs")).isEqualTo("7");
                });
    }

    @Test
    void aSiteThatCannotBeAskedSendsNothing() throws Exception {
        var collector = new InMemoryCollector(clock);
        var site = new FakeSite();
        site.silent = true;

        var turn = loop(site, collector, 0).once();

        assertThat(turn.end()).isEqualTo(PublishLoop.End.SITE_SILENT);
        assertThat(turn.reason()).contains("no answer");
        assertThat(collector.size()).isZero();
    }

    @Test
    void signingOffTakesTheAdBack() throws Exception {
        var collector = new InMemoryCollector(clock);
        var loop = loop(new FakeSite(), collector, 0);
        loop.once();

        loop.signOff();

        assertThat(collector.find(new AdKey("Machine", "uw-hep-USCMS-Site"))).isEmpty();
    }

    @Test
    void aFileHoldsTheNewestAdInTheLongForm() throws Exception {
        Path file = directory.resolve("site.ad");
        var sink = new FileSink(file);
        var ad = new SiteAdBuilder(template(PUBLISH)).build(0, Optional.empty(), 5, NOW);

        sink.advertise(ad);
        var read = ClassAd.parseOld(Files.readString(file));
        sink.invalidate(AdKey.of(ad));

        assertThat(read.names()).containsExactlyInAnyOrderElementsOf(ad.names());
        assertThat(read.evaluate("SiteEnvironment")).isEqualTo(ad.evaluate("SiteEnvironment"));
        assertThat(file).doesNotExist();
    }

    @Test
    void theMonitorShowsTheLedgersCountWhateverTheSiteSaid() throws Exception {
        var ledger = new FileLeases(directory, clock, match -> Sight.MISSING);
        var monitor = new MatchmakerMonitor(new InMemoryCollector(clock), ledger);
        monitor.advertise(new SiteAdBuilder(template(PUBLISH)).build(0, Optional.empty(), 5, NOW));

        var first = monitor.acquire(LeaseSamples.request("uw-hep-uscms-site", 0, "/dags/1"))
                .orElseThrow();
        var second = monitor.acquire(LeaseSamples.request("uw-hep-USCMS-Site", 0, "/dags/2"))
                .orElseThrow();
        var third = monitor.acquire(LeaseSamples.request("uw-hep-USCMS-Site", 0, "/dags/3"));

        assertThat(third).isEmpty();
        assertThat(monitor.query(
                        CollectorQuery.all().where(org.metasched.classad.Expr.parse("CurMatches < MaxMatches"))))
                .isEmpty();
        assertThat(monitor.commit(first)).isTrue();
        assertThat(monitor.release(second)).isTrue();
        assertThat(monitor.query(CollectorQuery.all()))
                .singleElement()
                .satisfies(ad -> assertThat(value(ad, "CurMatches")).isEqualTo("1"));
        assertThatThrownBy(() -> monitor.acquire(LeaseSamples.request("elsewhere", 0, "/dags/4")))
                .hasMessageContaining("(elsewhere)");
    }

    private PublishLoop loop(LocalScheduler site, InMemoryCollector collector, int curMatches) throws Exception {
        return new PublishLoop(
                template(PUBLISH),
                site,
                () -> curMatches,
                Optional.empty(),
                new SequenceNumbers(directory.resolve("sequence"), clock),
                new CollectorSink(collector),
                clock);
    }

    private static long number(PublishLoop.Turn turn) {
        return ((org.metasched.classad.Value.Int) turn.ad().evaluate("UpdateSequenceNumber")).value();
    }

    private static SiteAdTemplate template(String yaml) {
        return SiteAdTemplate.from(YamlSettings.parse("site.yaml", yaml), "uw-hep", SiteAdTemplate.ROOM);
    }

    private static String value(ClassAd ad, String attribute) {
        return ad.evaluate(attribute).print();
    }

    private static Unreachable silence() {
        return new Unreachable("no answer");
    }

    /** A scheduler that only tells its load. */
    private static final class FakeSite extends LoadOnlyScheduler {
        private boolean silent;

        @Override
        protected SiteLoad now() throws Unreachable {
            if (silent) {
                throw silence();
            }
            return new SiteLoad(10, 2, 5, 7);
        }
    }
}
