package org.metasched.classad.grammar;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.Dialect;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;
import org.metasched.classad.text.Times;

/** The literals of absolute and relative times. Texts are byte strings. */
final class TimeLiterals {

    private TimeLiterals() {}

    /** The literal that {@code absTime("...")} stands for; the literal of ERROR if the text is malformed. */
    static Literal absolute(String text) {
        Value.AbsTime time = instant(text);
        return time == null ? Literal.of(Value.ERROR) : Literal.exactly(time);
    }

    /** The literal that {@code relTime("...")} stands for; the literal of ERROR if the text is malformed. */
    static Literal relative(String text, Dialect dialect) {
        double seconds = Times.parseRelative(text);
        if (Double.isNaN(seconds)) {
            return Literal.of(Value.ERROR);
        }
        var time = new Value.RelTime(seconds);
        // The reference makes a real of relTime("..."); in the papers' dialect it remains a span.
        return dialect == Dialect.PAPER ? Literal.exactly(time) : Literal.of(time);
    }

    /** The instant that a text stands for; null if the text is malformed. */
    static Value.@Nullable AbsTime instant(String text) {
        Times.Absolute time = Times.parseAbsolute(text);
        return time == null ? null : new Value.AbsTime(time.seconds(), time.offset());
    }
}
