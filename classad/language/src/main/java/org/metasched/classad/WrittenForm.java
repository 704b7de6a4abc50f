package org.metasched.classad;

import java.util.List;

/**
 * One of the written forms of ads. The forms are services: {@link ClassAd} finds them by this interface, and the language knows
 * none of them. Implementations are thread-safe.
 */
public interface WrittenForm {

    /** The form that this reads and writes. */
    Syntax syntax();

    /** The expression that all of a text is, with strings as this form quotes them in an expression by itself. */
    Expr expression(byte[] text, Reading reading) throws ClassAdSyntaxException;

    /** The ad that all of a text is. */
    ClassAd read(byte[] text, Reading reading) throws ClassAdSyntaxException;

    /** The ads of a text, in order. */
    List<ClassAd> readAll(byte[] text, Reading reading) throws ClassAdSyntaxException;

    /** An ad as a byte string: one char (0 to 255) for each byte. */
    String write(ClassAd ad);
}
