package org.metasched.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease;
import org.metasched.matches.OwnMatches;
import org.metasched.publisher.MatchmakerMonitor;
import org.metasched.soap.collector.AdOwners;
import org.metasched.soap.collector.CollectorEndpoint;
import org.metasched.soap.collector.RemoteCollector;
import org.metasched.trust.Authorizer;

/**
 * How many ads a second a collector takes, from their text, in process and over SOAP, and what an ad costs in memory. Arguments: a
 * file of machine ads in the long form, and how many different ads to make of them. Prints one line of JSON.
 */
public final class CollectorBench {

    private static final int PER_MESSAGE = 50;

    private CollectorBench() {}

    public static void main(String[] arguments) throws Exception {
        List<ClassAd> samples = ClassAd.parseAll(Files.readString(Path.of(arguments[0])), ReadOptions.OLD);
        int count = Integer.parseInt(arguments[1]);
        List<String> some = samples.stream()
                .map(ad -> ad.with("Name", "@NAME@").with("Rack", "@RACK@").print())
                .toList();
        // Made one by one: a million texts would take more memory than the ads.
        var texts = new AbstractList<String>() {
            @Override
            public String get(int i) {
                return some.get(i % some.size())
                        .replace("@NAME@", "slot" + i + "@bench")
                        .replace("\"@RACK@\"", Integer.toString(i / 100));
            }

            @Override
            public int size() {
                return count;
            }
        };

        long before = used();
        var collector = new InMemoryCollector(Clock.systemUTC());
        double fill = rate(count, () -> ingest(collector, texts));
        long bytes = (used() - before) / count;
        double refresh = rate(count, () -> ingest(collector, texts));
        double queries = rate(1, () -> collector.query(CollectorQuery.all().where(Expr.parse("Memory > 100000000"))));
        var rack = CollectorQuery.ofType("Machine").where(Expr.parse("Rack == 7 && Memory > 0"));
        double scan = rate(1, () -> collector.query(rack));
        long indexed = used();
        double indexes = rate(20, () -> {
            for (int i = 0; i < 20; i++) {
                collector.query(rack);
            }
        });
        int found = collector.query(rack).size();
        double soap = soap(collector, texts.subList(0, Math.min(count, 5_000)));

        System.out.printf(
                Locale.ROOT,
                "{\"ads\":%d,\"ingestPerSecond\":%.0f,\"refreshPerSecond\":%.0f,\"soapPerSecond\":%.0f,\"adsPerMessage\":%d,"
                        + "\"bytesPerAd\":%d,\"heldGB\":%.2f,\"firstQueryMillis\":%.1f,\"indexedQueryMillis\":%.3f,\"found\":%d,"
                        + "\"secondAttributeMillis\":%.1f}%n",
                count,
                fill,
                refresh,
                soap,
                PER_MESSAGE,
                bytes,
                (indexed - before) / 1e9,
                1000 / queries,
                1000 / indexes,
                found,
                1000 / scan);
    }

    private interface Work {
        void run() throws Exception;
    }

    /** Operations a second of this thread's CPU time. */
    private static double rate(int operations, Work work) throws Exception {
        var threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        work.run();
        return operations * 1e9 / Math.max(1, threads.getCurrentThreadCpuTime() - begin);
    }

    private static void ingest(InMemoryCollector collector, List<String> texts) throws Exception {
        for (String text : texts) {
            collector.advertise(ClassAd.parse(text));
        }
    }

    /** Ads a second on the clock, client and server on the same machine, after a warm-up of the same length. */
    private static double soap(InMemoryCollector collector, List<String> texts) throws Exception {
        Path ledger = Files.createTempDirectory("collector-bench");
        var monitor =
                new MatchmakerMonitor(collector, new FileLeases(ledger, Clock.systemUTC(), match -> Sight.MISSING));
        List<ClassAd> ads = new ArrayList<>();
        for (String text : texts) {
            ads.add(ClassAd.parse(text));
        }
        try (var server = SoapServer.onPort(0)
                        .service(
                                "Collector",
                                new CollectorEndpoint(
                                        monitor,
                                        new OwnMatches(monitor, Lease::owner, Authorizer.OPEN),
                                        new AdOwners(Map.of(), monitor),
                                        Authorizer.OPEN))
                        .start();
                var remote = RemoteCollector.at(server.base(), Duration.ofMinutes(1))) {
            send(remote, ads);
            long begin = System.nanoTime();
            send(remote, ads);
            return ads.size() * 1e9 / (System.nanoTime() - begin);
        }
    }

    private static void send(RemoteCollector remote, List<ClassAd> ads) {
        for (int i = 0; i < ads.size(); i += PER_MESSAGE) {
            remote.advertiseAll(ads.subList(i, Math.min(ads.size(), i + PER_MESSAGE)));
        }
    }

    private static long used() {
        var runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
