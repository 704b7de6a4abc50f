package org.metasched.classad;

/** The four written forms of an ad. */
public enum Syntax {
    /** {@code [ Name = expr; ... ]} */
    NEW,
    /** The long form: one {@code Name = expr} per line, strings almost raw. */
    OLD,
    /** A JSON object; expressions stand in strings that begin with {@code \/Expr(}. */
    JSON,
    /** {@code <c><a n="Name">value</a>...</c>} */
    XML
}
