package org.metasched.dag.slurm;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Slurm's queue, as far as a DAG's jobs are concerned: each has a name that is used once, by which it is found again. */
record SlurmQueue(SlurmClient client, DagSlurmCommands commands) {

    /** A job in the queue. */
    record Job(String number, boolean isPending) {}

    /** The command that submits a script. The log's name is relative to the directory; its {@code %} are doubled, as Slurm expands them. */
    List<String> submission(String name, Path directory, Path log, List<String> options, Path script) {
        List<String> words = commands.submission();
        words.add("--job-name=" + name);
        words.add("--chdir=" + directory);
        words.add("--output=" + directory.relativize(log).toString().replace("%", "%%"));
        words.add("--open-mode=append");
        words.addAll(options);
        words.add(script.toString());
        return words;
    }

    /**
     * Submits a job.
     *
     * @param submission command of {@link #submission}
     * @return the job's number
     */
    String submit(List<String> submission) throws SlurmException {
        String answer = client.run(submission).strip();
        // On a federation the cluster's name stands behind a semicolon.
        String number = answer.split(";", 2)[0];
        if (!number.matches("\\d{1,18}")) {
            throw new SlurmException("The answer of sbatch (" + answer + ") to ("
                    + submission.get(submission.size() - 1) + ") must be a job's number.");
        }
        return number;
    }

    /** The names of all jobs, those in hidden partitions too. */
    Set<String> names() throws SlurmException {
        return client.run(commands.program("squeue", "--all", "--noheader", "--format=%j"))
                .lines()
                .map(String::strip)
                .collect(Collectors.toSet());
    }

    /** The job of a name while it waits or runs. */
    Optional<Job> find(String name) throws SlurmException {
        return client.run(commands.program("squeue", "--all", "--noheader", "--name=" + name, "--format=%A %T"))
                .lines()
                .map(line -> line.strip().split(" ", 2))
                .filter(words -> words.length == 2 && !words[1].equals("COMPLETING"))
                .map(words -> new Job(words[0], words[1].equals("PENDING")))
                .findFirst();
    }

    /** Removes a job; a job that is gone already is no error, so this may be repeated. */
    void cancel(String name) throws SlurmException {
        client.run(commands.program("scancel", "--name=" + name));
    }
}
