package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.classad.text.Name;

/**
 * The machine policy of the benchmark's workload, written by hand as one Java method: what the best bytecode generator could
 * make of it. The test shows that it says what the closures say; {@link #main} compares their speed (ADR 0010).
 */
class HandCompiledPolicyTest {

    private static final Path BENCH = Path.of(System.getProperty("metasched.shared", "../shared"), "classad", "bench");

    /** The lookup memory that generated code would have at each place. */
    private static final class Site {

        private final Lookup.Memo memo;

        Site(String name) {
            memo = new Lookup.Memo(Name.of(name));
        }

        Value in(Evaluation e, Scope s) {
            Expr expr = memo.in(s.ad());
            if (expr == null) {
                return Value.UNDEFINED;
            }
            return expr instanceof Literal literal ? literal.value() : e.value(expr, s);
        }
    }

    private final Site universe = new Site("JobUniverse");
    private final Site requestMemory = new Site("RequestMemory");
    private final Site requestCpus = new Site("RequestCpus");
    private final Site requestDisk = new Site("RequestDisk");
    private final Site requestGpus = new Site("RequestGPUs");
    private final Site owner = new Site("Owner");
    private final Site wantsSite = new Site("WantsSite");
    private final Site memory = new Site("Memory");
    private final Site cpus = new Site("Cpus");
    private final Site disk = new Site("Disk");
    private final Site gpus = new Site("GPUs");
    private final Site untrusted = new Site("Untrusted");
    private final Site keyboardIdle = new Site("KeyboardIdle");
    private final Site loadAvg = new Site("LoadAvg");
    private final Site state = new Site("State");

    private static final Value.Int FIVE = new Value.Int(5);
    private static final Value.Int TEN = new Value.Int(10);
    private static final Value.Int ZERO = new Value.Int(0);
    private static final Value.Int QUARTER = new Value.Int(15 * 60);
    private static final Value.Text CLAIMED = new Value.Text("Claimed");
    private static final Value.Text NOWHERE = new Value.Text("nowhere");

    /** Requirements with Start and IdleEnough inlined: straight-line code, no levels, no circles, no steps. */
    private int requirements(Evaluation e, Scope my, Scope target) {
        int result = start(e, my, target);
        result = and(result, not(isMember(e, owner.in(e, target), untrusted.in(e, my))));
        if (result == CompiledExpr.FALSE || result == CompiledExpr.ERROR) {
            return result;
        }
        result = and(result, compare(BinaryOperator.LESS_OR_EQUAL, requestDisk.in(e, target), disk.in(e, my)));
        Value wanted = requestGpus.in(e, target);
        result = and(
                result, compare(BinaryOperator.LESS_OR_EQUAL, wanted.isUndefined() ? ZERO : wanted, gpus.in(e, my)));
        if (result == CompiledExpr.FALSE || result == CompiledExpr.ERROR) {
            return result;
        }
        result = and(result, idle(e, my));
        int same = Comparison.identical(wantsSite.in(e, target), NOWHERE);
        return and(result, same == CompiledExpr.ERROR ? same : 1 - same);
    }

    private int start(Evaluation e, Scope my, Scope target) {
        Value u = universe.in(e, target);
        int result = or(compare(BinaryOperator.EQUAL, u, FIVE), compare(BinaryOperator.EQUAL, u, TEN));
        result = and(result, compare(BinaryOperator.LESS_OR_EQUAL, requestMemory.in(e, target), memory.in(e, my)));
        return and(result, compare(BinaryOperator.LESS_OR_EQUAL, requestCpus.in(e, target), cpus.in(e, my)));
    }

    private int idle(Evaluation e, Scope my) {
        int idle = compare(BinaryOperator.GREATER, keyboardIdle.in(e, my), QUARTER);
        if (idle != CompiledExpr.TRUE) {
            Value share = Value.of(0.3 * cpus.in(e, my).rank());
            idle = or(idle, compare(BinaryOperator.LESS, loadAvg.in(e, my), share));
        }
        return idle == CompiledExpr.TRUE ? idle : or(idle, compare(BinaryOperator.EQUAL, state.in(e, my), CLAIMED));
    }

