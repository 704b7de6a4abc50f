package org.metasched.classad;

/**
 * The options of reading a text.
 *
 * @param syntax the written form. An expression outside an ad is read in the new syntax, but with {@link Syntax#OLD}, a backslash in a
 *     string is itself
 * @param mode the reader's rules for numbers and arguments: {@link LookupMode#OLD}, as HTCondor's tools, refuses integers with leading
 *     zeros and allows {@code ;} between arguments
 * @param dialect the expressions that are accepted
 * @param limits the greatest length and depth of a text
 */
public record ReadOptions(Syntax syntax, LookupMode mode, Dialect dialect, Limits limits) {

    /** The new syntax of libclassad. */
    public static final ReadOptions NEW =
            new ReadOptions(Syntax.NEW, LookupMode.NEW, Dialect.REFERENCE, Limits.DEFAULT);

    /** The long form of libclassad, with one attribute per line. */
    public static final ReadOptions OLD =
            new ReadOptions(Syntax.OLD, LookupMode.OLD, Dialect.REFERENCE, Limits.DEFAULT);

    /** These options with another written form. */
    public ReadOptions with(Syntax other) {
        return new ReadOptions(other, mode, dialect, limits);
    }

    /** These options with another mode. */
    public ReadOptions with(LookupMode other) {
        return new ReadOptions(syntax, other, dialect, limits);
    }

    /** These options with another dialect. */
    public ReadOptions with(Dialect other) {
        return new ReadOptions(syntax, mode, other, limits);
    }

    /** These options with other limits. */
    public ReadOptions with(Limits other) {
        return new ReadOptions(syntax, mode, dialect, other);
    }
}
