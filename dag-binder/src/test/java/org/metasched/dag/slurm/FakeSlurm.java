package org.metasched.dag.slurm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A Slurm that numbers jobs from 101, keeps them in its queue until told otherwise, and refuses when told. */
final class FakeSlurm implements SlurmClient {

    static final SlurmCommands COMMANDS = SlurmCommands.of(List.of("sbatch"));

    final List<List<String>> commands = new ArrayList<>();
    final Map<String, List<String>> submissions = new LinkedHashMap<>();
    final Set<String> queue = new LinkedHashSet<>();
    String refusedName = "";
    String killedAt = "";
    boolean refusesToCancel;
    int silentLooks;
    private int next = 101;

    @Override
    public String run(List<String> words) throws SlurmException {
        commands.add(List.copyOf(words));
        switch (words.get(0)) {
            case "sbatch":
                return submitted(words);
            case "squeue":
                if (silentLooks > 0) {
                    silentLooks--;
                    throw new SlurmException("squeue: Unable to contact slurm controller");
                }
                return String.join("\n", queue) + "\n";
            case "scancel":
                if (refusesToCancel) {
                    throw new SlurmException("scancel: no");
                }
                queue.removeAll(words);
                return "";
            default:
                return "";
        }
    }

    private String submitted(List<String> words) throws SlurmException {
        String name = option(words, "--job-name=");
        if (name.equals(killedAt)) {
            throw new IllegalStateException("killed");
        }
        if (name.equals(refusedName)) {
            throw new SlurmException("sbatch: error: Batch job submission failed");
        }
        String id = Integer.toString(next++);
        submissions.put(name, words);
        queue.add(id);
        return id + "\n";
    }

    static String option(List<String> words, String begin) {
        return words.stream()
                .filter(word -> word.startsWith(begin))
                .map(word -> word.substring(begin.length()))
                .findFirst()
                .orElse("");
    }

    /** What a job waits for. */
    String waitsFor(String name) {
        return option(submissions.get(name), "--dependency=");
    }

    List<String> ran(String program) {
        return commands.stream()
                .filter(words -> words.get(0).equals(program))
                .map(words -> String.join(" ", words))
                .toList();
    }
}
