package org.metasched.cli.dag;

import org.metasched.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code metasched dag}: DAGs of jobs, checked and bound to sites. */
@Command(
        name = "dag",
        description = "Checks DAGs, binds them to sites, runs them on Slurm, and sees them to their end.",
        subcommands = {
            DagBindCommand.class,
            DagCheckCommand.class,
            DagQueueCommand.class,
            DagRunCommand.class,
            DagListCommand.class,
            DagStatusCommand.class,
            DagWaitCommand.class,
            DagCancelCommand.class,
            DagResumeCommand.class,
            DagReleaseCommand.class,
            DagRebindCommand.class,
        })
public final class DagCommandGroup extends CommandGroup {}
