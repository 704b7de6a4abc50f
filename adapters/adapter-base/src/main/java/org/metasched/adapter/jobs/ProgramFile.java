package org.metasched.adapter.jobs;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Transfer;
import org.metasched.adapter.command.ShellQuoting;

/** A program as the lines that {@code job.sh} reads: settings of variables and nothing that a shell would not take as it stands. */
final class ProgramFile {

    private final List<String> lines = new ArrayList<>();

    private ProgramFile() {}

    static String of(Program program, List<String> launch) {
        var file = new ProgramFile();
        program.environment().forEach((name, value) -> file.lines.add("export " + name + "=" + word(value)));
        // some shells count processes by -u, others by -p
        program.limits()
                .forEach((limit, amount) -> file.lines.add("{ ulimit -" + limit.letter() + " " + limit.inUnits(amount)
                        + (limit == Program.Limit.PROCESS_COUNT ? " 2> /dev/null || ulimit -p " + amount : "")
                        + "; } || exit 72"));
        file.set("processes", String.valueOf(program.processes()));
        file.set("per_node", String.valueOf(program.perNode()));
        file.set(
                "gate",
                program.together().map(gate -> String.valueOf(gate.toSeconds())).orElse(""));
        file.set("work", program.directory().orElse(""));
        file.set("input", program.input().orElse("/dev/null"));
        file.set("output", program.output().orElse("stdout"));
        file.set("error", program.error().orElse("stderr"));
        file.transfers(program);
        file.launch(launch);
        var command = new ArrayList<>(List.of(program.executable()));
        command.addAll(program.arguments());
        file.lines.add("set -- " + ShellQuoting.line(command));
        return String.join("\n", file.lines) + "\n";
    }

    /** Where the output goes, as seen from the job's directory. */
    static String output(Program program) {
        String output = program.output().orElse("stdout");
        return output.startsWith("/")
                ? output
                : program.directory().map(work -> work + "/" + output).orElse(output);
    }

    private void set(String name, String value) {
        lines.add(name + "=" + word(value));
    }

    private void transfers(Program program) {
        var bring = new ArrayList<String>();
        var take = new ArrayList<String>();
        for (Transfer transfer : program.transfers()) {
            transfer.source().ifPresent(source -> bring.add("bring " + words(transfer, source)));
            transfer.target().ifPresent(target -> take.add("take " + words(transfer, target)));
        }
        program.transfers().stream()
                .filter(Transfer::delete)
                .forEach(transfer -> take.add("rm -f -- " + word(transfer.name())));
        lines.add("bring_all() { " + all(bring) + "; }");
        lines.add("take_all() { " + all(take) + "; }");
    }

    private static String all(List<String> commands) {
        return commands.isEmpty() ? ":" : String.join(" && ", commands);
    }

    private static String words(Transfer transfer, URI place) {
        boolean file = place.getScheme().equals("file");
        // rsync takes an address as it stands, without escapes
        String address = place.getScheme().equals("rsync")
                ? "rsync://" + place.getAuthority() + place.getPath()
                : place.toString();
        return word(transfer.name()) + " " + place.getScheme() + " " + word(file ? place.getPath() : address) + " "
                + (transfer.append() ? "add" : transfer.keep() ? "keep" : "replace");
    }

    private void launch(List<String> words) {
        var line = new StringBuilder("launch() { node=$1; shift; ");
        for (String text : words) {
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
