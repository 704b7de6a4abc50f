package org.metasched.cli.dag;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.RunSettings;
import org.metasched.dag.slurm.SlurmClient;
import org.metasched.dag.slurm.SlurmException;

/**
 * Slurm's commands as processes on this machine, found in the user's PATH. Of the environment they see where Slurm is configured, and
 * little else, as jobs would inherit it.
 */
final class SlurmProcesses implements SlurmClient {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_BYTES = 64 << 20;

    private final CommandRunner runner;

    SlurmProcesses() {
        List<String> folders = new ArrayList<>();
        for (String folder :
                Optional.ofNullable(System.getenv("PATH")).orElse("").split(":")) {
            if (folder.startsWith("/")) {
                folders.add(folder);
            }
        }
        Map<String, String> environment = new LinkedHashMap<>();
        System.getenv().forEach((name, value) -> {
            if (name.startsWith("SLURM_CONF") || name.startsWith("SBATCH_") || name.equals("TZ")) {
                environment.put(name, value);
            }
        });
        runner = new CommandRunner(
                new SiteId("slurm"),
                new RunSettings(folders, environment, List.of(), PATIENCE, MOST_BYTES, Optional.empty()));
    }

    @Override
    public String run(List<String> words) throws SlurmException {
        try {
            CommandResult result = runner.run(words);
            if (!result.ok()) {
                throw new SlurmException("Slurm refused (" + String.join(" ", words) + "): " + result.words() + ".");
            }
            return result.out();
        } catch (LocalSchedulerException e) {
            throw new SlurmException(String.valueOf(e.getMessage()));
        }
    }
}
