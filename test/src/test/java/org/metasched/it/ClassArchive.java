package org.metasched.it;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.cli.Main;

/**
 * An archive of loaded classes (AppCDS), with which a command that a test starts needs two thirds of the processor time until it works. It
 * holds for jars only, as Maven's verify has them; where the program comes from folders of classes there is none. The first JVM that wants it
 * makes it, in {@code target}; others wait.
 */
public final class ClassArchive {

    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"));
    private static final Path FILE = FOLDER.resolve("commands.jsa");
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final List<String> FAST = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
    private static final String CONFIGURATION = """
            port: 0
            data: %s
            drain: 1s
            sites: [{site: s, scheduler: {type: simulated, nodes: 2}}]
            """;

    private ClassArchive() {}

    private static final class Holder {
        private static final List<String> OPTIONS = made();
    }

    /** For JVMs that run commands: what starts them fast. */
    public static List<String> options() {
        return Holder.OPTIONS;
    }

    /** Of commands: that of the test, without its folders where the program is in jars. */
    public static String classPath() {
        var all = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator));
        return all.filter(entry -> !isInJars() || Files.isRegularFile(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isInJars() {
        return Main.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath()
                .endsWith(".jar");
    }

    private static List<String> made() {
        if (!isInJars()) {
            return FAST;
        }
        try (var lock = FileChannel.open(
                FOLDER.resolve("commands.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock();
            if (!isFresh()) {
                make();
            }
        } catch (IOException e) {
            System.err.println("ClassArchive: commands start without one: " + e);
            return FAST;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAST;
        }
        var options = new ArrayList<>(FAST);
        // As the launchers say it: a JVM that cannot use the archive does not talk about it.
        options.addAll(List.of("-XX:SharedArchiveFile=" + FILE, "-Xlog:disable", "-Xlog:all=error:stderr"));
        return List.copyOf(options);
    }

    private static boolean isFresh() throws IOException {
        if (!Files.exists(FILE)) {
            return false;
        }
        var made = Files.getLastModifiedTime(FILE);
        return Stream.of(classPath().split(File.pathSeparator)).allMatch(jar -> {
            try {
                return Files.getLastModifiedTime(Path.of(jar)).compareTo(made) < 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void make() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(FOLDER, "archive");
        Path configuration =
                Files.writeString(folder.resolve("server.yaml"), CONFIGURATION.formatted(folder.resolve("data")));
        Path called = folder.resolve("called");
        Path served = folder.resolve("served");
        var server = program(served, "server", "--config", configuration.toString());
        String address = server.inputReader().readLine();
        ended(program(called, "sites", "--server", String.valueOf(address)));
        server.destroy();
        ended(server);

        // Lists of several runs disagree about the numbers of classes; classes of other loaders need them.
        Set<String> classes = new LinkedHashSet<>();
        for (Path list : List.of(called, served)) {
            for (String line : Files.readAllLines(list)) {
                if (!line.contains(" source: ")) {
                    classes.add(line.replaceAll(" id: [0-9].*", ""));
                }
            }
        }
        Path names = Files.write(folder.resolve("classes"), classes);
        Path archive = folder.resolve("archive");
        var words = new ArrayList<>(List.of(JAVA, "-Xshare:dump", "-XX:+UseSerialGC"));
        words.addAll(List.of("-XX:SharedClassListFile=" + names, "-XX:SharedArchiveFile=" + archive));
        words.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr", "-cp", classPath()));
        ended(started(words));
        Files.move(archive, FILE, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Process program(Path list, String... words) throws IOException {
        var all = new ArrayList<>(List.of(JAVA));
        all.addAll(FAST);
        all.addAll(List.of("-XX:DumpLoadedClassList=" + list, "-cp", classPath(), Main.class.getName()));
        all.addAll(List.of(words));
        return started(all);
    }

    private static Process started(List<String> words) throws IOException {
        return new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void ended(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(10, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IOException("A JVM that helps to make it does not end.");
        }
    }
}
