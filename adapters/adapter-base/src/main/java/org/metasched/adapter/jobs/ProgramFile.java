package org.metasched.adapter.jobs;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Transfer;
import org.metasched.adapter.command.ShellQuoting;

/**
 * The shell file {@code program} that {@code job.sh} reads: it sets variables and defines functions, with each value quoted.
 */
final class ProgramFile {

    /** Prefix of the variables that job.sh sets. */
    private static final String RESERVED_PREFIX = "METASCHED_";

    private final List<String> lines = new ArrayList<>();

    private ProgramFile() {}

    static String of(Program program, List<String> launch) {
        var file = new ProgramFile();
        // Some shells limit processes by -u, others by -p.
        program.limits()
                .forEach((limit, amount) -> file.lines.add("{ ulimit -" + limit.letter() + " " + limit.inUnits(amount)
                        + (limit == Program.Limit.PROCESS_COUNT ? " 2> /dev/null || ulimit -p " + amount : "")
                        + "; } || exit 72"));
        file.set("processes", String.valueOf(program.processes()));
        file.set("per_node", String.valueOf(program.perNode()));
        file.set(
                "gate",
                program.together().map(wait -> String.valueOf(wait.toSeconds())).orElse(""));
        file.transfers(program);
        file.launch(launch);
        file.set("swept", program.sweep().isEmpty() ? "" : "yes");
        file.command(program);
        file.variables(program);
        if (!program.sweep().isEmpty()) {
            file.sweep(program);
        }
        return String.join("\n", file.lines) + "\n";
    }

    /** Defines export_all; only the process that becomes the program calls it, as a user's variable may have the name of one of job.sh. */
    private void variables(Program program) {
        lines.add("export_all() { :");
        program.environment().forEach((name, value) -> lines.add("export " + name + "=" + word(value)));
        if (!program.sweep().isEmpty()) {
            lines.add("case $METASCHED_LOCAL_RANK in");
            for (int i = 0; i < program.sweep().size(); i++) {
                lines.add(i + ") :");
                program.sweep().get(i).environment().forEach((name, value) -> {
                    if (!name.startsWith(RESERVED_PREFIX)
                            && !value.equals(program.environment().get(name))) {
                        lines.add("export " + name + "=" + word(value));
                    }
                });
                lines.add(";;");
            }
            lines.add("esac");
        }
        lines.add("}");
    }

    private void command(Program program) {
        set("directory", program.directory().orElse(""));
        set("input", program.input().orElse("/dev/null"));
        set("output", program.output().orElse("stdout"));
        set("error", program.error().orElse("stderr"));
        var command = new ArrayList<>(List.of(program.executable()));
        command.addAll(program.arguments());
        lines.add("set -- " + ShellQuoting.line(command));
    }

    /** Defines the settings of each instance, which job.sh selects by the rank {@code ms_third} of the process. */
    private void sweep(Program program) {
        lines.add("case $ms_third in");
        for (int i = 0; i < program.sweep().size(); i++) {
            var instance = program.sweep().get(i);
            lines.add(i + ")");
            command(instance);
            lines.add(";;");
        }
        lines.add("esac");
        lines.add("clear_all() { "
                + program.sweep().stream()
                        .flatMap(instance -> Stream.of(
                                output(instance),
                                pathOf(instance, instance.error().orElse("stderr"))))
                        .distinct()
                        .map(file -> "true > " + word(file))
                        .collect(Collectors.joining(" && "))
                + "; }");
    }

    /** Path of the standard output, relative to the job's directory. */
    static String output(Program program) {
        return pathOf(program, program.output().orElse("stdout"));
    }

    private static String pathOf(Program program, String file) {
        String path = file.startsWith("/")
                ? file
                : program.directory().map(folder -> folder + "/" + file).orElse(file);
        return path.startsWith("/") ? path : "work/" + path;
    }

    private void set(String name, String value) {
        lines.add(name + "=" + word(value));
    }

    private void transfers(Program program) {
        var bringCommands = new ArrayList<String>();
        var takeCommands = new ArrayList<String>();
        for (Transfer transfer : program.transfers()) {
            transfer.source().ifPresent(source -> bringCommands.add("bring " + transferWords(transfer, source)));
            transfer.target().ifPresent(target -> takeCommands.add("take " + transferWords(transfer, target)));
        }
        program.transfers().stream()
                .filter(Transfer::delete)
                .forEach(transfer -> takeCommands.add("rm -f -- " + word(transfer.name())));
        lines.add("bring_all() { " + inSequence(bringCommands) + "; }");
        lines.add("take_all() { " + inSequence(takeCommands) + "; }");
    }

    private static String inSequence(List<String> commands) {
        return commands.isEmpty() ? ":" : String.join(" && ", commands);
    }

    private static String transferWords(Transfer transfer, URI remote) {
        String address = switch (remote.getScheme()) {
            case "file" -> remote.getPath();
            // rsync does not decode %-escapes.
            case "rsync" -> "rsync://" + remote.getAuthority() + remote.getPath();
            // To scp, a path with one slash is below the home.
            case "scp" -> remote.toString().replaceFirst("^scp://[^/]*(?=/(?!~))", "$0/");
            default -> remote.toString();
        };
        return word(transfer.name()) + " " + remote.getScheme() + " " + word(address) + " "
                + (transfer.append() ? "add" : transfer.keep() ? "keep" : "replace");
    }

    private void launch(List<String> words) {
        lines.add("find_launcher() { " + (words.isEmpty() ? ":" : "find_tool " + word(words.get(0))) + "; }");
        var line = new StringBuilder("launch() { node=$1; shift; " + (words.isEmpty() ? "" : "\"$launcher\" "));
        for (String text : words.subList(Math.min(1, words.size()), words.size())) {
            int at = text.indexOf(JobSettings.NODE);
            line.append(
                    at < 0
                            ? word(text)
                            : word(text.substring(0, at)) + "\"$node\""
                                    + word(text.substring(at + JobSettings.NODE.length())));
            line.append(' ');
        }
        lines.add(line.append("\"$@\"; }").toString());
    }

    private static String word(String text) {
        return ShellQuoting.word(text);
    }
}
