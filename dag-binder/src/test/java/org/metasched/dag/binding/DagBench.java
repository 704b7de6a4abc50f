package org.metasched.dag.binding;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.RankedMatchmaker;

/**
 * Measures parsing and binding of one DAG, cold, and prints a line of JSON. {@code processMillis} counts from the start of the JVM,
 * {@code cpuMillis} is the time of all its threads, compilers included. Arguments: the DAG file, a file of site ads, and the output
 * directory, which must not exist.
 */
public final class DagBench {

    private DagBench() {}

    public static void main(String[] arguments) throws IOException, ClassAdSyntaxException, UnboundReferenceException {
        Path file = Path.of(arguments[0]);
        List<ClassAd> sites = ClassAd.parseAll(Files.readString(Path.of(arguments[1])), ReadOptions.OLD);
        long start = System.nanoTime();
        NestedDag dag = NestedDag.read(file);
        long parsed = System.nanoTime();
        DagJobAd job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        Match match = new RankedMatchmaker().match(job.ad(), sites).orElseThrow();
        new DagBinder(DagBinder.Options.of(Map.of())).bind(dag, job, match, Path.of(arguments[2]));
        long bound = System.nanoTime();
        System.out.printf(
                "{\"dag\":\"%s\",\"bytes\":%d,\"nodes\":%d,\"edges\":%d,\"parseMillis\":%d,\"bindMillis\":%d,\"processMillis\":%d,\"cpuMillis\":%d,\"heapPeakMB\":%d,\"residentPeakMB\":%d}%n",
                file.getFileName(),
                Files.size(file),
                dag.root().dag().nodeCount(),
                dag.root().dag().edgeCount(),
                (parsed - start) / 1_000_000,
                (bound - parsed) / 1_000_000,
                System.currentTimeMillis()
                        - ManagementFactory.getRuntimeMXBean().getStartTime(),
                processorTime() / 1_000_000,
                heapPeak() >> 20,
                residentPeak() >> 10);
    }

    /** Nanoseconds of processor time of this process; -1 where the JVM does not know it. */
    private static long processorTime() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : -1;
    }

    private static long heapPeak() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }

    /** Kilobytes; 0 where there is no /proc. */
    private static long residentPeak() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }
}
