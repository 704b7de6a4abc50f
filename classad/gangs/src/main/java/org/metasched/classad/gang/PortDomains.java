package org.metasched.classad.gang;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a gang, that is, its open ports, and their domains under the partial binding that a {@link DomainSearch} has
 * reached. {@link IndexedDomains} computes domains and propagation from indexes, {@link EvaluatedDomains} by evaluating residual
 * constraints. Belongs to one search; not thread-safe.
 */
abstract class PortDomains {

    /** The number of requests for a domain or its size. */
    long probes;

    /** The number of two-sided checks of constraints, without those of the index. */
    long evaluations;

    /** The number of values that were removed from domains because they are members of this gang already: no ad is in a gang twice. */
    long allDifferentPrunings;

    /** Whether the search ends without a decision. */
    boolean stopped;

    /** Outcome of binding a value. */
    enum Outcome {
        CONSISTENT,
        INCONSISTENT,
        /** The search ends here: its limit is reached, or these domains do not decide. */
        STOP
    }

    /** The values of one variable, in the order in which they are tried. */
    interface Values {

        /** The next value that is no nogood, or -1. Not to be called again after that. */
        int next();

        /** Binds a value and propagates it; without effect unless the outcome is consistent. */
        Outcome bind(int value);

        /** Takes the last consistent binding back. */
        void unbind();

        /**
         * Learns from a value without a gang.
         *
         * @param consistent whether the value itself was consistent
         * @param allDifferent whether an offer was missing at another port because it is in this gang already: then an interchangeable value
         *     may have a gang
         */
        void failed(int value, boolean consistent, boolean allDifferent);

        /** Binds no more values to the variable; false, without effect, if it needs more. */
        default boolean close() {
            return false;
        }

        /** Takes {@link #close} back. */
        default void reopen() {}
    }

    /** Whether every variable is bound. */
    abstract boolean isComplete();

    /** Accepts the complete binding, or rejects it to look for another; true ends the search. */
    abstract boolean accept();

    /** The variable to bind next; null if some domain is empty, or if the domains do not decide. */
    abstract @Nullable Values select();

    /** Ends the use of these domains; returns the gang that was found, if any. */
    abstract Optional<Gang> finish(boolean exhaustive);
}
