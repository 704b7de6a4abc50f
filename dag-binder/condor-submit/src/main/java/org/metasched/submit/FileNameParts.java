package org.metasched.submit;

import java.util.Locale;

/**
 * The parts of a file name that a macro like {@code $Fpq(X)} keeps.
 *
 * @param path whether all directories are kept
 * @param directories number of the last directories that are kept
 * @param name whether the name without extension is kept
 * @param extension whether the extension with its dot is kept
 * @param bare whether the slash behind directories and the dot before the extension are dropped
 * @param full whether a relative name is made absolute first
 * @param quote the quote around the result, 0 for none
 * @param separator the replacement of every slash and backslash, 0 for none
 */
record FileNameParts(
        boolean path,
        int directories,
        boolean name,
        boolean extension,
        boolean bare,
        boolean full,
        char quote,
        char separator) {

    static FileNameParts of(String function) {
        if (function.equals("BASENAME")) {
            return new FileNameParts(false, 0, true, true, false, false, '\0', '\0');
        }
        if (function.equals("DIRNAME")) {
            return new FileNameParts(true, 0, false, false, false, false, '\0', '\0');
        }
        String letters = function.substring(1).toLowerCase(Locale.ROOT);
        boolean quoted = letters.indexOf('q') >= 0;
        char quote = !quoted ? '\0' : letters.indexOf('a') >= 0 ? '\'' : '"';
        int directories = (int) letters.chars().filter(c -> c == 'd').count();
        return new FileNameParts(
                letters.indexOf('p') >= 0,
                directories,
                letters.indexOf('n') >= 0,
                letters.indexOf('x') >= 0,
                letters.indexOf('b') >= 0,
                letters.indexOf('f') >= 0,
                quote,
                letters.lastIndexOf('w') > letters.lastIndexOf('u') ? '\\' : letters.indexOf('u') >= 0 ? '/' : '\0');
    }

    String select(String value, String directory) {
        String file = unquoted(value);
        if (full && !file.startsWith("/")) {
            file = directory + "/" + (file.startsWith("./") && file.length() > 2 ? file.substring(2) : file);
        }
        String selected = part(file);
        if (separator != '\0') {
            selected = selected.replace(separator == '/' ? '\\' : '/', separator);
        }
        return quote == '\0' ? selected : quote + selected + quote;
    }

    private String part(String file) {
        int base = file.lastIndexOf('/') + 1;
        int dot = file.lastIndexOf('.');
        int extensionAt = dot > base ? dot : file.length();
        if (!path && directories == 0 && !name && !extension) {
            return file;
        }
        boolean wantsDirectory = (path || directories > 0) && !(base == 0 && (name || extension));
        if (!wantsDirectory) {
            return nameParts(file, base, extensionAt);
        }
        int from = directories > 0 ? directoryStart(file, base) : 0;
        if (base == 0) {
            return "";
        }
        if (name || extension) {
            return file.substring(from, name && !extension ? extensionAt : file.length());
        }
        return file.substring(from, bare ? base - 1 : base);
    }

    private String nameParts(String file, int base, int extensionAt) {
        if (name) {
            return file.substring(base, extension ? file.length() : extensionAt);
        }
        return file.substring(bare && extensionAt < file.length() ? extensionAt + 1 : extensionAt);
    }

    private int directoryStart(String file, int base) {
        int at = base;
        for (int i = 0; i < directories && at > 0; i++) {
            at = file.lastIndexOf('/', at - 2) + 1;
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
