package org.metasched.adapter.slurm;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.SharedReads;
import org.metasched.adapter.slurm.SlurmOutput.JobLine;
import org.metasched.adapter.slurm.SlurmOutput.NodeLine;
import org.metasched.adapter.slurm.SlurmOutput.Table;

/**
 * Slurm's commands, and the meaning of their refusals. Start and end are given as {@code uts} seconds, the one form that needs no
 * time zone.
 */
final class SlurmCommands extends SlurmOperations {

    private static final String HOLDING_NODES = String.join(",", new TreeSet<>(SlurmOperations.ON_NODES));

    static final List<KnownFailure> KNOWN_FAILURES = List.of(
            KnownFailure.of(
                    Meaning.REFUSED,
                    "",
                    "Requested nodes are busy",
                    "overlaps with another reservation",
                    "Invalid time specified",
                    "Start time cannot be after end time",
                    "Requested node configuration is not available",
                    "Invalid feature specification",
                    "Invalid node name specified",
                    "Duplicate reservation name",
                    "Access denied to requested reservation",
                    "Requested reservation is invalid"),
            KnownFailure.of(
                    Meaning.MISCONFIGURED,
                    "\nMaybe the adapter's account is neither SlurmUser nor an operator, or Slurm does not know the user of the"
                            + " reservation: it says the same of both.",
                    "Invalid user id"),
            KnownFailure.of(
                    Meaning.MISCONFIGURED,
                    "",
                    "Invalid account",
                    "Invalid partition name specified",
                    "Access/permission denied",
                    "Unknown parameter"),
            KnownFailure.of(
                    Meaning.MISCONFIGURED,
                    "\nMaybe slurm.conf is elsewhere: set SLURM_CONF in 'run: environment:'.",
                    // Without its first letter, so that Could and could are found.
                    "ould not establish a configuration source"),
            KnownFailure.of(
                    Meaning.UNCLEAR, "\nMaybe slurmctld is down.", "Unable to contact", "Unexpected message received"));

    SlurmCommands(CommandRunner runner, SharedReads shared, String partition) {
        super(runner, KNOWN_FAILURES, shared, partition);
    }

    @Override
    Table<NodeLine> nodes() throws LocalSchedulerException {
        return shared(List.of("sinfo", "-N", "-p", partition, "-o", SlurmOutput.NODE_FORMAT), SlurmOutput::nodes)
                .requireRows(runner.site(), partition);
    }

    @Override
    Table<JobLine> jobsOnNodes() throws LocalSchedulerException {
        return shared(List.of("squeue", "-a", "-t", HOLDING_NODES, "-o", SlurmOutput.JOB_FORMAT), SlurmOutput::jobs);
    }

    @Override
    Table<JobLine> jobsOfPartition() throws LocalSchedulerException {
        return shared(
                List.of("squeue", "-p", partition, "-t", "PENDING," + HOLDING_NODES, "-o", SlurmOutput.JOB_FORMAT),
                SlurmOutput::jobs);
    }

    @Override
    SlurmReservations reservations() throws LocalSchedulerException {
        return shared(List.of("scontrol", "-a", "-o", "show", "reservation"), SlurmReservations::read);
    }

    @Override
    SlurmReservations reservation(String name) throws LocalSchedulerException {
        CommandResult result = runner.run(List.of("scontrol", "-a", "-o", "show", "reservation", name));
        if (SlurmReservations.saysNotFound(result.out(), name)) {
            return new SlurmReservations(List.of(), List.of());
        }
        failIf(!result.ok(), "", result);
        return understand(result, SlurmReservations::read).only(name);
    }

