package org.metasched.dag.slurm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Runs each job here, at once, when it is submitted; or keeps it in its queue, or loses it. */
final class LocalSlurm implements SlurmClient {
    static final DagSlurmCommands COMMANDS = DagSlurmCommands.of(List.of("sbatch"));

    /** The process is gone. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    final Set<String> queue = new LinkedHashSet<>();
    final Set<String> neverRuns = new LinkedHashSet<>();
    final Set<String> loses = new LinkedHashSet<>();
    int submissions;
    int killAt = -1;
    boolean diesBefore;
    int refusals;
    int cancelRefusals;
    final List<String> cancelled = new ArrayList<>();
    int silences;
    List<String> last = List.of();

    @Override
    public String run(List<String> words) throws SlurmException {
        if (silences-- > 0) {
            throw new SlurmException("slurm_load_jobs error: Unable to contact slurm controller");
        }
        switch (words.get(0)) {
            case "sbatch":
                return submitted(words);
            case "squeue":
                // The partition is hidden: jobs there are listed for those who ask for all.
                return !words.contains("--all") ? "" : queue(option(words, "--name="));
            default:
                if (cancelRefusals-- > 0) {
                    throw new SlurmException("scancel: error: try later");
                }
                cancelled.add(option(words, "--name="));
                queue.remove(option(words, "--name="));
                return "";
        }
    }

    /** Names; or the number and state of one job. */
    private String queue(String name) {
        return name.isEmpty() ? String.join("\n", queue) + "\n" : queue.contains(name) ? "101 RUNNING\n" : "";
    }

    static String option(List<String> words, String begin) {
        return words.stream()
                .filter(word -> word.startsWith(begin))
                .map(word -> word.substring(begin.length()))
                .findFirst()
                .orElse("");
    }

    private String submitted(List<String> words) throws SlurmException {
        submissions++;
        last = List.copyOf(words);
        if (refusals-- > 0) {
            throw new SlurmException("sbatch: error: try later");
        }
        boolean dies = submissions == killAt;
        if (dies && diesBefore) {
            throw new Killed();
        }
        String name = option(words, "--job-name=");
        if (neverRuns.stream().anyMatch(node -> name.contains("-" + node + "."))) {
            queue.add(name);
        } else if (loses.stream().noneMatch(node -> name.contains("-" + node + "."))) {
            tasks(words);
        }
        if (dies) {
            throw new Killed();
        }
        return Integer.toString(100 + submissions);
    }

    private static void tasks(List<String> words) throws SlurmException {
        String array = option(words, "--array=0-");
        int procs = array.isEmpty() ? 1 : Integer.parseInt(array) + 1;
        try {
            for (int proc = 0; proc < procs; proc++) {
                var builder = new ProcessBuilder("/bin/sh", words.get(words.size() - 1));
                builder.environment().put("SLURM_ARRAY_TASK_ID", Integer.toString(proc));
                builder.start().waitFor();
            }
        } catch (IOException e) {
            throw new SlurmException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
