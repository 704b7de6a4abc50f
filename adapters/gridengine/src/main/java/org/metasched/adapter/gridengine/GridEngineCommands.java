package org.metasched.adapter.gridengine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.SchedulerCommands;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.gridengine.GridEngineOutput.AdvanceReservation;
import org.metasched.adapter.gridengine.GridEngineOutput.QueueInstance;
import org.metasched.adapter.gridengine.GridEngineOutput.SchedulerSettings;

/** Grid Engine's commands, and the meaning of their refusals, of which most are on standard output. */
final class GridEngineCommands extends SchedulerCommands {

    /** The most reservations in one call. */
    private static final int MOST_IN_CALL = 100;

    private static final List<KnownFailure> KNOWN_FAILURES = List.of(
            KnownFailure.of(
                    Meaning.DOWN,
                    "\nMaybe the qmaster is down.",
                    "commlib error",
                    "unable to contact qmaster",
                    "unable to send message to qmaster"),
            KnownFailure.of(
                    Meaning.REFUSED,
                    "",
                    "no suitable queues",
                    "start time is in the past",
                    "start time is later than end time",
                    "unknown resource"),
            KnownFailure.of(
                    Meaning.MISCONFIGURED,
                    "\nMaybe the adapter's account is missing from the userset arusers (qconf -au ACCOUNT arusers).",
                    "must be manager or in userset"),
            KnownFailure.of(
                    Meaning.MISCONFIGURED,
                    "",
                    "parallel environment",
                    "is not known as a user",
                    "SGE_ROOT",
                    "cell directory"));

    private final SiteClock times;
    private final String queue;
    private final String environment;

    /** @param environment the parallel environment that puts a fixed number of slots on each host */
    GridEngineCommands(CommandRunner runner, SiteClock times, String queue, String environment) {
        super(runner, KNOWN_FAILURES);
        this.times = times;
        this.queue = queue;
        this.environment = environment;
    }

    int slotsPerHost() throws LocalSchedulerException {
        Optional<Integer> slots = read(List.of("qconf", "-sp", environment), GridEngineOutput::slotsPerHost);
        return slots.orElseThrow(() -> new Misconfigured("Site " + runner.site() + ": the parallel environment ("
                + environment + ") must put a fixed number of slots on each host, or whole nodes cannot be reserved.\n"
                + "Maybe its allocation_rule should be the number of cores of a node."));
    }

    SchedulerSettings schedulerSettings() throws LocalSchedulerException {
        return read(List.of("qconf", "-ssconf"), GridEngineOutput::schedulerSettings);
    }

    /**
     * Every queue on every host, with the jobs that run there.
     *
     * @throws Misconfigured when the queue is on no host: Grid Engine prints no error for an unknown queue
     */
    List<QueueInstance> queueInstances() throws LocalSchedulerException {
        var instances = read(
                List.of("qstat", "-f", "-u", "*", "-s", "rs", "-r", "-xml"),
                output -> GridEngineOutput.queueInstances(output, times));
        if (instances.stream().noneMatch(instance -> instance.queue().equals(queue))) {
            throw new Misconfigured("Site " + runner.site() + ": the queue (" + queue
                    + ") is on no host.\nMaybe its name is misspelled; \"qconf -sql\" lists what there is.");
        }
        return instances;
    }

    int waitingJobs() throws LocalSchedulerException {
        return read(List.of("qstat", "-u", "*", "-s", "p", "-xml"), GridEngineOutput::waitingJobs);
    }

    /** The hosts of the queue that have all these resources. */
    Set<String> hostsWith(Collection<String> resources) throws LocalSchedulerException {
        CommandResult result =
                runner.run(List.of("qselect", "-q", queue, "-pe", environment, "-l", String.join(",", resources)));
        // qselect prints nothing when no host has them, and also when there is no such resource
        if (!result.ok() && result.out().isBlank() && result.err().isBlank()) {
            return Set.of();
        }
        failIf(!result.ok(), "a request for " + resources, result);
        return understand(result, GridEngineOutput::hosts);
    }

    Map<Long, String> reservationNames() throws LocalSchedulerException {
        return read(List.of("qrstat", "-u", "*", "-xml"), GridEngineOutput::reservationNames);
    }

