package org.metasched.cli.install;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;

/** A kind of local scheduler, the command by which it is found on this machine, and the settings that its adapter needs. */
enum FoundScheduler {
    SLURM("slurm", "sinfo", "partition", "sinfo -h -o %P"),
    OAR("oar", "oarnodes", "", ""),
    GRIDENGINE("gridengine", "qhost", "queue", "qconf -sql"),
    PBS("pbs", "pbsnodes", "", ""),
    /** A simulated scheduler, for a machine without any. */
    SIMULATED("simulated", "", "", "");

    /** The words by which an adapter becomes the user of a reservation. */
    private static final String BECOME = "[sudo, -n, -u, '{user}', --]";
    /** Where PBS installs its commands, outside the usual path. */
    private static final String PBS_FOLDERS = "/opt/pbs/bin:/usr/pbs/bin";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** The greatest output of a command that is read. */
    private static final int MOST_BYTES = 1 << 20;
    /** The variables by which a scheduler's commands find it. */
    private static final Set<String> FINDS_SCHEDULER =
            Set.of("SLURM_CONF", "SGE_ROOT", "SGE_CELL", "SGE_QMASTER_PORT", "SGE_EXECD_PORT", "PBS_CONF_FILE");

    final String type;
    final String command;
    /** The name of the one setting that the adapter cannot do without; empty if there is none. */
    final String setting;

    /** The command that prints possible values of the setting; may be empty. */
    private final String choices;

    FoundScheduler(String type, String command, String setting, String choices) {
        this.type = type;
        this.command = command;
        this.setting = setting;
        this.choices = choices;
    }

    /** The schedulers whose command lies in one of the folders, and the simulated one at the end. */
    static List<FoundScheduler> in(String path) {
        List<Path> folders = folders(path).stream().map(Path::of).toList();
        return Arrays.stream(values())
                .filter(kind -> kind == SIMULATED
                        || folders.stream().anyMatch(folder -> Files.isExecutable(folder.resolve(kind.command))))
                .toList();
    }

    private static List<String> folders(String path) {
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .toList();
    }

    /** The variables of an environment by which commands find their scheduler; adapters pass no others on. */
    static SortedMap<String, String> schedulerVariables(Map<String, String> environment) {
        var variables = new TreeMap<>(environment);
        variables.keySet().retainAll(FINDS_SCHEDULER);
        return variables;
    }

    /** Possible values of the setting, the scheduler's own default first; empty when the scheduler does not say. */
    List<String> choices(Map<String, String> environment) {
        if (choices.isEmpty()) {
            return List.of();
        }
        return printed(environment, List.of(choices.split(" "))).stream()
                .sorted((a, b) -> Boolean.compare(b.endsWith("*"), a.endsWith("*")))
                .map(line -> line.replace("*", "").strip())
                .filter(line -> line.matches("[A-Za-z0-9_.@-]+"))
                .toList();
    }

    /**
     * The lines under {@code scheduler:} by which the adapter finds the scheduler.
     *
     * @param value value of {@link #setting}
     */
    List<String> lines(String value, Map<String, String> environment) {
        return switch (this) {
            case SLURM -> List.of("type: slurm", "partition: " + value);
            case GRIDENGINE ->
                List.of(
                        "type: gridengine",
                        "queue: " + value,
                        "parallel-environment: "
                                + printed(environment, List.of("qconf", "-spl")).stream()
                                        // Every node has the same number of processes.
                                        .filter(name -> printed(environment, List.of("qconf", "-sp", name)).stream()
                                                .anyMatch(line -> line.matches("allocation_rule\\s+[1-9]\\d*\\s*")))
                                        .findFirst()
                                        .orElse("CHANGE-ME"));
            case OAR, PBS -> List.of("type: " + type);
            case SIMULATED -> List.of("type: simulated", "nodes: 16");
        };
    }

    /** Whether root can make no reservation, so that an account of another name has to. */
    boolean refusesRoot() {
        return this == PBS || this == OAR;
    }

    /** More lines under {@code scheduler:}: whether programs run, and the words that make the user of a reservation their owner. */
    List<String> programLines(boolean programs, boolean ownAccount) {
        boolean becomes = !ownAccount && this != PBS && this != SIMULATED;
        var lines = new ArrayList<String>();
        if (this == OAR && becomes) {
            lines.add("become: " + BECOME);
        }
        String become = becomes && this != OAR ? ", become: " + BECOME : "";
        lines.add((programs ? "" : "#") + "programs: {folder: .metasched" + become
                + "}    # runs the programs of offers; keys: docs/adapter-guide.md");
        return lines;
    }

    /** More of {@code run:}: the folder of the commands if it is an unusual one, and the user who runs them instead of root. */
    String runSettings(Map<String, String> environment, Optional<String> user) {
        var folders = new ArrayList<>(folders(environment.getOrDefault("PATH", "")));
        if (this == PBS) {
            folders.addAll(folders(PBS_FOLDERS));
        }
        String path = folders.stream()
                .filter(folder -> !command.isEmpty() && Files.isExecutable(Path.of(folder, command)))
                .findFirst()
                .filter(folder -> !folder.matches("(/usr(/local)?)?/s?bin"))
                .map(folder -> ", path: ['" + folder.replace("'", "''") + "']")
                .orElse("");
        return path
                + user.filter(name -> this == PBS)
                        .map(name -> ", prefix: [sudo, -n, -u, " + name + "]")
                        .orElse("");
    }

    /** The lines that a command of a scheduler prints; none if it fails. */
    private static List<String> printed(Map<String, String> environment, List<String> words) {
        List<String> path = folders(environment.getOrDefault("PATH", ""));
        Map<String, String> variables = schedulerVariables(environment);
        var settings = new RunSettings(path, variables, List.of(), TIMEOUT, MOST_BYTES, Optional.empty());
        try {
            return new CommandRunner(new SiteId("here"), settings)
                    .run(words)
                    .out()
                    .lines()
                    .toList();
        } catch (LocalSchedulerException e) {
            return List.of();
        }
    }
}
