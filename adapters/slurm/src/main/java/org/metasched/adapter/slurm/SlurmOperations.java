package org.metasched.adapter.slurm;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.SchedulerCommands;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.SharedReads;
import org.metasched.adapter.slurm.SlurmOutput.JobLine;
import org.metasched.adapter.slurm.SlurmOutput.NodeLine;
import org.metasched.adapter.slurm.SlurmOutput.Table;

/** Operations of Slurm on one partition, over its commands or slurmrestd. */
abstract class SlurmOperations extends SchedulerCommands {

    /** States in which a job holds nodes. */
    static final Set<String> ON_NODES =
            Set.of(("RUNNING SUSPENDED STOPPED CONFIGURING COMPLETING STAGE_OUT SIGNALING RESIZING").split(" "));

    final SharedReads shared;
    final String partition;

    SlurmOperations(CommandRunner runner, List<KnownFailure> knownFailures, SharedReads shared, String partition) {
        super(runner, knownFailures);
        this.shared = shared;
        this.partition = partition;
    }

    /** The nodes of the partition. */
    abstract Table<NodeLine> nodes() throws LocalSchedulerException;

    /** The jobs that hold nodes, of all partitions. */
    abstract Table<JobLine> jobsOnNodes() throws LocalSchedulerException;

    /** The jobs of the partition that run or wait; the tasks of an array that wait count as one. */
    abstract Table<JobLine> jobsOfPartition() throws LocalSchedulerException;

    /** All reservations. */
    abstract SlurmReservations reservations() throws LocalSchedulerException;

    /** The reservation of a name without use of a snapshot, as a list of one or none. */
    abstract SlurmReservations reservation(String name) throws LocalSchedulerException;

    /**
     * Makes a reservation of any nodes with the request's features, or of named nodes.
     *
     * @param users local users who may use it, with commas between them
     * @param nodes names of the nodes; empty for any
     * @param margin time from the end of the slot to the end of the reservation
     */
    abstract void create(BookingRequest booking, String users, List<String> nodes, Duration margin)
            throws LocalSchedulerException;

    /** Changes the given values of a reservation; an empty value stays as it is. */
    abstract void update(ReservationId id, Optional<Integer> count, Optional<Instant> start, Optional<Instant> end)
            throws LocalSchedulerException;

    /**
     * Deletes a reservation.
     *
     * @return whether it is gone; a reservation with jobs in it stays
     */
    abstract boolean delete(String name) throws LocalSchedulerException;

    /** Ends the jobs of a reservation, waiting ones too. */
    abstract void cancelJobsIn(String name) throws LocalSchedulerException;

    @Override
    public final List<String> launch() {
        return List.of("srun", "-N1", "-n1", "--overlap", "-w", "{node}");
    }

    /** Whether a deletion left no reservation; false if it found jobs in it. */
    final boolean isGone(String name, CommandResult deletion) throws LocalSchedulerException {
        if (deletion.ok() || deletion.err().contains("Requested reservation is invalid")) {
            return true;
        } else if (deletion.err().contains("Requested reservation is in use")) {
            return false;
        }
        throw failure("giving up reservation " + name, deletion);
    }

    /** Time limit, in minutes, of a job that may use its whole reservation. */
    static long minutes(Reservation held) {
        return (held.slot().length().toSeconds() + 59) / 60;
    }
}
