package org.metasched.classad.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.SettableClock;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;

class InMemoryCollectorTest {

    private final SettableClock clock = SettableClock.at("2026-01-05T08:00:00Z");
    private final InMemoryCollector collector = new InMemoryCollector(clock, 3);

    @Test
    void keysThatAreEqualHaveEqualHashCodes() {
        for (String one : List.of("i", "I", "\u0131", "\u0130", "k", "\u212a")) {
            for (String other : List.of("i", "I", "\u0131", "\u0130", "k", "\u212a")) {
                var left = new AdKey("Machine", one);
                var right = new AdKey("machine", other);
                assertThat(left.equals(right))
                        .as("%s and %s", left, right)
                        .isEqualTo(left.hashCode() == right.hashCode());
            }
        }
    }

    @Test
    void aConstraintOnNameOrTypeFindsWhatAScanFinds() throws Exception {
        var all = new InMemoryCollector(clock);
        for (String type : List.of("Machine", "Job", "Site")) {
            for (int i = 0; i < 5; i++) {
                all.advertise(ad("[MyType=\"" + type + "\"; Name=\"n" + i + "\"; Memory=" + i + "]"));
            }
        }
        all.advertise(ad("[Type=\"Machine\"; Name=\"n7\"; Memory=7]"));
        assertThat(all.invalidate(new AdKey("job", "N1"))).isTrue();
        for (String text : List.of(
                "Name == \"N1\"",
                "Name =?= \"N1\"",
                "\"n1\" == Name && Memory > 0",
                "(MyType == \"machine\") && (Name == \"n7\" || Memory == 2)",
                "MyType == \"machine\"",
                "Type == \"Machine\"",
                "Name == \"\"",
                "Name != \"n1\"",
                "Name == \"n1\" || Name == \"n2\"",
                "Memory == 2 && Name == \"n3\"",
                "4 / Memory")) {
            var query = CollectorQuery.all().where(Expr.parse(text));
            assertThat(all.query(query))
                    .as(text)
                    .isEqualTo(all.query(CollectorQuery.all()).stream()
                            .filter(query::accepts)
                            .toList());
            assertThat(all.query(query.supersetWithout("CurMatches"))).as(text).containsAll(all.query(query));
        }
        assertThat(CollectorQuery.all()
                        .where(Expr.parse("(Name == \"a\") && x"))
                        .required("name"))
                .contains("a");
        assertThat(CollectorQuery.all().where(Expr.parse("Name == \"a\" || x")).required("Name"))
                .isEmpty();
    }

    @Test
    void theNewestAdPerTypeAndNameIsKept() throws Exception {
        collector.advertise(ad("[MyType=\"Machine\"; Name=\"a\"; Memory=1; UpdateSequenceNumber=1]"));

        var receipt = collector.advertise(ad("[MyType=\"machine\"; Name=\"A\"; Memory=2; UpdateSequenceNumber=2]"));

        assertThat(receipt)
                .isInstanceOfSatisfying(
                        AdvertiseReceipt.Kept.class,
                        kept -> assertThat(kept.first()).isFalse());
        assertThat(collector.query(CollectorQuery.all()))
                .singleElement()
                .satisfies(found -> assertThat(found.evaluate("Memory").print()).isEqualTo("2"));
    }

    @Test
    void anAdThatComesLateIsDropped() throws Exception {
        collector.advertise(ad("[Type=\"Machine\"; Name=\"a\"; Memory=2; UpdateSequenceNumber=7]"));

        var receipt = collector.advertise(ad("[Type=\"Machine\"; Name=\"a\"; Memory=1; UpdateSequenceNumber=6]"));

        assertThat(receipt).isEqualTo(new AdvertiseReceipt.Late(new AdKey("Machine", "a"), 7, 6));
        assertThat(collector.query(CollectorQuery.all().where(Expr.parse("Memory == 2"))))
                .hasSize(1);
    }

    @Test
    void anAdvertiserThatBeganAnewMayCountFromOneAgain() throws Exception {
        collector.advertise(
                ad("[Type=\"Machine\"; Name=\"a\"; DaemonStartTime=100; UpdateSequenceNumber=7; Memory=1]"));

        collector.advertise(
                ad("[Type=\"Machine\"; Name=\"a\"; DaemonStartTime=200; UpdateSequenceNumber=1; Memory=2]"));

        assertThat(collector.query(CollectorQuery.all().where(Expr.parse("Memory == 2"))))
                .hasSize(1);
    }

    @Test
    void anAdIsGoneWhenItsLifetimeIsOver() throws Exception {
        collector.advertise(ad("[Type=\"Site\"; Name=\"a\"; ClassAdLifetime=60]"));
        collector.advertise(ad("[Type=\"Site\"; Name=\"b\"]"));

        clock.advance(Duration.ofSeconds(60));

        assertThat(collector.query(CollectorQuery.ofType("site"))).hasSize(1);
        assertThat(collector.find(new AdKey("Site", "a"))).isEmpty();
        assertThat(collector.dropExpired()).isEqualTo(1);
        assertThat(collector.size()).isEqualTo(1);
    }

