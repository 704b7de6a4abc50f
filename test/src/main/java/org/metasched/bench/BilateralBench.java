package org.metasched.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.match.Autocluster;
import org.metasched.classad.match.Autoclusters;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.OfferPool;

/**
 * One matchmaking cycle at scale: many machine ads, many autoclusters of jobs, one match for each. Prints one JSON object.
 *
 * <p>Arguments: machines, autoclusters. Times are of this process's first cycle.
 */
public final class BilateralBench {

    private static final String[] ARCH = {"X86_64", "aarch64", "ppc64le", "riscv64"};

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
        long start = System.nanoTime();
        OfferPool pool = OfferPool.of(ads);
        var autoclusters = new Autoclusters(pool);
        // The first request builds the columns that all others share: part of taking the ads in.
        autoclusters.of(jobs.get(0)).prepare();
        long indexed = System.nanoTime();
        List<Autocluster> found = jobs.stream().map(autoclusters::of).toList();
        found.parallelStream().forEach(Autocluster::prepare);
        int matched = 0;
        for (int i = 0; i < clusters; i++) {
            Optional<Match> match = found.get(i).best(jobs.get(i));
            if (match.isPresent()) {
                pool.available().remove(match.get().number());
                matched++;
            }
        }
        long done = System.nanoTime();
        System.out.printf(
                Locale.ROOT,
                "{\"machines\":%d,\"autoclusters\":%d,\"matched\":%d,\"indexMillis\":%.1f,\"matchMillis\":%.1f}%n",
                machines,
                autoclusters.all().size(),
                matched,
                (indexed - start) / 1e6,
                (done - indexed) / 1e6);
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
        return ClassAd.parse(("[ MyType = \"Job\"; Name = \"j%d\"; ImageSize = %d; Requirements = TARGET.Arch == \"%s\""
                        + " && TARGET.OpSys == \"LINUX\" && TARGET.Memory >= %d && TARGET.Cpus >= %d && TARGET.Disk >= %d;"
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
