package org.metasched.submit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Tables of the submit commands whose values go into the job ad as they are, each under the name of its attribute. */
final class SimpleCommands {

    private enum Kind {
        EXPRESSION,
        STRING,
        /** A string whose own quotes are taken off. */
        UNQUOTED,
        /** The name of a file, made absolute. */
        FILE,
        LIST,
        TRUTH,
        INTEGER,
        NATURAL
    }

    private record Command(String key, String attribute, Kind kind) {

        static Command of(String row) {
            String[] words = row.split(" ");
            return new Command(words[0], words[1], Kind.valueOf(words[2]));
        }
    }

    static final SimpleCommands OF_ALL_JOBS = new SimpleCommands("all");

    static final SimpleCommands PERIODIC = new SimpleCommands("periodic");
    static final SimpleCommands TOOLS = new SimpleCommands("tools");
    static final SimpleCommands GRIDS = new SimpleCommands("grids");

    /** Commands of jobs on EC2, Google and Azure. */
    static final SimpleCommands CLOUDS = new SimpleCommands("clouds");

    private final List<Command> commands;

    /** @param section name of a section of {@code simple-commands.txt} */
    private SimpleCommands(String section) {
        try (InputStream in = SimpleCommands.class.getResourceAsStream("simple-commands.txt")) {
            String table = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
            String rows = table.split("\\[" + section + "]\n", 2)[1].split("\\[", 2)[0];
            this.commands = rows.lines().map(Command::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts the attributes of the commands that the description sets. */
    void apply(AdMaker maker) throws SubmitException {
        for (Command command : commands) {
            Optional<String> value = maker.settings.get(command.key, command.attribute);
            if (value.isPresent()) {
                put(maker, command, value.get());
            }
        }
    }

    private static void put(AdMaker maker, Command command, String value) throws SubmitException {
        switch (command.kind) {
            case EXPRESSION -> maker.expression(command.attribute, command.key, value);
            case STRING -> maker.ad.putString(command.attribute, value);
            case UNQUOTED -> maker.ad.putString(command.attribute, AdMaker.unquoted(value));
            case FILE -> {
                // Of the names of files, only this one may stand in quotes.
                String name = command.key.equals("starter_log") ? AdMaker.unquoted(value) : value;
                maker.ad.putString(command.attribute, maker.inJobDirectory(name));
            }
            case LIST -> maker.ad.putString(command.attribute, value.strip().replaceAll("[\\s,]+", ","));
            case TRUTH -> maker.ad.put(command.attribute, maker.settings.truth(false, command.key, command.attribute));
            default -> number(maker, command, value);
        }
    }

    private static void number(AdMaker maker, Command command, String value) throws SubmitException {
        long number = maker.settings.integer(command.key, command.attribute).orElseThrow();
        if (command.kind == Kind.NATURAL && number < 0) {
            throw maker.settings.error(
                    command.key, command.key + "=" + value + " is invalid, must eval to a non-negative integer.");
        }
        maker.ad.put(command.attribute, number);
    }
}
