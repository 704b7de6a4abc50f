package org.metasched.classad;

import java.util.List;

/** The written forms of ads, found as a service: the language knows none of them. Implementations are thread-safe. */
public interface WrittenForms {

    /** The expression that all of a text is, with strings as the form quotes them in an expression by itself. */
    Expr expression(byte[] text, ReadOptions reading) throws ClassAdSyntaxException;

    /** The ad that all of a text is. */
    ClassAd read(byte[] text, ReadOptions reading) throws ClassAdSyntaxException;

    /** The ads of a text, in order. */
    List<ClassAd> readAll(byte[] text, ReadOptions reading) throws ClassAdSyntaxException;

    /** An ad as a byte string: one char (0 to 255) for each byte. */
    String write(ClassAd ad, Syntax syntax);
}
