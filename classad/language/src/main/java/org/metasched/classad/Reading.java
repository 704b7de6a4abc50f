package org.metasched.classad;

/**
 * How a text is read.
 *
 * @param syntax the written form; of an expression by itself, {@link Syntax#OLD} means raw strings, all others escaped ones
 * @param mode {@link Mode#OLD} refuses integers with leading zeros and allows {@code ;} between arguments, as HTCondor's tools do
 * @param dialect what is accepted beyond the reference
 * @param limits how long and how deep a text may be
 */
public record Reading(Syntax syntax, Mode mode, Dialect dialect, Limits limits) {

    /** The new syntax of the reference. */
    public static final Reading NEW = new Reading(Syntax.NEW, Mode.NEW, Dialect.REFERENCE, Limits.DEFAULT);

    /** The long form, one attribute per line, of the reference. */
    public static final Reading OLD = new Reading(Syntax.OLD, Mode.OLD, Dialect.REFERENCE, Limits.DEFAULT);

    /** The same in another written form. */
    public Reading with(Syntax other) {
        return new Reading(other, mode, dialect, limits);
    }

    /** The same in another mode. */
    public Reading with(Mode other) {
        return new Reading(syntax, other, dialect, limits);
    }

    /** The same in another dialect. */
    public Reading with(Dialect other) {
        return new Reading(syntax, mode, other, limits);
    }

    /** The same with other limits. */
    public Reading with(Limits other) {
        return new Reading(syntax, mode, dialect, other);
    }
}
