package org.metasched.it;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.metasched.cli.Main;

/** The command line in a process of its own, from the class path of the test. */
public final class CliProcess {

    private static final int CALLS_A_COLLECTION = 50;
    private static final AtomicInteger CALLS = new AtomicInteger();

    private CliProcess() {}

    /** What a command came to. */
    public record Ended(int exit, String out, String err) {}

    /** Not started; a small heap by a JVM option goes into {@code JDK_JAVA_OPTIONS}. */
    public static ProcessBuilder of(String... words) {
        return of(ClassArchive.options(), words);
    }

    /** With these JVM options alone: what is measured runs as it is shipped, without any. */
    static ProcessBuilder of(List<String> options, String... words) {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("-cp", ClassArchive.classPath(), "org.metasched.cli.Main"));
        command.addAll(List.of(words));
        return new ProcessBuilder(command);
    }

    /** A launcher of the command line, as jobs of Slurm start it. */
    public static Path launcher(Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("metasched"), "#!/bin/sh\nexec '" + String.join("' '", of().command()) + "' \"$@\"\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made a program.");
        }
        return file;
    }

    /**
     * Runs a command to its end in this JVM: its start costs more than most commands. The connections of the JDK's HTTP client
     * close when the collector finds it; here, before they are as many as a server takes from one address.
     */
    public static Ended here(String... words) {
        if (CALLS.incrementAndGet() % CALLS_A_COLLECTION == 0) {
            System.gc();
        }
        var out = new StringWriter();
        var err = new StringWriter();
        int exit = Main.execute(out, new PrintWriter(err, true), words);
        return new Ended(exit, out.toString(), err.toString());
    }

    /**
     * Runs a command to its end, which must come within ten minutes.
     *
     * @param folder for what it prints
     * @param environment beside the test's own
     */
    public static Ended run(Path folder, Map<String, String> environment, String... words)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "stdout", "");
        Path err = Files.createTempFile(folder, "stderr", "");
        var builder = of(words).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(10, TimeUnit.MINUTES)) {
                throw new AssertionError(List.of(words) + " did not end; it said " + Files.readString(err));
            }
            return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }
}
