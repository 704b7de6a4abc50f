package org.metasched.adapter.command;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.metasched.adapter.DisplayText;

/**
 * Quotes an argument vector for a user who pastes it, and for the login shell at the far end of {@code ssh}, which joins its arguments
 * with spaces and hands the line to that shell.
 *
 * <p>The form means the same to sh, bash, dash, ksh, zsh, csh, tcsh and fish: everything unusual stands in single quotes,
 * and the three characters that some of them read inside single quotes ({@code '}, {@code \} and {@code !}) stand outside,
 * each behind a backslash. Control characters have no such form and are refused.
 */
public final class ShellQuoting {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*");

    /** The characters that have a meaning inside single quotes in some shell. */
    private static final Pattern SPECIAL = Pattern.compile("['\\\\!]");

    private ShellQuoting() {}

    /** All words quoted, with blanks between. */
    public static String line(List<String> words) {
        return words.stream().map(ShellQuoting::word).collect(Collectors.joining(" "));
    }

    /** @throws IllegalArgumentException when the word holds a control character */
    public static String word(String word) {
        if (word.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The argument (" + DisplayText.of(word)
                    + ") of a remote command must not hold control characters.");
        }
        return PLAIN.matcher(word).matches()
                ? word
                : "'" + SPECIAL.matcher(word).replaceAll("'\\\\$0'") + "'";
    }
}
