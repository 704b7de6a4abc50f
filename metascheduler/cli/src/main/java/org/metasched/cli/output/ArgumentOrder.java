package org.metasched.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Puts arguments into the order that the parser wants: the path of commands, then options. */
final class ArgumentOrder {

    private ArgumentOrder() {}

    /** The arguments with options behind the command that they stand before; {@code help a b} becomes {@code a b --help}. */
    static String[] arranged(CommandLine program, String... arguments) {
        if (arguments.length > 1 && arguments[0].equals("help")) {
            return help(program, Arrays.copyOfRange(arguments, 1, arguments.length));
        }
        var path = new ArrayList<String>();
        var early = new ArrayList<String>();
        var command = program;
        int next = 0;
        while (next < arguments.length && !command.getSubcommands().isEmpty()) {
            String argument = arguments[next];
            var subcommand = command.getSubcommands().get(argument);
            if (subcommand != null) {
                command = subcommand;
                path.add(argument);
            } else if (isForeign(command, argument) || isValue(arguments, next, early)) {
                early.add(argument);
            } else {
                break;
            }
            next++;
        }
        if (path.isEmpty() || early.isEmpty()) {
            return arguments;
        }
        List<String> all = new ArrayList<>(path);
        all.addAll(early);
        all.addAll(Arrays.asList(arguments).subList(next, arguments.length));
        return all.toArray(String[]::new);
    }

    /** Whether an argument is an option that the command itself does not have: one of its subcommand. */
    private static boolean isForeign(CommandLine command, String argument) {
        return argument.startsWith("-")
                && !argument.equals("--")
                && command.getCommandSpec().findOption(argument) == null;
    }

    /** Whether the argument follows an option without a value yet, as in {@code --server HOST:PORT sites}. */
    private static boolean isValue(String[] arguments, int next, List<String> early) {
        return !early.isEmpty()
                && !arguments[next].startsWith("-")
                && arguments[next - 1].startsWith("--")
                && !arguments[next - 1].contains("=");
    }

    /** The arguments for the help of a command, such as {@code a b --help}. */
    private static String[] help(CommandLine program, String... words) {
        var command = program;
        for (var word : words) {
            var subcommand = command.getSubcommands().get(word);
            if (subcommand == null && !word.startsWith("-")) {
                throw new ParameterException(
                        command,
                        "There is no command (" + word + "); there are "
                                + String.join(", ", command.getSubcommands().keySet()) + ".");
            }
            command = subcommand == null ? command : subcommand;
        }
        var all = Arrays.copyOf(words, words.length + 1);
        all[words.length] = "--help";
        return all;
    }
}
