package org.metasched.cli.time;

import java.time.Duration;
import org.metasched.adapter.text.DurationText;
import picocli.CommandLine.TypeConversionException;

/** Spans of time as options of commands. */
public final class DurationArgument {

    private DurationArgument() {}

    /** @throws TypeConversionException if the text is no span */
    public static Duration read(String text) {
        return DurationText.read(text)
                .orElseThrow(() -> new TypeConversionException(
                        "(" + text + ") must be a span of time with its units, such as 90m, 2h30m, 1d or PT1H30M."));
    }
}
