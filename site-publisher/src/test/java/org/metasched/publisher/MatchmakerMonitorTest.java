package org.metasched.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseSamples;
import org.metasched.leases.LeaseStore;

/** Two thousand sites, a thousand matches. */
class MatchmakerMonitorTest {

    private static final int SITES = 2000;

    @TempDir
    private Path folder;

    private FileLeases ledger;
    private MatchmakerMonitor monitor;
    private final AtomicInteger reads = new AtomicInteger();

    @BeforeEach
    void advertise() throws Exception {
        ledger = new FileLeases(folder, Clock.systemUTC(), lease -> Sight.UNSEEN);
        monitor = new MatchmakerMonitor(new InMemoryCollector(Clock.systemUTC()), new Counted());
        for (int i = 0; i < SITES; i++) {
            monitor.advertise(ClassAd.parse("[MyType=\"Machine\"; Name=\"site" + i
                    + "\"; MaxMatches=2; CurMatches=0; Requirements = CurMatches < MaxMatches]"));
        }
    }

    @Test
    void oneQueryReadsTheCountOnceAndAnAdIsReplacedWithoutALook() throws Exception {
        assertThat(ledger.acquire(LeaseSamples.request("site7", 2, "/x"))).isPresent();
        assertThat(ledger.acquire(LeaseSamples.request("SITE7", 2, "/y"))).isPresent();
        reads.set(0);

        assertThat(monitor.query(CollectorQuery.all().where(Expr.parse("CurMatches >= MaxMatches"))))
                .singleElement()
                .satisfies(ad -> assertThat(ad.evaluate("Name").print()).isEqualTo("\"site7\""));
        assertThat(reads).hasValue(1);
        assertThat(monitor.acquire(LeaseSamples.request("site7", 0, "/z"))).isEmpty();
        assertThat(monitor.snapshot()).hasSize(SITES);
        assertThat(reads).hasValue(2);

        monitor.advertise(ClassAd.parse("[MyType=\"Job\"; Name=\"j\"]"));
        assertThat(monitor.find(new AdKey("Job", "j"))).isPresent();
        assertThat(reads).hasValue(2);
    }

    @Test
    void aQuestionForOneAdCostsFewMilliseconds() throws Exception {
        UUID one = ledger.acquire(LeaseSamples.request("site0", 2, "/dag")).orElseThrow();
        assertThat(ledger.commit(one)).isTrue();
        copyLastLine(one.toString());
        assertThat(ledger.held()).hasSize(1000);
        var query = CollectorQuery.ofType("Machine").where(Expr.parse("Name == \"site999\" && CurMatches == 1"));
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

    /** A thousand leases acquired one by one would take longer than the test. */
    private void copyLastLine(String id) throws IOException {
        Path file = folder.resolve("matches.log");
        List<String> lines = Files.readAllLines(file);
        String last = lines.get(lines.size() - 1).substring(9);
        var copies = new StringBuilder();
        for (int i = 1; i < 1000; i++) {
            String line = last.replace(id, UUID.randomUUID().toString()).replace(" site0 ", " site" + i + " ");
            var crc = new CRC32();
            crc.update(line.getBytes(StandardCharsets.UTF_8));
            copies.append("%08x %s%n".formatted(crc.getValue(), line));
        }
        Files.writeString(file, copies, StandardOpenOption.APPEND);
    }

    /** The file, and how often it was counted. */
    private final class Counted implements LeaseStore {
        @Override
        public Optional<UUID> acquire(LeaseRequest request) {
            return ledger.acquire(request);
        }

        @Override
        public boolean renew(UUID id) {
            return ledger.renew(id);
        }

        @Override
        public boolean commit(UUID id) {
            return ledger.commit(id);
        }

        @Override
        public boolean release(UUID id) {
            return ledger.release(id);
        }

        @Override
        public List<Lease> held() {
            return ledger.held();
        }

        @Override
        public Map<String, Integer> counts() {
            reads.incrementAndGet();
            return ledger.counts();
        }
    }
}
