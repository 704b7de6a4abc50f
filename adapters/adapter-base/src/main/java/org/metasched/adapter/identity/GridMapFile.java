package org.metasched.adapter.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.SubjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A grid-mapfile: the local users that a certificate's subject may become. One subject a line, in quotes where it holds spaces, then one or
 * more user names with commas between them; {@code #} begins a comment. The first name is used. A repeated subject adds its names. Two
 * kinds of name are left out: pools of accounts ({@code .prod}), which other programs lease to subjects one by one, and {@code root}. A
 * subject without any other name counts as not listed. Immutable.
 */
public record GridMapFile(Map<SubjectName, List<String>> users) {

    private static final Logger LOG = LoggerFactory.getLogger(GridMapFile.class);
    private static final int LONGEST = 16 << 20;
    private static final Pattern USER = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}\\$?");
    private static final String ROOT = "root";
    private static final Pattern POOL = Pattern.compile("\\.[A-Za-z_][A-Za-z0-9_.-]{0,62}");

    /** @throws InvalidSettingException when the file cannot be read, is too long, or has a line of another form */
    public static GridMapFile read(Path file) {
        try {
            if (Files.size(file) > LONGEST) {
                throw new InvalidSettingException(file + ":1:1: the grid-mapfile is longer than " + LONGEST + " bytes");
            }
            return parse(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new InvalidSettingException(
                    file + ":1:1: the grid-mapfile cannot be read: " + DisplayText.of(e.toString()));
        }
    }

    /** @param name name in messages, in place of a file name */
    public static GridMapFile parse(String name, String text) {
        var users = new LinkedHashMap<SubjectName, List<String>>();
        int number = 0;
        for (String line : text.split("\\R", -1)) {
            number++;
            String stripped = line.strip();
            if (!stripped.isEmpty() && !stripped.startsWith("#")) {
                new Line(name + ":" + number, line).addTo(users);
            }
        }
        users.replaceAll((subject, names) -> Collections.unmodifiableList(names));
        return new GridMapFile(Collections.unmodifiableMap(users));
    }

    /** The local users of a subject, in the order of the file; empty when it is not listed. */
    public List<String> users(String subject) {
        return users.getOrDefault(SubjectName.of(subject), List.of());
    }

    static boolean isUserName(String text) {
        return USER.matcher(text).matches() && !text.equals(ROOT);
    }

    /** One line while it is read. */
    private static final class Line {
        private final String place;
        private final String line;
        private int at;

        Line(String place, String line) {
            this.place = place;
            this.line = line;
        }

        void addTo(Map<SubjectName, List<String>> users) {
            skipBlanks();
            String subject = line.charAt(at) == '"' ? quoted() : plain();
            if (subject.isBlank()) {
                throw problem("expected a subject");
            }
            skipBlanks();
            var names = users.computeIfAbsent(SubjectName.of(subject), key -> new ArrayList<>());
            for (String user : line.substring(at).strip().split("\\s*,\\s*", -1)) {
                if (POOL.matcher(user).matches() || user.equals(ROOT)) {
                    LOG.warn(
                            "{}: ({}) is left out: pools of accounts and root are not used as local users",
                            place,
                            user);
                    continue;
                }
                if (!isUserName(user)) {
                    throw problem("expected user names with commas between them, not (" + DisplayText.of(user) + ")"
                            + (line.indexOf('"') >= 0 ? "" : "\nMaybe the subject holds a space and needs quotes."));
                }
                if (!names.contains(user)) {
                    names.add(user);
                }
            }
        }

        private String quoted() {
            var subject = new StringBuilder();
            for (at++; at < line.length(); at++) {
                char c = line.charAt(at);
                if (c == '"') {
                    at++;
                    return subject.toString();
                } else if (c == '\\' && at + 1 < line.length()) {
                    at++;
                    subject.append(escaped());
                } else {
                    subject.append(c);
                }
            }
            throw problem("the quote is not closed");
        }

        /**
         * {@code \xHH} is an ASCII character by its code, and any other {@code \c} is c. A byte beyond ASCII stays {@code \xHH}, as in the
         * subjects that are read from certificates.
         */
        private String escaped() {
            char c = line.charAt(at);
            if (c == 'x' && at + 2 < line.length()) {
                int high = Character.digit(line.charAt(at + 1), 16);
                int low = Character.digit(line.charAt(at + 2), 16);
                if (high >= 0 && low >= 0) {
                    at += 2;
                    int code = high * 16 + low;
                    return code < 0x80 ? String.valueOf((char) code) : String.format("\\x%02X", code);
                }
            }
            return String.valueOf(c);
        }

        private String plain() {
            int from = at;
            while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
                at++;
            }
            return line.substring(from, at);
        }

        private void skipBlanks() {
            while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
                at++;
            }
        }

        private InvalidSettingException problem(String problem) {
            return new InvalidSettingException(place + ":" + (at + 1) + ": " + problem);
        }
    }
}
