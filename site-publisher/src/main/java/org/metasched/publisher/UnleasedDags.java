package org.metasched.publisher;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Settings;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseStore;

/**
 * DAGs in a site's queue whose directories hold no lease in the site's ledger. Of HTCondor's queue, the jobs with a match of the site
 * count; of Slurm's queue, all runners. Thread-safe.
 */
public final class UnleasedDags {

    /** The command that lists a queue: each line has a directory and a mark. */
    enum Queue {
        /** The mark is the name and the environment of a site, as {@code dag bind} has written them. */
        CONDOR_Q(
                "condor_q -allusers -constraint JobUniverse==7&&MATCH_SiteEnvironment=!=undefined"
                        + " -af:t Iwd MATCH_Name MATCH_SiteEnvironment",
                "\t"),
        /** The mark is the name of the job, which a runner's job has in its own form. */
        SQUEUE("squeue -a -h -o %Z|%j", "\\|");

        private final List<String> words;
        private final String separator;

        Queue(String words, String separator) {
            this.words = List.of(words.split(" "));
            this.separator = separator;
        }
    }

    private final Queue queue;
    private final CommandRunner runner;
    private final SiteAdTemplate template;
    private final LeaseStore leases;

    UnleasedDags(Queue queue, CommandRunner runner, SiteAdTemplate template, LeaseStore leases) {
        this.queue = queue;
        this.runner = runner;
        this.template = template;
        this.leases = leases;
    }

    /** The DAGs in the queue that a {@code publish:} section names; empty if it names none. */
    public static Optional<UnleasedDags> from(
            Settings publish, CommandRunner runner, SiteAdTemplate template, LeaseStore leases) {
        String queue = publish.oneOf("count-queue", "none", "condor_q", "squeue");
        return Optional.of(queue.toUpperCase(Locale.ROOT))
                .filter(name -> !name.equals("NONE"))
                .map(name -> new UnleasedDags(Queue.valueOf(name), runner, template, leases));
    }

    /** The number of these DAGs, by one call of the queue's command. */
    int count() throws LocalSchedulerException {
        Set<String> holders = leases.held().stream().map(Lease::holder).collect(Collectors.toSet());
        return runner.ask(queue.words, answer -> count(answer, holders));
    }

    private int count(CommandResult answer, Set<String> holders) {
        OutputFormatException.throwIf(!answer.ok(), "exited with %s: %s", answer.exit(), answer.words());
        return (int) answer.out()
                .lines()
                .map(line -> line.split(queue.separator))
                .filter(this::isOfThisSite)
                .map(fields -> fields[0])
                .distinct()
                .filter(directory -> !holders.contains(directory))
                .count();
    }

    private boolean isOfThisSite(String[] fields) {
        if (queue == Queue.SQUEUE) {
            return fields.length == 2 && fields[1].matches("metasched-dag-[0-9a-f]{8}");
        }
        return fields.length == 3
                && (fields[1].equalsIgnoreCase(template.name())
                        || fields[2].equals(SiteEnvironment.written(template.environment())));
    }
}
