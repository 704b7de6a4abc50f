package org.metasched.it.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A code block of a Markdown document that shows commands.
 *
 * @param line     its first line in the document
 * @param remark   what a comment {@code <!-- doc: ... -->} right above the block says of it: {@code skip WHY}, {@code needs PROGRAM},
 *                 {@code exit N}, {@code varies}, {@code background}, {@code machine} for what installs and clones
 * @param commands each with the lines that the document says it prints
 */
record DocumentBlock(int line, String remark, List<Command> commands) {

    /** As typed, and what is shown of its output; empty when nothing is. */
    record Command(String text, List<String> shown) {}

    private static final Pattern REMARK = Pattern.compile("<!-- doc: (.*) -->");
    private static final Pattern COMMAND = Pattern.compile(
            "(\\$ |((\\.\\./\\.\\./|\\./)?metasched|mvn|java|python3|/usr/bin/python3|apt(-get)?|sudo|systemctl|git|cp|mkdir|printf|cat|echo|sbatch"
                    + "|for|METASCHED_REBUILD=1|test/fuzz.sh) |[A-Za-z]+=\\S).*");

    static List<DocumentBlock> of(List<String> lines) {
        var blocks = new ArrayList<DocumentBlock>();
        String remark = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher said = REMARK.matcher(lines.get(i).strip());
            boolean fenced = lines.get(i).strip().matches("```(sh|console|shell)?");
            boolean other = !fenced && lines.get(i).strip().startsWith("```");
            if (said.matches()) {
                remark = said.group(1);
            } else if (fenced || other) {
                int end = i + 1;
                while (!lines.get(end).strip().equals("```")) {
                    end++;
                }
                if (fenced) {
                    block(i + 1, remark, lines.subList(i + 1, end)).ifPresent(blocks::add);
                }
                i = end;
                remark = "";
            } else if (lines.get(i).matches(" {4,}\\S.*")
                    && (i == 0 || lines.get(i - 1).isBlank() || !remark.isEmpty())) {
                int end = i;
                while (end < lines.size()
                        && (lines.get(end).isBlank() || lines.get(end).startsWith("    "))) {
                    end++;
                }
                block(i + 1, remark, lines.subList(i, end)).ifPresent(blocks::add);
                i = end - 1;
                remark = "";
            } else if (!lines.get(i).isBlank()) {
                remark = "";
            }
        }
        return blocks;
    }

    private static Optional<DocumentBlock> block(int line, String remark, List<String> indented) {
        String body = String.join("\n", indented).stripTrailing().stripIndent();
        boolean prompted = body.lines().anyMatch(text -> text.startsWith("$ "));
        var commands = new ArrayList<Command>();
        for (String text : body.lines().toList()) {
            int last = commands.size() - 1;
            if (last >= 0 && commands.get(last).text().endsWith("\\")) {
                commands.set(last, new Command(commands.get(last).text() + "\n" + text, new ArrayList<>()));
            } else if (prompted ? text.startsWith("$ ") : COMMAND.matcher(text).matches()) {
                commands.add(new Command(text.replaceFirst("^\\$ ", ""), new ArrayList<>()));
            } else if (last >= 0 && !text.isBlank()) {
                commands.get(last).shown().add(text);
            } else if (!text.isBlank()) {
                return Optional.empty();
            }
        }
        return commands.isEmpty() ? Optional.empty() : Optional.of(new DocumentBlock(line, remark, commands));
    }

    Optional<String> remark(String word) {
        return remark.equals(word) || remark.startsWith(word + " ")
                ? Optional.of(remark.substring(word.length()).strip())
                : Optional.empty();
    }
}
