package org.metasched.submit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * File name patterns as the C library's {@code glob} understands them: {@code *}, {@code ?} and {@code [a-z]} in any part of a path,
 * none of which stands for a slash or for a dot at the beginning of a name. Names come in the order of their bytes; those of directories
 * end in a slash. A pattern without these characters is the name of one file, if there is one.
 *
 * @param directory to which patterns and names are relative
 */
record PathPatterns(Path directory) {

    private static final Comparator<String> BY_BYTES = Comparator.comparing(
            name -> new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));

    /** The names that match, relative to the directory. */
    List<String> matches(String pattern) throws IOException {
        List<String> bases = List.of(pattern.startsWith("/") ? "/" : "");
        String[] parts = pattern.split("/+");
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].isEmpty()) {
                bases = step(bases, parts[i], i + 1 < parts.length || pattern.endsWith("/"));
            }
        }
        List<String> names = new ArrayList<>(bases);
        names.sort(BY_BYTES);
        return names;
    }

    private List<String> step(List<String> bases, String part, boolean onlyDirectories) throws IOException {
        List<String> next = new ArrayList<>();
        for (String base : bases) {
            if (part.matches("(?s).*[*?\\[].*")) {
                addMatches(base, part, onlyDirectories, next);
            } else {
                add(base, part.replaceAll("\\\\(.)", "$1"), onlyDirectories, next);
            }
        }
        return next;
    }

    private void addMatches(String base, String part, boolean onlyDirectories, List<String> next) throws IOException {
        Path folder = directory.resolve(base);
        if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
            return;
        }
        Pattern pattern = pattern(part);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (pattern.matcher(name).matches() && (!name.startsWith(".") || part.startsWith("."))) {
                    add(base, name, onlyDirectories, next);
                }
            }
        }
    }

    private void add(String base, String name, boolean onlyDirectories, List<String> next) {
        Path path;
        try {
            path = directory.resolve(base + name);
        } catch (InvalidPathException e) {
            return;
        }
        boolean isDirectory = Files.isDirectory(path);
        if (isDirectory || (!onlyDirectories && Files.exists(path))) {
            next.add(base + name + (isDirectory ? "/" : ""));
        }
    }

    private static Pattern pattern(String part) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < part.length()) {
            char c = part.charAt(at++);
            int close = c == '[' ? bracketEnd(part, at) : -1;
            if (c == '*') {
                regex.append(".*");
            } else if (c == '?') {
                regex.append('.');
            } else if (close > 0) {
                regex.append(bracket(part.substring(at, close)));
                at = close + 1;
            } else {
                char literal = c == '\\' && at < part.length() ? part.charAt(at++) : c;
                regex.append(Pattern.quote(String.valueOf(literal)));
            }
        }
        try {
            return Pattern.compile(regex.toString(), Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            // A range like [z-a] matches nothing, as in C.
            return Pattern.compile("(?!)");
        }
    }

    /** A closing bracket right behind the opening one, or behind its negation, is a character of the set. */
    private static int bracketEnd(String part, int from) {
        int at = from < part.length() && "!^".indexOf(part.charAt(from)) >= 0 ? from + 1 : from;
        return part.indexOf(']', at + 1);
    }

    /** The set of characters in brackets, as a regular expression. */
    private static String bracket(String set) {
        boolean negated = set.startsWith("!") || set.startsWith("^");
        String characters = (negated ? set.substring(1) : set).replaceAll("([\\[\\]\\\\^&])", "\\\\$1");
        return "[" + (negated ? "^" : "") + characters + "]";
    }
}
