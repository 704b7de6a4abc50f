package org.metasched.bench;

import com.google.ortools.Loader;
import com.google.ortools.graph.MaxFlow;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.metasched.bench.GangSideBySide.Row;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangCycle;
import org.metasched.classad.gang.GangPool;
import org.metasched.bench.command.GangWorkload;
import org.metasched.classad.gang.PortedAd;

/**
 * The largest number of gangs of the gang workload by the exact algorithm and by the solvers of OR-Tools, in one process on the same
 * data: a maximum flow from jobs over workstations to partitions of licences, node by node ({@code flow}) and with equal jobs and
 * equal workstations as one node each ({@code flow-classes}), and CP-SAT with one worker ({@code cp-sat}). Ours besides serves
 * the jobs in priority order, which the solvers are not asked for.
 *
 * <p>The solvers are given the workload's values as records and a model written by hand for it; ours gets the ads. Neither reads
 * text while the clock runs. {@code indexCpuMillis} is our pool made from ads, before the clock starts; {@code modelMillis} the solver's
 * model, {@code millis} model and solution; medians. Processor time is of
 * the thread, for CP-SAT of the process. Ends with an exception if the numbers of gangs differ while both are optimal.
 *
 * <p>Arguments: jobs, licence density, selectivity, runs, {@code hard} or {@code standard}, seconds for CP-SAT, then solvers.
 */
public final class GangBesideOrTools {

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 100;
    private static final int THEIR_WARM_UP = 10;

    private record Found(long gangs, boolean optimal, double modelMillis) {}

    private record Measured(Found found, double indexCpuMillis, double millis, double cpuMillis) {}

    /** How many there are of each: jobs, workstations, and licences of each partition. */
    private record Supply(Map<Object, Integer> jobs, Map<Object, Integer> machines, Map<Integer, Integer> licenses) {}

    /** One of several rows that are equal. */
    private record Single(Row row, int number) {}

    private GangBesideOrTools() {}

    public static void main(String[] arguments) throws ClassAdSyntaxException {
        Loader.loadNativeLibraries();
        int runs = Integer.parseInt(arguments[3]);
        boolean hard = arguments[4].equals("hard");
        double seconds = Double.parseDouble(arguments[5]);
        var workload = GangWorkload.standard(
                        Integer.parseInt(arguments[0]),
                        Integer.parseInt(arguments[1]),
                        Integer.parseInt(arguments[2]),
                        1)
                .made(hard);
        var json = new StringBuilder(String.format(
                Locale.ROOT,
                "{\"jobs\":%d,\"licenseDensity\":%d,\"selectivity\":%d,\"hard\":%b",
                workload.jobs(),
                workload.licenseDensity(),
                workload.selectivity(),
                hard));
        Measured own = ours(workload, runs);
        append(json, "metasched-exact", own, own);
        for (int i = 6; i < arguments.length; i++) {
            Measured theirs = theirs(workload, arguments[i], runs, seconds);
            append(json, arguments[i], theirs, own);
            boolean bothOptimal = theirs.found().optimal() && own.found().optimal();
            if (bothOptimal && theirs.found().gangs() != own.found().gangs()) {
                throw new IllegalStateException("The optimum of " + arguments[i] + " is "
                        + theirs.found().gangs() + ", ours " + own.found().gangs() + ".");
            }
        }
        System.out.println(json.append('}'));
    }

    private static void append(StringBuilder json, String name, Measured measured, Measured own) {
        json.append(String.format(
                Locale.ROOT,
                ",\"%s\":{\"gangs\":%d,\"optimal\":%b,\"indexCpuMillis\":%.3f,\"modelMillis\":%.3f,\"millis\":%.3f,\"cpuMillis\":%.3f,"
                        + "\"timesOurs\":%.2f,\"cpuTimesOurs\":%.2f}",
                name,
                measured.found().gangs(),
                measured.found().optimal(),
                measured.indexCpuMillis(),
                measured.found().modelMillis(),
                measured.millis(),
                measured.cpuMillis(),
                measured.millis() / own.millis(),
                measured.cpuMillis() / own.cpuMillis()));
    }

