package org.metasched.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Words of a command line in condor's two syntaxes. The old one: blanks separate, nothing quotes, a double quote is written
 * {@code \"}. The new one: all of it in double quotes, words with blanks in single quotes, either quote doubled to mean itself.
 */
final class ArgumentList {

    /** A text that breaks the rules of its syntax. */
    static final class QuotingException extends Exception {
        private static final long serialVersionUID = 1L;

        QuotingException(String reason) {
            super(reason);
        }
    }

    private ArgumentList() {}

    /** Whether a text is in the new syntax. */
    static boolean isQuoted(String text) {
        return text.stripLeading().startsWith("\"");
    }

    /** The text between the double quotes, doubled ones made single. */
    static String unquote(String text) throws QuotingException {
        StringBuilder raw = new StringBuilder();
        int at = text.indexOf('"') + 1;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != '"') {
                raw.append(c);
                at++;
            } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
                raw.append('"');
                at += 2;
            } else {
                if (!text.substring(at + 1).isBlank()) {
                    throw new QuotingException(
                            "Unexpected characters following double-quote.  Did you forget to escape the double-quote by"
                                    + " repeating it?  Here is the quote and trailing characters: "
                                    + text.substring(at));
                }
                return raw.toString();
            }
        }
        throw new QuotingException("Unterminated double-quote.");
    }

    /** Words of the new syntax; {@code raw} is without the outer quotes. */
    static List<String> split(String raw) throws QuotingException {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        int at = 0;
        while (at < raw.length()) {
            char c = raw.charAt(at);
            if (c == '\'') {
                inWord = true;
                at = quoted(raw, at, word);
            } else if (isBlank(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
                at++;
            } else {
                inWord = true;
                word.append(c);
                at++;
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }

    /** Appends a text in single quotes to the word; returns the index behind the closing quote. */
    private static int quoted(String raw, int open, StringBuilder word) throws QuotingException {
        int at = open + 1;
        while (at < raw.length()) {
            char c = raw.charAt(at++);
            if (c != '\'') {
                word.append(c);
            } else if (at < raw.length() && raw.charAt(at) == '\'') {
                word.append('\'');
                at++;
            } else {
                return at;
            }
        }
        throw new QuotingException("Unbalanced quote starting here: " + raw.substring(open));
    }

    /** Words of the old syntax. */
    static List<String> splitOld(String text) throws QuotingException {
        StringBuilder raw = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                throw new QuotingException("Found illegal unescaped double-quote: " + text.substring(i));
            }
            if (c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                raw.append('"');
                i++;
            } else {
                raw.append(c);
            }
        }
        return Stream.of(raw.toString().split("[ \t\r\n]+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** The words in the new syntax, without outer quotes. Only blanks and single quotes are quoted, as condor does it. */
    static String join(List<String> words) {
        StringBuilder text = new StringBuilder();
        for (String word : words) {
            text.append(text.length() > 0 ? " " : "");
            append(word, text);
        }
        return text.toString();
    }

    private static void append(String word, StringBuilder text) {
        if (word.isEmpty()) {
            text.append("''");
        }
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (!isBlank(c) && c != '\'') {
                text.append(c);
                continue;
            }
            // Quoted characters that follow one another share one pair of quotes.
            int last = text.length() - 1;
            if (last >= 0 && text.charAt(last) == '\'') {
                text.setLength(last);
            } else {
                text.append('\'');
            }
            text.append(c == '\'' ? "''" : String.valueOf(c)).append('\'');
        }
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }
}
