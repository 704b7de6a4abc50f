package org.metasched.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.adapter.ResourceText;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The help of the program: its commands in groups, and two examples of each; both are in {@code help.txt}. */
final class HelpSections {

    private static final Pattern SENTENCE = Pattern.compile("^.*?[.](?=\\s|$)", Pattern.DOTALL);

    private HelpSections() {}

    /** Adds the sections; {@code help.txt} is read only when a help is printed. */
    static void addTo(CommandLine program) {
        program.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpSections::groups);
        program.getSubcommands()
                .forEach((name, command) ->
                        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> examples(name)));
        program.getSubcommands().values().forEach(HelpSections::wholeSentences);
    }

    /** Makes the first line of each description its first sentence, as lists of commands show that line only. */
    private static void wholeSentences(CommandLine command) {
        var usage = command.getCommandSpec().usageMessage();
        String whole = String.join(" ", usage.description());
        Matcher first = SENTENCE.matcher(whole);
        if (first.find()) {
            String rest = whole.substring(first.end()).strip();
            usage.description(rest.isEmpty() ? new String[] {first.group()} : new String[] {first.group(), rest});
        }
        command.getSubcommands().values().forEach(HelpSections::wholeSentences);
    }

    /** The list of the commands in the groups of {@code help.txt}; commands that the file lacks come last. */
    private static String groups(Help help) {
        var unlisted = new LinkedHashMap<>(help.subcommands());
        var groups = new StringBuilder();
        var listed = new LinkedHashMap<String, String>();
        for (String line : lines("help.txt")) {
            if (line.startsWith("# ")) {
                append(groups, help, listed);
                groups.append(String.format("%n%s:%n", line.substring(2)));
            } else if (!line.startsWith(" ") && unlisted.containsKey(line)) {
                listed.put(line, summary(unlisted.remove(line).commandSpec()));
            }
        }
        append(groups, help, listed);
        unlisted.forEach((name, other) -> listed.put(name, summary(other.commandSpec())));
        append(groups, help, listed);
        return groups.toString();
    }

    /** Appends a table of the listed commands, and empties the list. */
    private static void append(StringBuilder groups, Help help, Map<String, String> listed) {
        var table = TextTable.forColumns(
                help.colorScheme(), new Column(14, 2, Overflow.SPAN), new Column(66, 2, Overflow.WRAP));
        listed.forEach(table::addRowValues);
        groups.append(table);
        listed.clear();
    }

    private static String summary(CommandSpec command) {
        String[] text = command.usageMessage().description();
        return text.length == 0 ? "" : text[0];
    }

    /** The section of examples of a command, as {@code help.txt} has them; empty if there are none. */
    static String examples(String command) {
        var examples = new StringBuilder();
        boolean isOfCommand = false;
        for (String line : lines("help.txt")) {
            isOfCommand = line.startsWith(" ") ? isOfCommand : line.equals(command);
            if (isOfCommand && line.startsWith(" ")) {
                examples.append(String.format("  %s%n", line.strip()));
            }
        }
        return examples.isEmpty() ? "" : String.format("%nExamples:%n%s", examples);
    }

    /** The lines of a resource beside this class. */
    static List<String> lines(String resource) {
        return ResourceText.of(HelpSections.class, resource).lines().toList();
    }
}