    @Test
    void noQueryIsAnsweredWithATicketButTheCycleIsGivenIt() throws Exception {
        collector.advertise(ad(
                "[Type=\"Machine\"; Name=\"a\"; ClaimId=\"secret\"; _condor_priv_key=1; AuthorizationTicket=\"t\"]"));

        assertThat(collector.query(CollectorQuery.all()))
                .singleElement()
                .satisfies(found -> assertThat(found.names()).containsExactly("Type", "Name"));
        assertThat(collector.query(CollectorQuery.all().where(Expr.parse("ClaimId == \"secret\""))))
                .isEmpty();
        assertThat(collector.query(CollectorQuery.all().selecting(List.of("ClaimId", "Name"))))
                .singleElement()
                .satisfies(found -> assertThat(found.names()).containsExactly("Name"));
        assertThat(collector.snapshot())
                .singleElement()
                .satisfies(found -> assertThat(found.privateAd().names())
                        .containsExactlyInAnyOrder("ClaimId", "_condor_priv_key", "AuthorizationTicket"));
    }

    @Test
    void invalidatingByConstraintDropsJustThese() throws Exception {
        collector.advertise(ad("[Type=\"Machine\"; Name=\"a\"; Memory=1]"));
        collector.advertise(ad("[Type=\"Machine\"; Name=\"b\"; Memory=2]"));

        int dropped = collector.invalidate(CollectorQuery.ofType("Machine").where(Expr.parse("Memory > 1")));

        assertThat(dropped).isEqualTo(1);
        assertThat(collector.invalidate(new AdKey("machine", "A"))).isTrue();
        assertThat(collector.invalidate(new AdKey("machine", "A"))).isFalse();
    }

    @Test
    void badAdsAreRefusedWithTheReason() throws Exception {
        assertThat(reasonFor("[Type=\"Machine\"]")).contains("no name").contains("found none");
        assertThat(reasonFor("[Type=\"Machine\"; Name=5]")).contains("found 5");
        assertThat(reasonFor("[Name=\"a\"]")).contains("no type");
        assertThat(reasonFor("[Type=\"M\"; Name=\"a\"; ClassAdLifetime=-1]")).contains("ClassAdLifetime (-1)");
        assertThat(reasonFor("[Type=\"M\"; Name=\"a\"; UpdateSequenceNumber=\"7\"]"))
                .contains("UpdateSequenceNumber (\"7\") must be an integer");
        assertThat(reasonFor("[Type=\"M\"; Name=Name]")).contains("found undefined");
    }

    @Test
    void aFullCollectorStillTakesUpdates() throws Exception {
        for (String name : List.of("a", "b", "c")) {
            collector.advertise(ad("[Type=\"M\"; Name=\"" + name + "\"]"));
        }

        assertThat(reasonFor("[Type=\"M\"; Name=\"d\"]")).contains("full");
        assertThat(collector.advertise(ad("[Type=\"M\"; Name=\"a\"]"))).isInstanceOf(AdvertiseReceipt.Kept.class);
    }

    private String reasonFor(String text) throws ClassAdSyntaxException {
        return ((AdvertiseReceipt.Refused) collector.advertise(ad(text))).reason();
    }

    private static ClassAd ad(String text) throws ClassAdSyntaxException {
        return ClassAd.parse(text);
    }

    @Test
    void anAdOfEarlierIsFoundByItsTypeToo() throws Exception {
        var collector = new InMemoryCollector(java.time.Clock.systemUTC());
        collector.restore(ClassAd.parse("[MyType=\"Machine\"; Name=\"m\"]"), java.time.Instant.now());

        assertThat(collector.query(CollectorQuery.ofType("Machine"))).hasSize(1);
        assertThat(collector.query(CollectorQuery.all().named("m"))).hasSize(1);
    }

    @Test
    void ofManyAdsAnIndexFindsWhatALookAtEachFindsWhileTheyComeAndGo() throws Exception {
        var many = new InMemoryCollector(java.time.Clock.systemUTC());
        var queries = new java.util.ArrayList<CollectorQuery>();
        for (String text : java.util.List.of(
                "Memory >= 90",
                "90 < Memory && Arch == \"x86\"",
                "Memory == 17.0",
                "Arch =?= \"X86\"",
                "Memory < -1 || true",
                "Size == 3 && Memory <= 50",
                "CurrentTime > 5 && Memory == 3",
                "Memory != 3 && Arch == \"arm\"")) {
            queries.add(CollectorQuery.ofType("Machine").where(org.metasched.classad.Expr.parse(text)));
        }
        var kept = new java.util.TreeMap<String, ClassAd>();
        var random = new java.util.Random(14);
        for (int i = 0; i < 12_000; i++) {
            String name = "m" + random.nextInt(20_000);
            String memory = i % 50 == 0 ? "10 * 3" : i % 60 == 0 ? "undefined" : Integer.toString(random.nextInt(100));
            ClassAd ad = ClassAd.parse("[MyType=\"Machine\"; Name=\"" + name + "\"; Memory=" + memory + "; Size="
                    + i % 7 + "; Arch=\"" + (random.nextBoolean() ? "X86" : "arm") + "\"]");
            many.advertise(ad);
            kept.put(name, ad);
            if (i % 5 == 0) {
                many.invalidate(AdKey.of(ad));
                kept.remove(name);
            }
            if (i == 9_000 || i == 11_999) {
                for (CollectorQuery query : queries) {
                    assertThat(many.query(query))
                            .as(query.constraint().print())
                            .containsExactlyInAnyOrderElementsOf(kept.values().stream()
                                    .filter(query::accepts)
                                    .toList());
                }
            }
        }
        assertThat(kept).hasSizeGreaterThan(6_000);
    }
}
