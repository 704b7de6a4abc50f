package org.metasched.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.classad.collector.Query;

/** Two thousand sites, a thousand matches. */
class MatchmakerMonitorTest {

    private static final int SITES = 2000;

    @TempDir
    private Path folder;

    private MatchLedger ledger;
    private MatchmakerMonitor monitor;
    private final AtomicInteger reads = new AtomicInteger();

    @BeforeEach
    void advertise() throws Exception {
        ledger = new MatchLedger(folder, Clock.systemUTC(), new BindingEvidence());
        monitor = new MatchmakerMonitor(new InMemoryCollector(Clock.systemUTC()), new Counted());
        for (int i = 0; i < SITES; i++) {
            monitor.advertise(ClassAd.parse("[MyType=\"Machine\"; Name=\"site" + i
                    + "\"; MaxMatches=2; CurMatches=0; Requirements = CurMatches < MaxMatches]"));
        }
    }

    @Test
    void oneQueryReadsTheCountOnceAndAnAdIsReplacedWithoutALook() throws Exception {
        ledger.take("site7", 2, "/x");
        ledger.take("SITE7", 2, "/y");
        reads.set(0);

        assertThat(monitor.query(Query.all().where(Expr.parse("CurMatches >= MaxMatches"))))
                .singleElement()
                .satisfies(ad -> assertThat(ad.evaluate("Name").print()).isEqualTo("\"site7\""));
        assertThat(reads).hasValue(1);
        assertThat(monitor.take("site7", "/z", 1)).isEmpty();
        assertThat(monitor.snapshot()).hasSize(SITES);
        assertThat(reads).hasValue(2);

        monitor.advertise(ClassAd.parse("[MyType=\"Job\"; Name=\"j\"]"));
        assertThat(monitor.find(new AdKey("Job", "j"))).isPresent();
        assertThat(reads).hasValue(2);
    }

    @Test
    void aQuestionForOneAdCostsFewMilliseconds() throws Exception {
        var one = ledger.take("site0", 2, "/dag").orElseThrow();
        ledger.confirm(one.id());
        copyLastLine(one.id().toString());
        assertThat(ledger.held()).hasSize(1000);
        var query = Query.ofType("Machine").where(Expr.parse("Name == \"site999\" && CurMatches == 1"));
        var threads = ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long before = threads.getCurrentThreadCpuTime();
            assertThat(monitor.query(query)).hasSize(1);
            least = Math.min(least, threads.getCurrentThreadCpuTime() - before);
        }
        System.out.printf("one ad of %d with 1000 matches: %.1f ms of CPU%n", SITES, least / 1e6);
        assertThat(least).isLessThan(200_000_000);
    }

    /** A thousand claims taken one by one would take longer than the test. */
    private void copyLastLine(String id) throws IOException {
        var file = new LedgerFile(folder);
        boolean unused = file.exclusively(lines -> {
            String last = lines.get(lines.size() - 1);
            for (int i = 1; i < 1000; i++) {
                file.append(last.replace(id, UUID.randomUUID().toString()).replace(" site0 ", " site" + i + " "));
            }
            return true;
        });
    }

    /** The ledger, and how often it was read as a whole. */
    private final class Counted implements Claims {
        @Override
        public Optional<HeldMatch> take(Want want, int maxMatches) {
            return ledger.take(want, maxMatches);
        }

        @Override
        public boolean renew(UUID id) {
            return ledger.renew(id);
        }

        @Override
        public boolean confirm(UUID id) {
            return ledger.confirm(id);
        }

        @Override
        public boolean release(UUID id) {
            return ledger.release(id);
        }

        @Override
        public List<HeldMatch> held() {
            return ledger.held();
        }

        @Override
        public Map<String, Integer> counts() {
            reads.incrementAndGet();
            return ledger.counts();
        }
    }
}
