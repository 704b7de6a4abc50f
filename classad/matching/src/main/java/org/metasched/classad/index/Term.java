package org.metasched.classad.index;

import java.util.Set;
import org.metasched.classad.Value;

/** The value of an expression under a partial binding. */
public sealed interface Term {

    /** A value. */
    record Known(Value value) implements Term {}

    /** Exactly an attribute of an unbound neighbour. */
    record Asked(Wanted wanted) implements Term {}

    /** Something that depends on attributes not known yet. */
    record Undecided(Set<Wanted> wanted) implements Term {}

    /** What is missing; empty for a value. */
    default Set<Wanted> missing() {
        if (this instanceof Asked asked) {
            return Set.of(asked.wanted());
        }
        return this instanceof Undecided undecided ? undecided.wanted() : Set.of();
    }
}