    private interface Work {
        Found run();
    }

    private static Measured measure(int warmUp, int runs, LongSupplier cpu, Runnable before, Work work) {
        var times = new ArrayList<Double>();
        var cpuTimes = new ArrayList<Double>();
        var modelTimes = new ArrayList<Double>();
        var indexTimes = new ArrayList<Double>();
        Found last = new Found(0, false, 0);
        for (int i = 0; i < warmUp + runs; i++) {
            long cpuBegin = cpu.getAsLong();
            before.run();
            long start = System.nanoTime();
            long cpuStart = cpu.getAsLong();
            last = work.run();
            double cpuMillis = (cpu.getAsLong() - cpuStart) / 1e6;
            double clock = (System.nanoTime() - start) / 1e6;
            if (i >= warmUp) {
                times.add(clock);
                cpuTimes.add(cpuMillis);
                modelTimes.add(last.modelMillis());
                indexTimes.add((cpuStart - cpuBegin) / 1e6);
            }
        }
        var found = new Found(last.gangs(), last.optimal(), GangSideBySide.median(modelTimes));
        return new Measured(
                found,
                GangSideBySide.median(indexTimes),
                GangSideBySide.median(times),
                GangSideBySide.median(cpuTimes));
    }

    private static Measured ours(GangWorkload workload, int runs) throws ClassAdSyntaxException {
        List<PortedAd> roots = ClassAd.parseAll(workload.jobAds(), ReadOptions.NEW).stream()
                .map(PortedAd::of)
                .toList();
        List<ClassAd> offers = ClassAd.parseAll(workload.machineAds() + workload.licenseAds(), ReadOptions.NEW);
        var pool = new GangPool[1];
        return measure(
                WARM_UP,
                runs,
                THREAD::getCurrentThreadCpuTime,
                () -> {
                    pool[0] = new GangPool(offers);
                    pool[0].prepare(roots);
                },
                () -> {
                    CycleOutcome outcome = GangCycle.run(roots, pool[0], GangAlgorithm.EXACT);
                    return new Found(outcome.gangs(), outcome.optimal(), 0);
                });
    }

    private static Measured theirs(GangWorkload workload, String solver, int runs, double seconds) {
        List<Row> jobs = workload.jobAds().lines().map(GangSideBySide::row).toList();
        List<Row> machines =
                workload.machineAds().lines().map(GangSideBySide::row).toList();
        List<Row> licenses =
                workload.licenseAds().lines().map(GangSideBySide::row).toList();
        LongSupplier cpu = THREAD::getCurrentThreadCpuTime;
        return switch (solver) {
            case "flow" ->
                measure(THEIR_WARM_UP, runs, cpu, () -> {}, () -> flow(supply(jobs, machines, licenses, false)));
            case "flow-classes" ->
                measure(THEIR_WARM_UP, runs, cpu, () -> {}, () -> flow(supply(jobs, machines, licenses, true)));
            case "cp-sat" ->
                // Once: it takes its time. Its worker may be a thread of its own.
                measure(
                        0,
                        1,
                        PROCESS::getProcessCpuTime,
                        () -> {},
                        () -> cpSat(jobs, machines, count(licenses, Row::partition), seconds));
            default ->
                throw new IllegalArgumentException(
                        "The solver (" + solver + ") is not known; there are flow, flow-classes and cp-sat.");
        };
    }

    private static Supply supply(List<Row> jobs, List<Row> machines, List<Row> licenses, boolean classes) {
        return new Supply(
                classes ? count(jobs, row -> row) : singles(jobs),
                classes ? count(machines, row -> row) : singles(machines),
                count(licenses, Row::partition));
    }

    private static <K> Map<K, Integer> count(List<Row> rows, Function<Row, K> key) {
        var counts = new LinkedHashMap<K, Integer>();
        rows.forEach(row -> counts.merge(key.apply(row), 1, Integer::sum));
        return counts;
    }

