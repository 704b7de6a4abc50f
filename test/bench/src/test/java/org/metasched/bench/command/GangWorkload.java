package org.metasched.bench.command;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.metasched.bench.command.SplitMix64.Weighted;

/**
 * The experiment of the 2003 paper's section 6 as reproducible data: jobs that need a workstation and a licence that is
 * valid in the workstation's partition. Equal arguments give equal text, byte for byte, on every machine.
 *
 * <p>The paper states which attributes there are and how they are constrained, but not their distributions; those here are
 * the ones of the reference generator the project was given, in integer arithmetic only.
 *
 * @param jobs how many jobs, and as many workstations
 * @param licenseDensity licences per hundred jobs; the paper has 50 and 100
 * @param selectivity how many disjoint partitions workstations and licences fall into; the paper has 1, 2, 4 and 8
 * @param seed selects the three random streams
 * @param continuous spreads every number of a ladder over half its range, so that hardly two ads are equal
 * @param blocked leaves partitions in file order instead of shuffling them
 * @param hard platforms that go with partitions, licences skewed over partitions, loosest jobs first
 */
public record GangWorkload(
        int jobs, int licenseDensity, int selectivity, long seed, boolean continuous, boolean blocked, boolean hard) {

    private record Platform(String arch, String opSys) {}

    private record Job(Platform platform, int memory, int virtualMemory, int imageSize) {}

    private static final List<Platform> PLATFORMS = List.of(
            new Platform("INTEL", "LINUX"),
            new Platform("SUN4u", "SOLARIS26"),
            new Platform("INTEL", "SOLARIS26"),
            new Platform("INTEL", "WINNT40"),
            new Platform("ALPHA", "OSF1"),
            new Platform("SGI", "IRIX65"),
            new Platform("HPPA", "HPUX10"));
    private static final List<Weighted<Platform>> WEIGHTED_PLATFORMS = weighted(PLATFORMS, 30, 20, 14, 12, 10, 8, 6);
    private static final List<Weighted<Integer>> MACHINE_MEMORY =
            weighted(List.of(64, 128, 256, 512, 1024), 25, 30, 25, 15, 5);
    private static final List<Weighted<Integer>> MACHINE_VIRTUAL_MEMORY =
            weighted(List.of(128, 256, 512, 1024), 20, 30, 30, 20);
    private static final List<Weighted<Integer>> JOB_MEMORY =
            weighted(List.of(32, 64, 128, 256, 512), 25, 30, 25, 15, 5);
    private static final List<Weighted<Integer>> JOB_VIRTUAL_MEMORY =
            weighted(List.of(64, 128, 256, 512), 25, 30, 30, 15);
    private static final List<Weighted<Integer>> JOB_IMAGE = weighted(List.of(16, 32, 64, 128, 256), 20, 25, 30, 20, 5);
    private static final List<Weighted<Integer>> MACHINE_LIMIT = weighted(List.of(64, 128, 256, 512), 20, 25, 30, 25);

    public GangWorkload {
        if (jobs < 0) {
            throw new IllegalArgumentException("The number of jobs (" + jobs + ") must not be negative.");
        }
        if (licenseDensity < 0 || licenseDensity > 1000) {
            throw new IllegalArgumentException(
                    "The licence density (" + licenseDensity + ") must be between 0 and 1000 per hundred jobs.");
        }
        if (selectivity < 1 || selectivity > 30) {
            throw new IllegalArgumentException("The selectivity (" + selectivity + ") must be between 1 and 30.");
        }
    }

    /** The paper's workload: values from ladders, partitions shuffled. */
    public static GangWorkload standard(int jobs, int licenseDensity, int selectivity, long seed) {
        return new GangWorkload(jobs, licenseDensity, selectivity, seed, false, false, false);
    }

    /** The same with continuous values. */
    public GangWorkload withContinuousValues() {
        return new GangWorkload(jobs, licenseDensity, selectivity, seed, true, blocked, hard);
    }

    /** How many licence ads the workload has, rounded down. */
    public int licenses() {
        return (int) ((long) jobs * licenseDensity / 100);
    }

    /** The job ads, one a line, in priority order. */
    public String jobAds() {
        var text = new StringBuilder(jobs * 320);
        List<Job> all = drawJobs();
        for (int i = 0; i < all.size(); i++) {
            append(text, i, all.get(i));
        }
        return text.toString();
    }

    /** The workstation ads, one a line. */
    public String machineAds() {
        var text = new StringBuilder(jobs * 220);
        var random = new SplitMix64(seed * 3 + 1);
        int[] partitions = machinePartitions(random);
        for (int i = 0; i < jobs; i++) {
            Platform platform = hard
                    ? PLATFORMS.get((partitions[i] + random.below(3)) % PLATFORMS.size())
                    : random.pick(WEIGHTED_PLATFORMS);
            int memory = draw(random, MACHINE_MEMORY);
            int virtualMemory = draw(random, MACHINE_VIRTUAL_MEMORY);
            int limit = draw(random, MACHINE_LIMIT);
            text.append("[ Type=\"Machine\"; Name=\"ws").append(i).append(".p").append(partitions[i]);
            text.append(".grid\"; Partition=").append(partitions[i]);
            text.append("; Arch=\"")
                    .append(platform.arch())
                    .append("\"; OpSys=\"")
                    .append(platform.opSys());
            text.append("\"; Memory=").append(memory).append("; VirtualMemory=").append(virtualMemory);
            text.append("; Ports={ [ Label=requester; Rank=0; Constraint = requester.Type==\"Job\"");
            text.append(" && requester.ImageSize<=").append(limit).append(" ] } ]\n");
        }
        return text.toString();
    }

    /** The licence ads, one a line. */
    public String licenseAds() {
        var text = new StringBuilder(licenses() * 180);
        int[] partitions = licensePartitions(new SplitMix64(seed * 3 + 2));
        for (int i = 0; i < partitions.length; i++) {
            text.append("[ Type=\"License\"; Name=\"lic").append(i);
            text.append("\"; App=\"sim_app\"; ValidPartition=").append(partitions[i]);
            text.append("; Ports={ [ Label=requester; Rank=0; Constraint = requester.Type==\"Job\"");
            text.append(" && requester.Partition==ValidPartition ] } ]\n");
        }
        return text.toString();
    }

    private List<Job> drawJobs() {
        var random = new SplitMix64(seed * 3);
        var drawn = new ArrayList<Job>(jobs);
        for (int i = 0; i < jobs; i++) {
            Platform platform = random.pick(WEIGHTED_PLATFORMS);
            int memory = draw(random, JOB_MEMORY);
            int virtualMemory = draw(random, JOB_VIRTUAL_MEMORY);
            drawn.add(new Job(platform, memory, virtualMemory, draw(random, JOB_IMAGE)));
        }
        if (hard) {
            drawn.sort(Comparator.comparingInt(job -> job.memory() + job.virtualMemory() + job.imageSize()));
        }
        return drawn;
    }

    private static void append(StringBuilder text, int number, Job job) {
        text.append("[ Type=\"Job\"; Name=\"job")
                .append(number)
                .append("\"; Owner=\"u")
                .append(number % 20);
        text.append("\"; QDate=").append(number).append("; Cmd=\"sim_app\"; Ports={ [ Label=cpu; ImageSize=");
        text.append(job.imageSize()).append("; Rank=0; Constraint = cpu.Type==\"Machine\" && cpu.Arch==\"");
        text.append(job.platform().arch())
                .append("\" && cpu.OpSys==\"")
                .append(job.platform().opSys());
        text.append("\" && cpu.Memory>=").append(job.memory());
        text.append(" && cpu.VirtualMemory>=").append(job.virtualMemory());
        text.append(" ], [ Label=license; Host=cpu.Name; Partition=cpu.Partition; Rank=0;");
        text.append(" Constraint = license.Type==\"License\" && license.App==Cmd ] } ]\n");
    }

    private int[] machinePartitions(SplitMix64 random) {
        int[] partitions = evenly(jobs);
        if (!blocked) {
            random.shuffle(partitions);
        }
        return partitions;
    }

    private int[] licensePartitions(SplitMix64 random) {
        int[] partitions = evenly(licenses());
        if (hard) {
            var skewed = new ArrayList<Weighted<Integer>>();
            for (int p = 0; p < selectivity; p++) {
                skewed.add(new Weighted<>(p, 1 << (selectivity - 1 - p)));
            }
            for (int i = 0; i < partitions.length; i++) {
                partitions[i] = random.pick(skewed);
            }
        }
        if (!blocked) {
            random.shuffle(partitions);
        }
        return partitions;
    }

    private int[] evenly(int count) {
        int[] partitions = new int[count];
        for (int i = 0; i < count; i++) {
            partitions[i] = (int) ((long) i * selectivity / count);
        }
        return partitions;
    }

    /** A step of a ladder, or, when values are continuous, uniformly from its upper half. */
    private int draw(SplitMix64 random, List<Weighted<Integer>> ladder) {
        int step = random.pick(ladder);
        return continuous ? step - random.below(Math.max(1, step / 2)) : step;
    }

    private static <T> List<Weighted<T>> weighted(List<T> values, int... weights) {
        var result = new ArrayList<Weighted<T>>();
        for (int i = 0; i < weights.length; i++) {
            result.add(new Weighted<>(values.get(i), weights[i]));
        }
        return List.copyOf(result);
    }
}
