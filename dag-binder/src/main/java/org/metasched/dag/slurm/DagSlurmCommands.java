package org.metasched.dag.slurm;

import java.util.ArrayList;
import java.util.List;

/**
 * Command lines of Slurm's programs, made from the user's words for {@code sbatch}: the other programs lie in the same folder and
 * need the same words before them. Immutable.
 *
 * @param before words before the program, as in {@code sudo -u alice}
 * @param folder folder of the programs with its slash; empty if they are looked up
 * @param options options for every job, as in {@code --partition=x}
 */
public record DagSlurmCommands(List<String> before, String folder, List<String> options) {

    private static final String SBATCH = "sbatch";

    public DagSlurmCommands {
        before = List.copyOf(before);
        options = List.copyOf(options);
    }

    /**
     * The commands for the user's words.
     *
     * @param words as in {@code [sbatch, --partition=x]}
     * @throws IllegalArgumentException if none of them is the program sbatch
     */
    public static DagSlurmCommands of(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals(SBATCH) || word.endsWith("/" + SBATCH)) {
                String folder = word.substring(0, word.length() - SBATCH.length());
                return new DagSlurmCommands(words.subList(0, i), folder, words.subList(i + 1, words.size()));
            }
        }
        throw new IllegalArgumentException("The command (" + String.join(",", words)
                + ") must have the program sbatch among its words.\nMaybe sbatch,--partition=NAME was meant.");
    }

    /** The words of a submission before the options of the job. */
    List<String> submission() {
        List<String> words = program(SBATCH);
        words.addAll(options);
        words.add("--parsable");
        return words;
    }

    /** The words that call another program of Slurm. */
    List<String> program(String name, String... arguments) {
        List<String> words = new ArrayList<>(before);
        words.add(folder + name);
        words.addAll(List.of(arguments));
        return words;
    }
}
