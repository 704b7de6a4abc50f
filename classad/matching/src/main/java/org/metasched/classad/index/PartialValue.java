package org.metasched.classad.index;

import java.util.Set;
import org.metasched.classad.Value;

/** The value of an expression under a partial binding. */
public sealed interface PartialValue {

    /** A value. */
    record Known(Value value) implements PartialValue {}

    /** Exactly an attribute of an unbound neighbour. */
    record Asked(MissingAttribute wanted) implements PartialValue {}

    /** Something that depends on attributes not known yet. */
    record Undecided(Set<MissingAttribute> wanted) implements PartialValue {}

    /** Missing attributes; empty for a value. */
    default Set<MissingAttribute> missing() {
        if (this instanceof Asked asked) {
            return Set.of(asked.wanted());
        }
        return this instanceof Undecided undecided ? undecided.wanted() : Set.of();
    }
}
