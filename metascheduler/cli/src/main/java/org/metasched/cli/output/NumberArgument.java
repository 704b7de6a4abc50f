package org.metasched.cli.output;

import java.math.BigDecimal;
import picocli.CommandLine.TypeConversionException;

/** Numbers as options of commands; messages about mistakes name no type of Java. */
public final class NumberArgument {

    private NumberArgument() {}

    /** @throws TypeConversionException if the text is no whole number of 32 bits */
    public static int whole(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "(" + text + ") must be a whole number of at most " + Integer.MAX_VALUE + ".");
        }
    }

    /**
     * A port to listen on, 0 for any free one.
     *
     * @throws ExitCodeException if there is no such port
     */
    public static int port(int port) {
        ExitCodeException.badInputIf(port < 0 || port > 65_535, "The port (%s) must be from 0 to 65535.", port);
        return port;
    }

    /** @throws TypeConversionException if the text is no finite number */
    public static double decimal(String text) {
        try {
            // Not parseDouble, which takes NaN, Infinity and suffixes: 5d is five there, and five days elsewhere.
            double number = new BigDecimal(text).doubleValue();
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new TypeConversionException("(" + text + ") must be a number, such as 2 or 0.5.");
    }
}
