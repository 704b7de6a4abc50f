package org.metasched.classad;

/**
 * Options of reading a text.
 *
 * @param syntax the written form. In an expression outside an ad, {@link Syntax#OLD} reads strings raw; the others read escapes.
 * @param mode the rules of HTCondor's tools: {@link LookupMode#OLD} refuses integers with leading zeros and allows {@code ;} between arguments
 * @param dialect expressions that are accepted beyond libclassad's
 * @param limits length and depth of a text at most
 */
public record ReadOptions(Syntax syntax, LookupMode mode, Dialect dialect, Limits limits) {

    /** The new syntax of libclassad. */
    public static final ReadOptions NEW =
            new ReadOptions(Syntax.NEW, LookupMode.NEW, Dialect.REFERENCE, Limits.DEFAULT);

    /** The long form of libclassad, with one attribute per line. */
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
