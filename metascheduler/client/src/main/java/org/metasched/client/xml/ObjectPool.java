package org.metasched.client.xml;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Supplier;

/**
 * Things that one thread may use at a time and that cost more to make than to use, such as the JDK's parsers. What was used is kept for the
 * next, {@value #MOST} of a kind; what failed is not. Thread-safe.
 */
public final class ObjectPool<T> {

    private static final int MOST = 16;

    private final ArrayBlockingQueue<T> idle = new ArrayBlockingQueue<>(MOST);
    private final Supplier<T> maker;

    public ObjectPool(Supplier<T> maker) {
        this.maker = maker;
    }

    /** A use that may fail in its own way. */
    public interface Use<T, R, E extends Exception> {
        R of(T one) throws E;
    }

    public <R, E extends Exception> R with(Use<T, R, E> use) throws E {
        T spare = idle.poll();
        T one = spare == null ? maker.get() : spare;
        R result = use.of(one);
        idle.offer(one);
        return result;
    }
}
