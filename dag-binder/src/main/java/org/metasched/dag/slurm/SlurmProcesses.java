package org.metasched.dag.slurm;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;

/**
 * Commands of Slurm, and of HTCondor, as processes on this machine, found in the folders of the user's {@code PATH}. Of the environment
 * they get {@code SLURM_CONF*}, {@code SBATCH_*}, {@code CONDOR_CONFIG}, {@code TZ} and little else. A command is killed after 60 s or 64
 * MiB of output. Thread-safe.
 */
public final class SlurmProcesses implements SlurmClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MOST_BYTES = 64 << 20;

    private final CommandRunner runner;

    /** A client with the environment of this process. */
    public SlurmProcesses() {
        this(System.getenv());
    }

    /** @param environment variables of the user, of which only absolute folders in {@code PATH} and the variables above count */
    public SlurmProcesses(Map<String, String> environment) {
        List<String> path = folders(environment.getOrDefault("PATH", ""));
        Map<String, String> variables = configuration(environment);
        var settings = new RunSettings(path, variables, List.of(), TIMEOUT, MOST_BYTES, Optional.empty());
        runner = new CommandRunner(new SiteId("slurm"), settings);
    }

    private static List<String> folders(String path) {
        return Stream.of(path.split(":"))
                .filter(folder -> folder.startsWith("/"))
                .toList();
    }

    /** The variables by which the commands find their configuration. */
    static Map<String, String> configuration(Map<String, String> environment) {
        var seen = new LinkedHashMap<>(environment);
        seen.keySet().removeIf(name -> !name.matches("SLURM_CONF.*|SBATCH_.*|TZ|CONDOR_CONFIG"));
        return seen;
    }

    @Override
    public String run(List<String> words) throws SlurmException {
        try {
            CommandResult result = runner.run(words);
            if (!result.ok()) {
                throw new SlurmException((words.get(0).startsWith("condor_") ? "HTCondor" : "Slurm") + " refused ("
                        + String.join(" ", words) + "): " + result.words() + ".");
            }
            return result.out();
        } catch (LocalSchedulerException e) {
            throw new SlurmException(String.valueOf(e.getMessage()));
        }
    }
}