    private static Map<Object, Integer> singles(List<Row> rows) {
        var counts = new LinkedHashMap<Object, Integer>();
        for (int i = 0; i < rows.size(); i++) {
            counts.put(new Single(rows.get(i), i), 1);
        }
        return counts;
    }

    private static Row row(Object node) {
        return node instanceof Single single ? single.row() : (Row) node;
    }

    private static boolean suits(Row machine, Row job) {
        return machine.arch().equals(job.arch())
                && machine.opSys().equals(job.opSys())
                && machine.memory() >= job.memory()
                && machine.virtualMemory() >= job.virtualMemory()
                && job.image() <= machine.image();
    }

    private static Found flow(Supply supply) {
        long start = System.nanoTime();
        var flow = new MaxFlow();
        int source = 0;
        int sink = 1;
        int next = 2;
        var partitions = new HashMap<Integer, Integer>();
        for (Map.Entry<Integer, Integer> partition : supply.licenses().entrySet()) {
            partitions.put(partition.getKey(), next);
            flow.addArcWithCapacity(next++, sink, partition.getValue());
        }
        var machines = new LinkedHashMap<Object, Integer>();
        for (Map.Entry<Object, Integer> machine : supply.machines().entrySet()) {
            Integer partition = partitions.get(row(machine.getKey()).partition());
            if (partition != null) {
                machines.put(machine.getKey(), next);
                flow.addArcWithCapacity(next++, partition, machine.getValue());
            }
        }
        for (Map.Entry<Object, Integer> job : supply.jobs().entrySet()) {
            int node = next++;
            flow.addArcWithCapacity(source, node, job.getValue());
            machines.forEach((machine, machineNode) -> {
                if (suits(row(machine), row(job.getKey()))) {
                    flow.addArcWithCapacity(node, machineNode, job.getValue());
                }
            });
        }
        double model = (System.nanoTime() - start) / 1e6;
        boolean optimal = flow.solve(source, sink) == MaxFlow.Status.OPTIMAL;
        return new Found(flow.getOptimalFlow(), optimal, model);
    }

    private static Found cpSat(List<Row> jobs, List<Row> machines, Map<Integer, Integer> licenses, double seconds) {
        long start = System.nanoTime();
        var model = new CpModel();
        var ofMachine = new HashMap<Integer, List<BoolVar>>();
        var ofPartition = new HashMap<Integer, List<BoolVar>>();
        LinearExprBuilder all = LinearExpr.newBuilder();
        for (Row job : jobs) {
            var ofJob = new ArrayList<BoolVar>();
            for (int m = 0; m < machines.size(); m++) {
                if (suits(machines.get(m), job)) {
                    BoolVar docked = model.newBoolVar("");
                    ofJob.add(docked);
                    ofMachine.computeIfAbsent(m, k -> new ArrayList<>()).add(docked);
                    ofPartition
                            .computeIfAbsent(machines.get(m).partition(), k -> new ArrayList<>())
                            .add(docked);
                    all.add(docked);
                }
            }
            model.addAtMostOne(ofJob.toArray(new BoolVar[0]));
        }
        ofMachine.values().forEach(docked -> model.addAtMostOne(docked.toArray(new BoolVar[0])));
        ofPartition.forEach((partition, docked) -> model.addLessOrEqual(
                LinearExpr.sum(docked.toArray(new BoolVar[0])), licenses.getOrDefault(partition, 0)));
        model.maximize(all);
        double modelMillis = (System.nanoTime() - start) / 1e6;
        var solver = new CpSolver();
        solver.getParameters().setMaxTimeInSeconds(seconds).setNumWorkers(1);
        CpSolverStatus status = solver.solve(model);
        boolean some = status == CpSolverStatus.OPTIMAL || status == CpSolverStatus.FEASIBLE;
        return new Found(some ? Math.round(solver.objectiveValue()) : 0, status == CpSolverStatus.OPTIMAL, modelMillis);
    }
}
