package org.metasched.cli.install;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A kind of local scheduler, the command by which it is found on this machine, and what its adapter has to be told. */
enum FoundScheduler {
    SLURM("slurm", "sinfo", "partition", "sinfo -h -o %P"),
    OAR("oar", "oarnodes", "", ""),
    GRIDENGINE("gridengine", "qhost", "queue", "qconf -sql"),
    PBS("pbs", "pbsnodes", "", ""),
    /** Where there is none: good for a look. */
    SIMULATED("simulated", "", "", "");

    private static final int PATIENCE_SECONDS = 10;

    private final String type;
    private final String command;
    private final String setting;
    private final String choices;

    FoundScheduler(String type, String command, String setting, String choices) {
        this.type = type;
        this.command = command;
        this.setting = setting;
        this.choices = choices;
    }

    /** Those whose command lies in one of the folders, and the simulated one at the end. */
    static List<FoundScheduler> in(String path) {
        List<Path> folders = Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .toList();
        return Arrays.stream(values())
                .filter(kind -> kind == SIMULATED
                        || folders.stream().anyMatch(folder -> Files.isExecutable(folder.resolve(kind.command))))
                .toList();
    }

    String type() {
        return type;
    }

    String command() {
        return command;
    }

    /** The name of the one setting that the adapter cannot do without; empty if there is none. */
    String setting() {
        return setting;
    }

    /** What the setting may be, the scheduler's own default first; empty when it does not say. */
    List<String> choices() throws InterruptedException {
        if (choices.isEmpty()) {
            return List.of();
        }
        return printed(choices.split(" ")).stream()
                .sorted((a, b) -> Boolean.compare(b.endsWith("*"), a.endsWith("*")))
                .map(line -> line.replace("*", "").strip())
                .filter(line -> line.matches("[A-Za-z0-9_.@-]+"))
                .toList();
    }

    /** The lines under {@code scheduler:}, for a user of the machine where nobody is mapped. */
    List<String> lines(String value) throws InterruptedException {
        return switch (this) {
            case SLURM -> List.of("type: slurm", "partition: " + value);
            case GRIDENGINE ->
                List.of(
                        "type: gridengine",
                        "queue: " + value,
                        "parallel-environment: "
                                + printed("qconf", "-spl").stream().findFirst().orElse("CHANGE-ME"));
            case OAR, PBS -> List.of("type: " + type);
            case SIMULATED -> List.of("type: simulated", "nodes: 16");
        };
    }

    private static List<String> printed(String... words) throws InterruptedException {
        try {
            var process = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return List.of();
            }
            byte[] text = process.getInputStream().readNBytes(1 << 16);
            return new String(text, StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