    @Override
    void create(BookingRequest booking, String users, List<String> nodes, Duration margin)
            throws LocalSchedulerException {
        TimeSlot slot = booking.slot();
        var words = new ArrayList<>(List.of("scontrol", "create", "reservation"));
        words.add("ReservationName=" + booking.name());
        words.add("StartTime=uts" + slot.start().getEpochSecond());
        words.add("EndTime=uts" + slot.end().plus(margin).getEpochSecond());
        words.add("PartitionName=" + partition);
        words.add("Users=" + users);
        booking.project().ifPresent(project -> words.add("Accounts=" + project));
        if (nodes.isEmpty()) {
            words.add("NodeCnt=" + booking.need().count());
            if (!booking.need().properties().isEmpty()) {
                words.add("Features=" + String.join("&", booking.need().properties()));
            }
        } else {
            words.add("Nodes=" + String.join(",", nodes));
        }
        CommandResult result = runner.run(words);
        boolean isMade = result.ok() && result.out().contains("Reservation created: " + booking.name());
        failIf(!isMade, booking.words(), result);
    }

    @Override
    void update(ReservationId id, Optional<Integer> count, Optional<Instant> start, Optional<Instant> end)
            throws LocalSchedulerException {
        var words = new ArrayList<>(List.of("scontrol", "update", "ReservationName=" + id));
        count.ifPresent(nodes -> words.add("NodeCnt=" + nodes));
        start.ifPresent(time -> words.add("StartTime=uts" + time.getEpochSecond()));
        end.ifPresent(time -> words.add("EndTime=uts" + time.getEpochSecond()));
        succeed("changing reservation " + id, words);
    }

    @Override
    boolean delete(String name) throws LocalSchedulerException {
        return isGone(name, runner.run(List.of("scontrol", "delete", "ReservationName=" + name)));
    }

    /**
     * Submits a job, which its reservation holds until the slot begins. From the adapter's environment it gets a path and SLURM_* only;
     * some versions of Slurm add the user's login environment on the node, which takes seconds.
     */
    @Override
    public String submit(Submission job) throws LocalSchedulerException {
        Reservation held = job.reservation();
        var words = new ArrayList<>(List.of("sbatch", "--parsable", "--no-requeue", "--exclusive"));
        words.add("--export=PATH=/usr/local/bin:/usr/bin:/bin");
        words.addAll(
                List.of("--job-name", job.name(), "--reservation", held.id().value(), "--partition", partition));
        job.project().ifPresent(project -> words.addAll(List.of("--account", project)));
        words.addAll(List.of(
                "--nodes",
                String.valueOf(held.granted().amount()),
                "--time",
                String.valueOf(SlurmOperations.minutes(held))));
        words.addAll(List.of("--chdir", job.folder(), "--output", job.folder() + "/job.log", "--open-mode=append"));
        words.addAll(job.command().subList(1, job.command().size()));
        CommandResult result = runner.run(runner.as(job.become(), job.user(), words));
        String id = result.out().strip().replaceFirst(";.*", "");
        failIf(!result.ok() || !id.matches("\\d{1,18}"), "job " + job.name(), result);
        return id;
    }

    @Override
    public Map<String, String> living(Collection<String> names) throws LocalSchedulerException {
        var words = List.of(
                "squeue", "-a", "-h", "-n", String.join(",", names), "-t", "PENDING," + HOLDING_NODES, "-o", "%A %j");
        var ids = new HashMap<String, String>();
        for (String line : read(words, String::lines).toList()) {
            String[] fields = line.strip().split(" ", 2);
            if (fields.length == 2 && names.contains(fields[1])) {
                ids.put(fields[1], fields[0]);
            }
        }
        return ids;
    }

    @Override
    void cancelJobsIn(String name) throws LocalSchedulerException {
        String states = "PENDING," + HOLDING_NODES;
        var listing = List.of("squeue", "-a", "-R", name, "-t", states, "-o", SlurmOutput.JOB_FORMAT);
        List<JobLine> jobs = read(listing, SlurmOutput::jobs).rows();
        if (jobs.isEmpty()) {
            return;
        }
        var words = new ArrayList<>(List.of("scancel"));
        jobs.forEach(job -> words.add(job.id()));
        succeed("ending the jobs of reservation " + name, words);
    }

    private <T> T shared(List<String> words, Function<String, T> reader) throws LocalSchedulerException {
        return shared.get(words, () -> read(words, reader));
    }
}
