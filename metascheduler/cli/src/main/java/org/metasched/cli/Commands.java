package org.metasched.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/**
 * The commands of the program by name, in the order that the usage shows. The program builds only the branch that its arguments
 * name: reading the annotations of every command costs several times the processor time of a short command.
 */
final class Commands {

    private static final Map<String, Class<?>> BY_NAME = byName();

    private Commands() {}

    /** Adds to the program what the arguments may need: one command, none for {@code --version}, otherwise all. */
    static void addTo(CommandLine program, String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        Class<?> named = BY_NAME.get(first);
        if (named != null) {
            program.addSubcommand(named);
        } else if (!first.equals("--version") && !first.equals("-V")) {
            BY_NAME.values().forEach(program::addSubcommand);
        }
    }

    private static Map<String, Class<?>> byName() {
        var commands = new LinkedHashMap<String, Class<?>>();
        commands.put("demo", DemoCommand.class);
        commands.put("server", ServerCommand.class);
        commands.put("sites", SitesCommand.class);
        commands.put("status", StatusCommand.class);
        commands.put("advertise", AdvertiseCommand.class);
        commands.put("invalidate", InvalidateCommand.class);
        commands.put("listen", ListenCommand.class);
        commands.put("publish", PublishCommand.class);
        commands.put("templates", TemplatesCommand.class);
        commands.put("reserve", ReserveCommand.class);
        commands.put("agreements", AgreementsCommand.class);
        commands.put("agreement", AgreementCommand.class);
        commands.put("terminate", TerminateCommand.class);
        commands.put("classad", ClassAdCommand.class);
        commands.put("gang", GangCommand.class);
        commands.put("dag", DagCommand.class);
        commands.put("submit", SubmitCommand.class);
        commands.put("adapter", AdapterCommand.class);
        commands.put("bench", BenchCommand.class);
        return Collections.unmodifiableMap(commands);
    }
}
