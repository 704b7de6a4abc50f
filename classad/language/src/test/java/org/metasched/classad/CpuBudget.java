package org.metasched.classad;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A second of processor time for each input of a fuzz test, once the classes are loaded. The build replays the corpus beside
 * the coverage agent and cold code, which costs several times as much: there an input has five.
 */
public final class CpuBudget {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long SECOND = 1_000_000_000L;
    private static final long BUDGET = System.getenv("JAZZER_FUZZ") == null ? 5 * SECOND : SECOND;
    private static final int WARM_UP = 20;
    private static final AtomicLong INPUTS = new AtomicLong();

    private CpuBudget() {}

    /** What is done with one input. */
    public interface Work {
        void run() throws Exception;
    }

    public static void spend(Work work) {
        long began = THREADS.getCurrentThreadCpuTime();
        try {
            work.run();
        } catch (RuntimeException unexpected) {
            throw unexpected;
        } catch (Exception unexpected) {
            throw new AssertionError("An input made " + unexpected, unexpected);
        }
        long spent = THREADS.getCurrentThreadCpuTime() - began;
        boolean warm = INPUTS.incrementAndGet() > WARM_UP;
        if (warm && spent > BUDGET) {
            throw new AssertionError("An input took %d ms of processor time.".formatted(spent / 1_000_000));
        }
    }
}
