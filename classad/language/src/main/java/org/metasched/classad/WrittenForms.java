package org.metasched.classad;

import java.util.List;

/** The readers and writers of the {@linkplain Syntax written forms}, which the language finds as a service. Thread-safe. */
public interface WrittenForms {

    /** Parses an expression, which must be all of the text; {@link ReadOptions#syntax} tells how strings are written in it. */
    Expr expression(byte[] text, ReadOptions reading) throws ClassAdSyntaxException;

    /** Parses one ad, which must be all of the text. */
    ClassAd read(byte[] text, ReadOptions reading) throws ClassAdSyntaxException;

    /** Parses any number of ads, which must be all of the text; in order. */
    List<ClassAd> readAll(byte[] text, ReadOptions reading) throws ClassAdSyntaxException;

    /** The text of an ad as a byte string: one char (0 to 255) for each byte. */
    String write(ClassAd ad, Syntax syntax);
}
