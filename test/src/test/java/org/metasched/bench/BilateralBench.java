package org.metasched.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.CycleReport;
import org.metasched.classad.cycle.JobRequest;
import org.metasched.classad.cycle.MatchmakingCycle;
import org.metasched.classad.cycle.NothingKept;
import org.metasched.classad.cycle.PoolRules;
import org.metasched.classad.cycle.SharePolicy;
import org.metasched.classad.match.Autocluster;
import org.metasched.classad.match.Autoclusters;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.OfferPool;
import org.metasched.leases.LeaseSamples;

/**
 * One matchmaking cycle at scale: many machine ads, many autoclusters of jobs, one match for each. Prints one JSON object.
 *
 * <p>Arguments: machines, autoclusters. Times are of this process's first matching; then, as a second one, a whole
 * {@link MatchmakingCycle} from ads to matches, whose time includes the index.
 */
public final class BilateralBench {

    private static final String[] ARCH = {"X86_64", "aarch64", "ppc64le", "riscv64"};

    /** What this process and all its threads cost: on a machine shared with others the wall clock tells little. */
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private BilateralBench() {}

    public static void main(String[] arguments) throws ClassAdSyntaxException {
        int machines = Integer.parseInt(arguments[0]);
        int clusters = Integer.parseInt(arguments[1]);
        var random = new SplittableRandom(1);
        List<ClassAd> ads = new ArrayList<>(machines);
        for (int i = 0; i < machines; i++) {
            ads.add(machine(i, random));
        }
        List<ClassAd> jobs = new ArrayList<>(clusters);
        for (int i = 0; i < clusters; i++) {
            jobs.add(job(i, random));
        }
        System.out.printf(
                Locale.ROOT, "{\"machines\":%d,%s,%s}%n", machines, matching(ads, jobs), wholeCycle(ads, jobs));
    }

    /** The index and the matching, each on its own. */
    private static String matching(List<ClassAd> ads, List<ClassAd> jobs) {
        long start = System.nanoTime();
        OfferPool pool = OfferPool.of(ads);
        pool.prepare();
        var autoclusters = new Autoclusters(pool);
        // The first request builds the columns that all others share: part of taking the ads in.
        autoclusters.of(jobs.get(0)).prepare();
        long indexed = System.nanoTime();
        long cpuBefore = PROCESS.getProcessCpuTime();
        List<Autocluster> found = jobs.stream().map(autoclusters::of).toList();
        found.parallelStream().forEach(Autocluster::prepare);
        int matched = 0;
        for (int i = 0; i < jobs.size(); i++) {
            Optional<Match> match = found.get(i).best(jobs.get(i));
            if (match.isPresent()) {
                pool.consume(match.get().number());
                matched++;
            }
        }
        long done = System.nanoTime();
        return String.format(
                Locale.ROOT,
                "\"autoclusters\":%d,\"matched\":%d,\"indexMillis\":%.1f,\"matchMillis\":%.1f,\"matchCpuMillis\":%.1f",
                autoclusters.all().size(),
                matched,
                (indexed - start) / 1e6,
                (done - indexed) / 1e6,
                (PROCESS.getProcessCpuTime() - cpuBefore) / 1e6);
    }

    /** A cycle of ten submitters by fair share, index included. */
    private static String wholeCycle(List<ClassAd> ads, List<ClassAd> jobs) {
        var now = Instant.EPOCH;
        var offers = new ArrayList<Advertisement>(ads.size());
        for (int i = 0; i < ads.size(); i++) {
            offers.add(new Advertisement(
                    new AdKey("Machine", "m" + i), ads.get(i), ClassAd.EMPTY, OptionalLong.empty(), now, Instant.MAX));
        }
        var requests = new ArrayList<JobRequest>(jobs.size());
        for (int i = 0; i < jobs.size(); i++) {
            requests.add(new JobRequest("submitter" + i % 10, jobs.get(i), "", 1, 0.0));
        }
        var accountant = new Accountant(Duration.ofDays(1), Clock.systemUTC(), new NothingKept());
        CycleReport report = new MatchmakingCycle(
                        SharePolicy.DEFAULT,
                        PoolRules.DEFAULT,
                        accountant,
                        LeaseSamples.uncounted(),
                        introduction -> {},
                        Clock.systemUTC())
                .run(requests, offers);
        return String.format(
                "\"cycleMatched\":%d,\"cycleMillis\":%d",
                report.matches(), report.took().toMillis());
    }

    private static ClassAd machine(int number, SplittableRandom random) throws ClassAdSyntaxException {
        return ClassAd.parse(
                ("[ MyType = \"Machine\"; Name = \"slot%d@node%d\"; Arch = \"%s\"; OpSys = \"LINUX\"; Memory = %d;"
                                + " Cpus = %d; Disk = %d; KFlops = %d; State = \"Unclaimed\"; Rank = 0;"
                                + " Start = TARGET.ImageSize <= 65536 && Memory > 0; Requirements = START ]")
                        .formatted(
                                number,
                                number / 8,
                                ARCH[random.nextInt(ARCH.length)],
                                1024 << random.nextInt(7),
                                1 << random.nextInt(6),
                                random.nextInt(1, 1_000_000),
                                random.nextInt(1000, 1100)));
    }

    private static ClassAd job(int number, SplittableRandom random) throws ClassAdSyntaxException {
        return ClassAd.parse(("[ MyType = \"Job\"; Name = \"j%d\"; ImageSize = %d; Requirements = TARGET.Arch =="
                        + " \"%s\" && TARGET.OpSys == \"LINUX\" && TARGET.Memory >= %d && TARGET.Cpus >= %d && TARGET.Disk >= %d;"
                        + " Rank = TARGET.KFlops ]")
                .formatted(
                        number,
                        1024 + number,
                        ARCH[random.nextInt(ARCH.length)],
                        1024 << random.nextInt(6),
                        1 << random.nextInt(4),
                        random.nextInt(1, 500_000)));
    }
}
