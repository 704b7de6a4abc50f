package org.metasched.client.xml;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Supplier;

/**
 * A pool of objects that one thread may use at a time and that cost more to make than to use, such as the JDK's parsers. An object is kept
 * after its use, {@value #MOST_IDLE} at most, unless the use failed. Thread-safe.
 */
public final class ObjectPool<T> {

    private static final int MOST_IDLE = 16;

    private final ArrayBlockingQueue<T> idle = new ArrayBlockingQueue<>(MOST_IDLE);
    private final Supplier<T> maker;

    public ObjectPool(Supplier<T> maker) {
        this.maker = maker;
    }

    /** A use that may fail in its own way. */
    public interface Use<T, R, E extends Exception> {
        R apply(T object) throws E;
    }

    /** Uses a spare object, or a new one. */
    public <R, E extends Exception> R with(Use<T, R, E> use) throws E {
        T spare = idle.poll();
        T object = spare == null ? maker.get() : spare;
        R result = use.apply(object);
        idle.offer(object);
        return result;
    }
}
