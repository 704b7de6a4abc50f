package org.metasched.it.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.metasched.it.ClassArchive;

/**
 * A copy of what the documents name, in a folder of its own, with a home and a place for temporary files. {@code metasched} is a
 * script that starts the class path of this test, on a port of its own where the documents say 8080.
 */
final class FreshClone implements AutoCloseable {

    private static final Set<String> LEFT_OUT = Set.of("target", ".git", "src");
    private static final int MINUTES = 3;

    private final Path source;
    private final Path root;
    private final int port;
    private Path tree;
    private final List<Process> background = new ArrayList<>();
    private final List<Path> backgroundPrinted = new ArrayList<>();

    /** How a command ended. */
    record Ended(int exit, List<String> printed) {}

    FreshClone(Path source, Path root) throws IOException {
        this.source = source;
        this.root = root;
        this.tree = Files.createDirectories(root.resolve("clone"));
        Files.createDirectories(root.resolve("tmp"));
        Files.createDirectories(root.resolve("home"));
        try (var any = new ServerSocket(0)) {
            port = any.getLocalPort();
        }
        for (String part : List.of("docs", "examples")) {
            copy(source.resolve(part), tree.resolve(part));
        }
        writeProgram();
        // Packages that are here are not replaced beneath other tests, and a checkout of another user may be cloned.
        Files.writeString(root.resolve("apt.conf"), "APT::Get::Upgrade \"false\";\n");
        Files.writeString(root.resolve("home").resolve(".gitconfig"), "[safe]\n\tdirectory = *\n");
    }

    private void writeProgram() throws IOException {
        Path program = Files.writeString(tree.resolve("metasched"), """
                #!/bin/bash
                words=("$@")
                case "$1 $*" in server\\ *--port* | server\\ server\\ stop*) ;; server\\ *) words+=(--port %d) ;; esac
                exec '%s' %s -Djava.io.tmpdir='%s' -Duser.home='%s' \\
                    -cp "$DOCUMENTED" org.metasched.cli.Main "${words[@]}"
                """.formatted(
                        port,
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        "'" + String.join("' '", ClassArchive.options()) + "'",
                        root.resolve("tmp"),
                        root.resolve("home")));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> paths = Files.list(from)) {
            for (Path path : paths.toList()) {
                String name = path.getFileName().toString();
                if (Files.isDirectory(path) && !LEFT_OUT.contains(name)) {
                    copy(path, to.resolve(name));
                } else if (Files.isRegularFile(path)) {
                    Files.copy(path, to.resolve(name));
                }
            }
        }
    }

    /**
     * Runs a command that installs packages, as root, or one that clones the repository; what comes after runs in that clone, with the same program.
     */
    Ended runOnTheMachine(String command) throws IOException, InterruptedException {
        tree = root;
        var ended = run(command.replaceFirst("^sudo ", ""), Path.of("README.md"), false);
        tree = root.resolve(Files.isDirectory(root.resolve("metasched")) ? "metasched" : "clone");
        writeProgram();
        return ended;
    }

    /** A path as one word of a shell. */
    private static String word(Path path) {
        return path.toString().replace(" ", "\\ ");
    }

    /** Runs in the folder of the document when the command says so by a path that goes up, else at the root. */
    Ended run(String command, Path document, boolean stays) throws IOException, InterruptedException {
        boolean endless = stays || command.endsWith("&");
        String text = command.replaceFirst("\\s*&$", "")
                .replace("8080", String.valueOf(port))
                .replace("/tmp/", word(root.resolve("tmp")) + "/")
                .replace("REPOSITORY", word(source));
        Path folder = command.contains("../../") ? tree.resolve(document).getParent() : tree;
        Path printed = Files.createTempFile(root, "printed", "");
        var builder = new ProcessBuilder("bash", "-c", endless ? "exec " + text : text)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        var environment = builder.environment();
        environment.put("DOCUMENTED", ClassArchive.classPath());
        environment.put("HOME", root.resolve("home").toString());
        environment.put("APT_CONFIG", root.resolve("apt.conf").toString());
        environment.put("DEBIAN_FRONTEND", "noninteractive");
        environment.put("METASCHED_SERVER", "http://127.0.0.1:" + port);
        // Where the live Slurm of test/live is up, documents speak of it.
        if (environment.getOrDefault("METASCHED_LIVE_SCHEDULERS", "").contains("slurm")) {
            environment.put(
                    "SLURM_CONF",
                    environment.getOrDefault("METASCHED_LIVE", "/tmp/metasched-live") + "/slurm/slurm.conf");
        }
        environment.put("PATH", tree + ":" + environment.get("PATH"));
        Process process = builder.start();
        if (endless) {
            background.add(process);
            backgroundPrinted.add(printed);
            if (command.contains("metasched server")) {
                // As pasted: the next command follows at once, and waits itself.
                return new Ended(0, List.of());
            }
            Awaitility.await()
                    .atMost(MINUTES, TimeUnit.MINUTES)
                    .until(() -> Files.size(printed) > 0 || !process.isAlive());
            return new Ended(process.isAlive() ? 0 : process.exitValue(), List.of());
        }
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(command + " has not ended after " + MINUTES + " minutes.");
        }
        return new Ended(process.exitValue(), lines(printed));
    }

    private List<String> lines(Path printed) throws IOException {
        return Files.readAllLines(printed).stream()
                .map(line ->
                        line.replace(root.resolve("tmp").toString(), "/tmp").replace(tree + "/", ""))
                .filter(line -> !line.isBlank())
                .toList();
    }

    /** What the commands in the background have printed, such as why a server has not come up. */
    String printedInBackground() {
        try {
            var all = new StringBuilder();
            for (Path printed : backgroundPrinted) {
                all.append('\n').append(Files.readString(printed));
            }
            return all.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the commands have left where temporary files are. */
    List<String> leftBehind() {
        try (Stream<Path> left = Files.list(root.resolve("tmp"))) {
            return left.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("metasched-") || name.startsWith("jetty"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        // A document that failed half-way has not stopped the server that it started.
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(path -> path.endsWith("server.pid")).toList()) {
                ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0)))
                        .ifPresent(ProcessHandle::destroy);
            }
        }
        background.forEach(process -> {
            process.destroy();
            process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
        });
    }
}
