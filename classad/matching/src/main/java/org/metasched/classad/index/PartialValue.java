package org.metasched.classad.index;

import java.util.Set;
import org.metasched.classad.Value;

/** The value of an expression under a partial binding. */
public sealed interface PartialValue {

    record Known(Value value) implements PartialValue {}

    /** The expression is itself an attribute of an ad that is not bound yet, such as {@code cpu.Memory}. */
    record Reference(MissingAttribute wanted) implements PartialValue {}

    /** The value depends on attributes of ads that are not bound yet. */
    record Undecided(Set<MissingAttribute> wanted) implements PartialValue {}

    /** The missing attributes; empty for a known value. */
    default Set<MissingAttribute> missing() {
        if (this instanceof Reference reference) {
            return Set.of(reference.wanted());
        }
        return this instanceof Undecided undecided ? undecided.wanted() : Set.of();
    }
}