    /** The reservations of these ids that still exist. */
    List<AdvanceReservation> reservations(Collection<Long> ids) throws LocalSchedulerException {
        var all = new ArrayList<AdvanceReservation>();
        var ordered = new ArrayList<>(new TreeSet<>(ids));
        for (int from = 0; from < ordered.size(); from += MOST_IN_CALL) {
            var batch = ordered.subList(from, Math.min(ordered.size(), from + MOST_IN_CALL));
            String list = String.join(",", batch.stream().map(String::valueOf).toList());
            CommandResult result = runner.run(List.of("qrstat", "-ar", list, "-xml"));
            // qrstat exits with 1 when one of them does not exist, and still shows the others
            boolean answers =
                    result.out().contains("<ar_unknown>") || result.out().contains("<ar_summary>");
            failIf(!result.ok() && !answers, "", result);
            all.addAll(understand(result, output -> GridEngineOutput.reservations(output, times)));
        }
        return all;
    }

    /** Whether Grid Engine would grant the reservation; makes none. */
    boolean wouldGrant(TimeSlot slot, int slots, Collection<String> resources) throws LocalSchedulerException {
        var words = new ArrayList<>(List.of("qrsub", "-w", "v"));
        addRequest(words, slot, slots, resources);
        CommandResult result = runner.run(words);
        // the exit code is 1 also for "found" when a resource was asked for that some hosts lack
        return GridEngineOutput.verdict(result.out() + "\n" + result.err())
                .orElseThrow(() -> failure("asking for " + slots + " slots at " + slot.start(), result));
    }

    /** Makes a reservation; without users in the booking it is for its owner only. */
    void reserve(BookingRequest booking, int slots) throws LocalSchedulerException {
        var words = new ArrayList<>(List.of("qrsub", "-N", booking.name()));
        addRequest(words, booking.slot(), slots, booking.need().properties());
        booking.accessList().ifPresent(users -> words.addAll(List.of("-u", users)));
        booking.project().ifPresent(project -> words.addAll(List.of("-A", project)));
        CommandResult result = runner.run(words);
        failIf(
                !result.ok() || GridEngineOutput.granted(result.out()).isEmpty(),
                "reservation " + booking.name() + " for " + slots + " slots at "
                        + booking.slot().start(),
                result);
    }

    private void addRequest(List<String> words, TimeSlot slot, int slots, Collection<String> resources)
            throws LocalSchedulerException {
        words.addAll(List.of("-a", times.write(slot.start(), GridEngineOutput.ASKED)));
        words.addAll(List.of("-d", String.valueOf(slot.length().toSeconds())));
        words.addAll(List.of("-q", queue, "-pe", environment, String.valueOf(slots)));
        if (!resources.isEmpty()) {
            words.addAll(List.of("-l", String.join(",", resources)));
        }
    }

    @Override
    public String submit(Submission job) throws LocalSchedulerException {
        int slots = job.reservation().granted().amount() * slotsPerHost();
        var words = new ArrayList<>(List.of("qsub", "-terse", "-N", job.name(), "-b", "y", "-r", "n", "-j", "y"));
        job.project().ifPresent(project -> words.addAll(List.of("-A", project)));
        words.addAll(List.of("-ar", job.reservation().id().value(), "-pe", environment, String.valueOf(slots)));
        words.addAll(List.of("-wd", job.folder(), "-o", job.folder() + "/job.log"));
        words.addAll(job.command());
        CommandResult result = runner.run(runner.as(job.become(), job.user(), words));
        String id = result.out().strip();
        failIf(!result.ok() || !id.matches("[1-9]\\d{0,17}"), "job " + job.name(), result);
        return id;
    }

    @Override
    public Map<String, String> living(Collection<String> names) throws LocalSchedulerException {
        Map<String, String> all = read(List.of("qstat", "-u", "*", "-xml"), GridEngineOutput::jobsByName);
        all.keySet().retainAll(names);
        return all;
    }

    @Override
    public List<String> launch() {
        return List.of("qrsh", "-inherit", "-nostdin", "{node}");
    }

    void delete(long id) throws LocalSchedulerException {
        CommandResult result = runner.run(List.of("qrdel", String.valueOf(id)));
        if (!result.ok() && !(result.out() + result.err()).contains("does not exist")) {
            throw failure("giving up reservation " + id, result);
        }
    }

    @Override
    protected String words(CommandResult result) {
        return new CommandResult(result.command(), result.exit(), result.out() + "\n" + result.err(), "").words();
    }
}
