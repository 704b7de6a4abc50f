package org.metasched.adapter.command;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.LocalSchedulerException.Unreadable;
import org.metasched.adapter.SiteId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a site's commands, on this machine or over {@code ssh}: an argument vector and never a shell, a fixed environment
 * and locale, bounded output, and a time limit after which the process and its children are killed. Thread-safe; each call
 * holds two reader threads while it lasts.
 *
 * <p>Made from the settings under {@code run:} by {@link RunSettings}. Neither environment values nor standard input are
 * logged.
 */
public final class CommandRunner {

    private static final LongAdder STARTED = new LongAdder();
    private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);
    private static final List<String> USUAL_FOLDERS =
            List.of("/usr/local/bin", "/usr/local/sbin", "/usr/bin", "/usr/sbin", "/bin", "/sbin");
    /** Variables that a program may need about its account; no other variable is inherited. */
    private static final List<String> INHERITED = List.of("HOME", "USER", "LOGNAME");

    /** The placeholder of the user's name in the words that become a user. */
    public static final String USER = "{user}";

    private final SiteId site;
    private final RunSettings settings;

    public CommandRunner(SiteId site, RunSettings settings) {
        this.site = site;
        this.settings = settings;
    }

    public SiteId site() {
        return site;
    }

    /** Runs a command without input; otherwise as {@link #run(List, String)}. */
    public CommandResult run(List<String> words) throws LocalSchedulerException {
        return run(words, "");
    }

    /** Number of commands started in this process, for all sites. */
    public static long started() {
        return STARTED.sum();
    }

    /**
     * Runs a command to its end, whatever its exit code.
     *
     * @param words program and arguments; no control characters in them
     * @param input standard input, closed after it
     * @throws Misconfigured when the program is missing or may not be started, or ssh refuses the login: nothing happened
     * @throws Unreachable when it took too long, printed too much, was interrupted (the flag stays set) or the connection broke: the
     *     command may have had its effect
     */
    public CommandResult run(List<String> words, String input) throws LocalSchedulerException {
        return run(words, input, true);
    }

    /**
     * Runs a command that must not be killed half-way. After the timeout its output is no longer read, and the command runs on until its end
     * or its next output; the caller must bound its run time in another way.
     */
    public CommandResult runUnkilled(List<String> words) throws LocalSchedulerException {
        return run(words, "", false);
    }

    private CommandResult run(List<String> words, String input, boolean mayBeKilled) throws LocalSchedulerException {
        for (String word : words) {
            if (word.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("The argument (" + DisplayText.of(word) + ") of " + words.get(0)
                        + " must not hold control characters.");
            }
        }
        LOG.debug("Site {} runs {}", site, words);
        CommandResult result = new Call(words, input, mayBeKilled).finish(start(words));
        LOG.debug("Site {}: {} exited with {}", site, result.program(), result.exit());
        refuseFailedStart(result);
        return result;
    }

    /**
     * Runs a command and reads what it printed.
     *
     * @throws Unreadable when the reader throws {@link OutputFormatException}
     */
    public <T> T ask(List<String> words, Function<CommandResult, T> reader) throws LocalSchedulerException {
        return read(run(words), reader);
    }

    /** Reads a long listing while the command prints it. */
    public interface StreamReader<T> {
        /** @throws OutputFormatException when it cannot be understood */
        T read(RecordStream output) throws IOException;
    }

    /**
     * Runs a command that lists many records, and reads its output while it is printed. The output limit holds for each record.
     *
     * @param refuse makes the exception for a failed command, from a result with the first bytes of the output only
     */
    public <T> T stream(
            List<String> words, Function<CommandResult, LocalSchedulerException> refuse, StreamReader<T> reader)
            throws LocalSchedulerException {
        var call = new Call(words, "", true);
        Process process = start(words);
        ProcessStreamReader<T> out = ProcessStreamReader.records(
                "stdout-of-" + site,
                process.getInputStream(),
                settings.outputLimit(),
                reader,
                () -> call.abandon(process));
        CommandResult result = call.finish(process, out);
        refuseFailedStart(result);
        if (!result.ok()) {
            throw refuse.apply(result);
        }
        return read(result, r -> out.value());
    }

    /**
     * Reads what a command printed.
     *
     * @throws Unreadable when the reader throws {@link OutputFormatException}
     */
    public <T> T read(CommandResult result, Function<CommandResult, T> reader) throws Unreadable {
        try {
            return reader.apply(result);
        } catch (OutputFormatException e) {
            throw new Unreadable(
                    "Site " + site + " answered in a form that cannot be understood: " + result.program() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private Process start(List<String> words) throws Misconfigured {
        var command = new ArrayList<String>();
        settings.ssh()
                .ifPresentOrElse(
                        ssh -> {
                            command.addAll(ssh.words(settings.timeout()));
                            command.add(ShellQuoting.line(withEnvironment(settings.prefix(), words)));
                        },
                        () -> command.addAll(
                                settings.prefix().isEmpty() ? words : withEnvironment(settings.prefix(), words)));
        String program = command.get(0);
        command.set(0, locate(program));
        var builder = new ProcessBuilder(command);
        var environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        if (settings.ssh().isPresent() && System.getenv("SSH_AUTH_SOCK") != null) {
            environment.put("SSH_AUTH_SOCK", System.getenv("SSH_AUTH_SOCK"));
        }
        environment.putAll(environment());
        try {
            STARTED.increment();
            return builder.start();
        } catch (IOException e) {
            throw new Misconfigured(
                    "Site " + site + ": the command (" + DisplayText.of(program) + ") cannot be started: "
                            + DisplayText.lines(String.valueOf(e.getMessage())),
                    e);
        }
    }

    /** A command behind {@code env} with the environment, since {@code sudo} and {@code ssh} drop theirs. */
    private List<String> withEnvironment(List<String> prefix, List<String> words) {
        var all = new ArrayList<>(prefix);
        all.add("env");
        environment().forEach((name, value) -> all.add(name + "=" + value));
        all.addAll(words);
        return all;
    }

    /**
     * The words that run a command as another user: {@code become} with the user in the place of {@value #USER}, and
     * the environment set behind it. Without a user, or with an empty {@code become}, the command itself.
     */
    public List<String> as(List<String> become, Optional<String> user, List<String> words) {
        if (become.isEmpty() || user.isEmpty()) {
            return words;
        }
        return withEnvironment(
                become.stream().map(word -> word.replace(USER, user.get())).toList(), words);
    }

    private Map<String, String> environment() {
        var all = new LinkedHashMap<String, String>();
        all.put("PATH", String.join(File.pathSeparator, folders()));
        all.put("LC_ALL", "C");
        all.put("LANG", "C");
        all.putAll(settings.environment());
        return all;
    }

    private List<String> folders() {
        var folders = new ArrayList<>(settings.path());
        folders.addAll(USUAL_FOLDERS);
        return folders;
    }

    /** The path of a program: the JVM would look it up in its own PATH instead of the child's. */
    private String locate(String program) throws Misconfigured {
        if (program.indexOf('/') >= 0) {
            return program;
        }
        for (String folder : folders()) {
            Path candidate = Path.of(folder, program);
            if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return candidate.toString();
            }
        }
        throw new Misconfigured("Site " + site + ": the command (" + DisplayText.of(program) + ") was not found in "
                + folders() + ".\nMaybe its folder is missing from the setting 'run: path:'.");
    }

    private void refuseFailedStart(CommandResult result) throws LocalSchedulerException {
        // ssh itself exits with 255; env exits with 126 or 127 when it cannot start the command.
        if (result.exit() == 255 && settings.ssh().isPresent() && result.out().isEmpty()) {
            refuseFailedConnection(result);
        }
        boolean indirect = settings.ssh().isPresent() || !settings.prefix().isEmpty();
        if (indirect
                && (result.exit() == 127 || result.exit() == 126)
                && result.out().isEmpty()) {
            throw new Misconfigured("Site " + site + ": " + result.words()
                    + ".\nMaybe its folder is missing from the setting 'run: path:'.");
        }
    }

    private void refuseFailedConnection(CommandResult result) throws LocalSchedulerException {
        String error = result.err();
        String where =
                "Site " + site + ", ssh to " + settings.ssh().orElseThrow().host() + ": ";
        if (error.contains("Permission denied (") || error.contains("Host key verification failed")) {
            throw new Misconfigured(where + "\"" + DisplayText.lines(error)
                    + "\".\nMaybe the key or the host key of the setting 'run: ssh:' is not known there.");
        }
        if (error.startsWith("ssh:") || error.contains("Connection ") || error.contains("kex_exchange")) {
            throw new Unreachable(where + "\"" + DisplayText.lines(error) + "\".");
        }
    }

    /** One running process with its deadline. */
    private final class Call {
        private final List<String> words;
        private final String input;
        private final boolean mayBeKilled;
        private final long deadline = System.nanoTime()
                + Math.min(settings.timeout().toNanos(), Duration.ofDays(1).toNanos());

        Call(List<String> words, String input, boolean mayBeKilled) {
            this.words = words;
            this.input = input;
            this.mayBeKilled = mayBeKilled;
        }

        CommandResult finish(Process process) throws Unreachable {
            return finish(process, whole("stdout-of-", process.getInputStream(), process));
        }

        private ProcessStreamReader<String> whole(String name, InputStream stream, Process process) {
            return ProcessStreamReader.whole(name + site, stream, settings.outputLimit(), () -> abandon(process));
        }

        CommandResult finish(Process process, ProcessStreamReader<?> out) throws Unreachable {
            var span = span();
            try {
                var result = await(process, out);
                span.setAttribute("process.exit.code", result.exit());
                return result;
            } catch (Unreachable e) {
                span.setStatus(StatusCode.ERROR, String.valueOf(e.getMessage()));
                throw e;
            } finally {
                span.end();
            }
        }

        /** Names the program only: arguments may be confidential. */
        private Span span() {
            return GlobalOpenTelemetry.getTracer("org.metasched.adapter")
                    .spanBuilder("run " + words.get(0))
                    .setSpanKind(SpanKind.CLIENT)
                    .setAttribute("metasched.site", site.value())
                    .startSpan();
        }

        private CommandResult await(Process process, ProcessStreamReader<?> out) throws Unreachable {
            var err = whole("stderr-of-", process.getErrorStream(), process);
            try {
                startInput(process);
                boolean ended = process.waitFor(left(), TimeUnit.NANOSECONDS) && out.await(left()) && err.await(left());
                if (out.overflowed() || err.overflowed()) {
                    throw cutOff("printed more than " + settings.outputLimit() + " bytes", null);
                }
                if (!ended) {
                    throw cutOff("did not end within " + settings.timeout(), null);
                }
                return new CommandResult(words, process.exitValue(), out.text(), err.text());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw cutOff("was interrupted", e);
            } finally {
                abandon(process);
            }
        }

        private void abandon(Process process) {
            if (mayBeKilled) {
                killTree(process);
            } else {
                closeStreams(process);
            }
        }

        /** Nanoseconds left of the call. */
        private long left() {
            return Math.max(0, deadline - System.nanoTime());
        }

        /** Writes on a thread of its own, since a command that neither reads nor ends would hold up the caller beyond the deadline. */
        private void startInput(Process process) {
            if (input.isEmpty()) {
                writeInput(process);
                return;
            }
            var writer = new Thread(() -> writeInput(process), "stdin-of-" + site);
            writer.setDaemon(true);
            writer.start();
        }

        private void writeInput(Process process) {
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException endedBeforeReading) {
                LOG.debug("Site {}: {} did not read its input", site, words.get(0));
            }
        }

        private Unreachable cutOff(String reason, @org.jspecify.annotations.Nullable Throwable cause) {
            String message = "Site " + site + ": the command (" + DisplayText.of(words.get(0)) + ") " + reason
                    + (mayBeKilled ? " and was stopped" : " and was left to itself")
                    + "; what it should do may have happened.";
            return cause == null ? new Unreachable(message) : new Unreachable(message, cause);
        }
    }

    private static void killTree(Process process) {
        List<ProcessHandle> children = process.descendants().toList();
        // By its handle: Process.destroyForcibly waits for a thread that writes to the standard input.
        process.toHandle().destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        closeStreams(process);
    }

    private static void closeStreams(Process process) {
        for (InputStream stream : List.of(process.getInputStream(), process.getErrorStream())) {
            try {
                stream.close();
            } catch (IOException e) {
                LOG.debug("A stream of a finished command could not be closed", e);
            }
        }
    }
}
