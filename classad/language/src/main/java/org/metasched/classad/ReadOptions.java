package org.metasched.classad;

/**
 * Options of reading a text.
 *
 * @param syntax the written form; of an expression by itself, {@link Syntax#OLD} means raw strings, all others escaped ones
 * @param mode {@link LookupMode#OLD} refuses integers with leading zeros and allows {@code ;} between arguments, as HTCondor's tools do
 * @param dialect what is accepted beyond the reference
 * @param limits how long and how deep a text may be
 */
public record ReadOptions(Syntax syntax, LookupMode mode, Dialect dialect, Limits limits) {

    /** The new syntax of the reference. */
    public static final ReadOptions NEW =
            new ReadOptions(Syntax.NEW, LookupMode.NEW, Dialect.REFERENCE, Limits.DEFAULT);

    /** The long form, one attribute per line, of the reference. */
    public static final ReadOptions OLD =
            new ReadOptions(Syntax.OLD, LookupMode.OLD, Dialect.REFERENCE, Limits.DEFAULT);

    /** The same in another written form. */
    public ReadOptions with(Syntax other) {
        return new ReadOptions(other, mode, dialect, limits);
    }

    /** The same in another mode. */
    public ReadOptions with(LookupMode other) {
        return new ReadOptions(syntax, other, dialect, limits);
    }

    /** The same in another dialect. */
    public ReadOptions with(Dialect other) {
        return new ReadOptions(syntax, mode, other, limits);
    }

    /** The same with other limits. */
    public ReadOptions with(Limits other) {
        return new ReadOptions(syntax, mode, dialect, other);
    }
}
