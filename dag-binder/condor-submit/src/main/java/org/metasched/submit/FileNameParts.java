package org.metasched.submit;

import java.util.Locale;

/**
 * The parts of a file name that a macro like {@code $Fpq(X)} keeps, by the letters behind the F: {@code p} all directories, each
 * {@code d} one of the last, {@code n} the name without extension, {@code x} the extension with its dot. {@code b} drops the slash behind
 * directories and the dot before the extension, {@code f} makes a relative name absolute first, {@code q} quotes the result
 * ({@code a}: in single quotes), {@code w} and {@code u} turn every slash and backslash into one of Windows or of Unix.
 *
 * @param letters in lower case
 */
record FileNameParts(String letters) {

    static FileNameParts of(String function) {
        return new FileNameParts(
                switch (function) {
                    case "BASENAME" -> "nx";
                    case "DIRNAME" -> "p";
                    default -> function.substring(1).toLowerCase(Locale.ROOT);
                });
    }

    private boolean has(char letter) {
        return letters.indexOf(letter) >= 0;
    }

    /** The parts of a file name; {@code directory} is put before a relative one for {@code f}. */
    String select(String value, String directory) {
        String file = unquoted(value);
        if (has('f') && !file.startsWith("/")) {
            file = directory + "/" + (file.startsWith("./") && file.length() > 2 ? file.substring(2) : file);
        }
        String selected = part(file);
        if (letters.lastIndexOf('w') > letters.lastIndexOf('u')) {
            selected = selected.replace('/', '\\');
        } else if (has('u')) {
            selected = selected.replace('\\', '/');
        }
        String quote = !has('q') ? "" : has('a') ? "'" : "\"";
        return quote + selected + quote;
    }

    private String part(String file) {
        int base = file.lastIndexOf('/') + 1;
        int dot = file.lastIndexOf('.');
        int extensionAt = dot > base ? dot : file.length();
        boolean hasName = has('n') || has('x');
        boolean hasDirectory = has('p') || has('d');
        if (!hasName && !hasDirectory) {
            return file;
        }
        if (!hasDirectory || base == 0 && hasName) {
            return nameParts(file, base, extensionAt);
        }
        if (base == 0) {
            return "";
        }
        int from = has('d') ? directoryStart(file, base) : 0;
        if (hasName) {
            return file.substring(from, has('x') ? file.length() : extensionAt);
        }
        return file.substring(from, has('b') ? base - 1 : base);
    }

    private String nameParts(String file, int base, int extensionAt) {
        if (has('n')) {
            return file.substring(base, has('x') ? file.length() : extensionAt);
        }
        return file.substring(has('b') && extensionAt < file.length() ? extensionAt + 1 : extensionAt);
    }

    /** The index at which the directories begin that the letters {@code d} keep. */
    private int directoryStart(String file, int base) {
        int at = base;
        for (int i = 0; i < letters.length() && at > 0; i++) {
            at = letters.charAt(i) == 'd' ? file.lastIndexOf('/', at - 2) + 1 : at;
        }
        return at;
    }

    private static String unquoted(String value) {
        int last = value.length() - 1;
        boolean quoted = last > 0
                && value.charAt(0) == value.charAt(last)
                && (value.charAt(0) == '"' || value.charAt(0) == '\'');
        return quoted ? value.substring(1, last) : value;
    }
}
