package org.metasched.dist;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** One command as a page of section 1, in the language of man(7). */
final class ManualPage {

    private final CommandLine command;
    private final StringBuilder out = new StringBuilder();

    ManualPage(CommandLine command) {
        this.command = command;
    }

    /** {@code metasched-dag-bind} for {@code metasched dag bind}. */
    String name() {
        return command.getCommandSpec().qualifiedName("-");
    }

    String text() {
        out.append(".TH \"").append(name().toUpperCase(Locale.ROOT)).append("\" 1 \"\" \"metasched\" \"metasched\"\n");
        section("NAME");
        out.append(escaped(name()))
                .append(" \\- ")
                .append(escaped(firstSentence()))
                .append('\n');
        section("SYNOPSIS");
        out.append(".nf\n");
        command.getHelp()
                .synopsis(0)
                .lines()
                .forEach(line -> out.append(escaped(line)).append('\n'));
        out.append(".fi\n");
        section("DESCRIPTION");
        paragraph(lines(command.getCommandSpec().usageMessage().description()));
        arguments();
        commands();
        section("EXIT STATUS");
        paragraph(
                "0: done. 1: the answer is no. 2: the arguments or an input are wrong. 3: a site, the database or the network failed.");
        return out.toString();
    }

    private String firstSentence() {
        String description = lines(command.getCommandSpec().usageMessage().description());
        int end = description.indexOf(". ");
        return (end < 0 ? description : description.substring(0, end)).replaceAll("\\.$", "");
    }

    private void arguments() {
        var parameters = command.getCommandSpec().positionalParameters();
        var options = command.getCommandSpec().options();
        if (parameters.isEmpty() && options.isEmpty()) {
            return;
        }
        section("OPTIONS");
        for (PositionalParamSpec parameter : parameters) {
            item(parameter.paramLabel(), parameter);
        }
        for (OptionSpec option : options) {
            String label = option.arity().max() > 0 ? "=" + option.paramLabel() : "";
            item(Stream.of(option.names()).collect(Collectors.joining(", ")) + label, option);
        }
    }

    private void item(String title, ArgSpec argument) {
        if (!argument.hidden()) {
            out.append(".TP\n\\fB").append(escaped(title)).append("\\fR\n");
            paragraph(lines(argument.renderedDescription() == null ? new String[0] : argument.renderedDescription()));
        }
    }

    private void commands() {
        var below = command.getSubcommands();
        if (below.isEmpty()) {
            return;
        }
        section("COMMANDS");
        below.forEach((name, each) -> {
            out.append(".TP\n\\fB").append(escaped(name)).append("\\fR\n");
            paragraph(lines(each.getCommandSpec().usageMessage().description()));
        });
    }

    private void section(String title) {
        out.append(".SH ").append(title).append('\n');
    }

    private void paragraph(String text) {
        out.append(text.lines().map(ManualPage::escaped).collect(Collectors.joining("\n.br\n")))
                .append('\n');
    }

    private static String lines(String[] paragraphs) {
        return Stream.of(paragraphs)
                .map(text -> Ansi.OFF.string(text).replace("%n", "\n").replace("%%", "%"))
                .collect(Collectors.joining(" "));
    }

    /** A line that begins with a dot or an apostrophe would be a request, and a backslash an escape. */
    private static String escaped(String text) {
        String plain = text.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
