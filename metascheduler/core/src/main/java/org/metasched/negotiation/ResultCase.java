package org.metasched.negotiation;

/**
 * The handler of one case of a sealed result. A result's {@code fold} takes one of these for each of its cases, so that a new case
 * does not compile until every caller handles it.
 *
 * @param <T> the case
 * @param <R> type of the handler's result
 * @param <E> type of exception that the handler may throw
 */
@FunctionalInterface
public interface ResultCase<T, R, E extends Exception> {
    /** Handles this case. */
    R of(T result) throws E;
}
