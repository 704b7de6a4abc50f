package org.metasched.sites;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes the executor for blocking calls to many sites: a virtual thread for each call on Java 21 and newer, else a pool with a queue.
 * {@link SiteLane} bounds the calls of each site.
 */
public final class FanOutExecutor {

    /** Threads of the pool on Java 17. */
    private static final int MOST_THREADS = 1_024;

    /** Calls that wait for a thread on Java 17; more are rejected. */
    private static final int MOST_WAITING = 20_000;

    private FanOutExecutor() {}

    /** A new executor, which the caller shuts down. On Java 17 at most 1,024 calls run at once and 20,000 wait. */
    public static ExecutorService create() {
        return create(MOST_THREADS);
    }

    /** A new executor, which the caller shuts down. On Java 17 at most {@code threads} calls run at once. */
    public static ExecutorService create(int threads) {
        return Runtime.version().feature() >= 21 ? virtualThreads() : pool(threads);
    }

    /** Makes threads of one name that keep no process alive. */
    public static ThreadFactory daemons(String name) {
        return task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** An executor of virtual threads, by reflection, as the code is compiled for Java 17. */
    private static ExecutorService virtualThreads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("Java " + Runtime.version() + " has no virtual threads.", e);
        }
    }

    private static ExecutorService pool(int threads) {
        var waiting = new LinkedBlockingQueue<Runnable>(MOST_WAITING);
        var pool = new ThreadPoolExecutor(threads, threads, 30, TimeUnit.SECONDS, waiting, daemons("site-call"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
