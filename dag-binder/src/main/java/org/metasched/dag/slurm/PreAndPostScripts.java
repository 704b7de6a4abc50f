package org.metasched.dag.slurm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import org.metasched.dag.DagNode;

/** Runs PRE and POST scripts as processes of this machine, in the directories of their nodes. */
final class PreAndPostScripts {

    private final Path top;
    private final Map<String, String> environment;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();

    PreAndPostScripts(Path top, Map<String, String> environment) {
        this.top = top;
        this.environment = new LinkedHashMap<>(environment);
    }

    /**
     * Starts a script.
     *
     * @param macros values by names in upper case; macros are replaced as whole words
     * @param log file of the script's output
     * @param ended receiver, on any thread, of the exit code: a signal as its negative; 1 if the script cannot be started, and then the log
     *     has the reason
     */
    void start(DagNode node, DagNode.Script script, Map<String, String> macros, Path log, IntConsumer ended)
            throws IOException {
        Path directory = top.resolve(node.directory()).normalize();
        List<String> words = new ArrayList<>();
        for (String word : script.words()) {
            String value = macros.get(word.toUpperCase(Locale.ROOT));
            words.add(words.isEmpty() || value == null ? word : value);
        }
        String program = words.get(0);
        if (!program.contains("/") && Files.isRegularFile(directory.resolve(program))) {
            words.set(0, "./" + program);
        }
        var builder = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            running.add(process);
            process.onExit().thenAccept(over -> {
                running.remove(over);
                ended.accept(signalAsNegative(over.exitValue()));
            });
        } catch (IOException e) {
            String reason = script.place() + ": " + e.getMessage() + "\n";
            Files.writeString(log, reason, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            ended.accept(1);
        }
    }

    /** The negative number of the signal, for which a shell adds 128; other codes stay. */
    static int signalAsNegative(int code) {
        return code > 128 && code <= 192 ? 128 - code : code;
    }

    /** Kills the scripts that run, and what they have started; the end of each script is still reported. */
    void endAll() {
        for (Process script : running) {
            List<ProcessHandle> started = script.descendants().toList();
            script.destroyForcibly();
            started.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
