package org.metasched.classad;

import org.metasched.classad.text.Bytes;

/**
 * Questions that any {@link Value} answers. Apart from it because {@code Value} has constants of its own subtypes: initialising a
 * class initialises the interfaces of it that have default methods, and two threads could wait for each other.
 */
interface ValueQueries {

    /** Whether a constraint with this value is met: true, or a number other than zero. */
    default boolean satisfies() {
        return false;
    }

    /** The value as a Rank: numbers count, booleans are 0 or 1, all others 0. */
    default double rank() {
        return 0.0;
    }

    /** Whether this is UNDEFINED: something is missing. */
    default boolean isUndefined() {
        return this instanceof Value.Undefined;
    }

    /** Whether this is ERROR: something is wrong. */
    default boolean isError() {
        return this instanceof Value.Error;
    }

    /** UNDEFINED or ERROR. */
    default boolean isExceptional() {
        return isUndefined() || isError();
    }

    /** The value in the new syntax, with lists and ads unevaluated. */
    default String print() {
        return Bytes.decode(LanguageServices.loaded().octets((Value) this));
    }
}