    private static int compare(BinaryOperator operator, Value a, Value b) {
        if (a instanceof Value.Int x && b instanceof Value.Int y) {
            boolean holds = switch (operator) {
                case EQUAL -> x.value() == y.value();
                case GREATER -> x.value() > y.value();
                case LESS -> x.value() < y.value();
                default -> x.value() <= y.value();
            };
            return holds ? CompiledExpr.TRUE : CompiledExpr.FALSE;
        }
        return Comparison.compare(operator, a, b);
    }

    private static int isMember(Evaluation e, Value x, Value in) {
        if (x.isUndefined() || !(in instanceof Value.ListOf list)) {
            return CompiledExpr.UNDEFINED;
        }
        for (Expr element : list.elements()) {
            if (Comparison.compare(BinaryOperator.EQUAL, x, e.value(element, list.scope())) == CompiledExpr.TRUE) {
                return CompiledExpr.TRUE;
            }
        }
        return CompiledExpr.FALSE;
    }

    private static int and(int a, int b) {
        return a == CompiledExpr.TRUE ? b : a == CompiledExpr.UNDEFINED ? (b == CompiledExpr.TRUE ? a : b) : a;
    }

    private static int or(int a, int b) {
        return a == CompiledExpr.FALSE ? b : a == CompiledExpr.UNDEFINED ? (b == CompiledExpr.FALSE ? a : b) : a;
    }

    private static int not(int a) {
        return a < CompiledExpr.UNDEFINED ? 1 - a : a;
    }

    /** The same policy as an expression: a node that calls the method above. */
    private final class Generated extends CompiledExpr {
        @Override
        public Value value(Evaluation e, Scope s) {
            return CompiledExpr.valueOf(truth(e, s));
        }

        @Override
        public int truth(Evaluation e, Scope s) {
            return requirements(e, s, java.util.Objects.requireNonNull(s.other()));
        }
    }

    private static List<ClassAd> ads(String name, int most) throws Exception {
        List<ClassAd> ads = ClassAd.parseAll(Files.readString(BENCH.resolve(name)), ReadOptions.OLD);
        return ads.subList(0, Math.min(most, ads.size()));
    }

    private static long count(CompiledExpr code, Expr requirements, List<ClassAd> jobs, List<ClassAd> machines) {
        var context = new MatchContext(LookupMode.OLD);
        long accepted = 0;
        for (ClassAd job : jobs) {
            context.left(job);
            for (ClassAd machine : machines) {
                context.right(machine);
                accepted += Evaluation.truthOf(code, requirements, context.rightScope()) == CompiledExpr.TRUE ? 1 : 0;
            }
        }
        return accepted;
    }

    @Test
    void theMethodAndTheClosuresAcceptTheSameJobs() throws Exception {
        assumeTrue(Files.exists(BENCH), "The benchmark's ads are not beside this checkout.");
        List<ClassAd> jobs = ads("jobs-1000.old", 20);
        List<ClassAd> machines = ads("machines-1000.old", 200);
        Expr requirements = machines.get(0).lookup("Requirements").orElseThrow();

        assertThat(count(new Generated(), requirements, jobs, machines))
                .isEqualTo(count(requirements.code(), requirements, jobs, machines))
                .isPositive();
    }

    /** Prints evaluations of the policy per second of CPU time: closures, then the hand-written method, four times. */
    public static void main(String[] arguments) throws Exception {
        List<ClassAd> jobs = ads("jobs-1000.old", 20);
        List<ClassAd> machines = ads("machines-1000.old", 1000);
        Expr requirements = machines.get(0).lookup("Requirements").orElseThrow();
        CompiledExpr generated = new HandCompiledPolicyTest().new Generated();
        for (int round = 0; round < 4; round++) {
            for (CompiledExpr code : new CompiledExpr[] {requirements.code(), generated}) {
                long best = Long.MAX_VALUE;
                long accepted = 0;
                for (int i = 0; i < 60; i++) {
                    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                    accepted = count(code, requirements, jobs, machines);
                    best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
                }
                System.out.printf(
                        "%-12s %,12.0f/s  accepted %d%n",
                        code == generated ? "hand-written" : "closures",
                        jobs.size() * machines.size() * 1e9 / best,
                        accepted);
            }
        }
    }
}
