package org.metasched.classad;

import org.metasched.classad.text.Bytes;

/**
 * The methods of any {@link Value}. They are not in {@code Value}, which has constants of its own subtypes: a class initialises the
 * interfaces whose default methods it inherits, so that two threads that begin with different subtypes could deadlock.
 */
interface ValueQueries {

    /** Whether a constraint with this value holds: it is true, or a number other than zero. */
    default boolean satisfies() {
        return false;
    }

    /** The value as a Rank: a number is itself, a boolean is 0 or 1, any other value is 0. */
    default double rank() {
        return 0.0;
    }

    /** Whether this is UNDEFINED. */
    default boolean isUndefined() {
        return this instanceof Value.Undefined;
    }

    /** Whether this is ERROR. */
    default boolean isError() {
        return this instanceof Value.Error;
    }

    /** Whether this is UNDEFINED or ERROR. */
    default boolean isExceptional() {
        return isUndefined() || isError();
    }

    /** The text of the value in the new syntax; the expressions in lists and ads are not evaluated. */
    default String print() {
        return Bytes.decode(LanguageServices.loaded().octets((Value) this));
    }
}
