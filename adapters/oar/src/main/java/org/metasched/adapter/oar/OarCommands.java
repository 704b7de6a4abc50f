package org.metasched.adapter.oar;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.BookingRules;
import org.metasched.adapter.booking.SchedulerCommands;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.jobs.SiteJobs;
import org.metasched.adapter.oar.OarOutput.Job;
import org.metasched.adapter.oar.OarOutput.NodeLine;
import org.metasched.adapter.oar.OarOutput.Planned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OAR's commands, and the meaning of their refusals. A reservation belongs to the caller of {@code oarsub}, so that command and
 * {@code oardel} run as the reservation's user, through the words of the setting {@code become}.
 */
final class OarCommands extends SchedulerCommands {

    private static final Logger LOG = LoggerFactory.getLogger(OarCommands.class);

    private static final List<KnownFailure> KNOWN_FAILURES = List.of(
            KnownFailure.of(
                    Meaning.DOWN,
                    "\nMaybe Almighty, OAR's server, or its database is down.",
                    "Cannot connect to executor",
                    "DB connection error"),
            KnownFailure.of(
                    Meaning.REFUSED,
                    "",
                    "Reservation not valid --> KO",
                    "There are not enough resources for your request",
                    "Bad resource request",
                    "[ADMISSION RULE] Error",
                    "Error: "),
            KnownFailure.of(
                    Meaning.MISCONFIGURED,
                    "",
                    "module is available on the system",
                    "runuser: user",
                    "sudo: ",
                    "timeout: ",
                    "env: "));

    /** Time after which an oarsub without an answer is killed: with OAR's database down it would wait forever. */
    private static final Duration OARSUB_LIFE = Duration.ofMinutes(15);

    /** SQL: the job has not ended. */
    private static final String AND_LIVING = " AND state NOT IN ('Error', 'Terminated')";

    private final SiteClock times;
    private final BookingRules rules;
    private final Optional<String> folder;
    private final List<String> become;

    /** @param folder folder of the job directories, if the site runs programs */
    OarCommands(
            CommandRunner runner, SiteClock times, BookingRules rules, Optional<String> folder, List<String> become) {
        super(runner, KNOWN_FAILURES);
        this.times = times;
        this.rules = rules;
        this.folder = folder;
        this.become = List.copyOf(become);
    }

    List<NodeLine> nodes() throws LocalSchedulerException {
        return ask(List.of("oarnodes", "-J"), OarOutput::nodes);
    }

    List<Planned> gantt(TimeSlot span) throws LocalSchedulerException {
        // An hour more on either side, because local times may come twice when summer time ends.
        String from = OarOutput.LOCAL.withZone(times.zone()).format(span.start().minus(Duration.ofHours(1)));
        String to = OarOutput.LOCAL.withZone(times.zone()).format(span.end().plus(Duration.ofHours(1)));
        return ask(List.of("oarstat", "-J", "-g", from + ", " + to), OarOutput::gantt);
    }

    /** Ids of the reservations that OAR has confirmed and not begun. */
    Set<Long> promised() throws LocalSchedulerException {
        return list("reservation = 'Scheduled' AND state = 'Waiting'");
    }

    /** Ids of all jobs in one of these states. */
    Set<Long> inState(String... states) throws LocalSchedulerException {
        return list("state IN ('" + String.join("','", states) + "')");
    }

    private Set<Long> list(String clause) throws LocalSchedulerException {
        return ask(List.of("oarstat", "-J", "--sql", clause), OarOutput::ids);
    }

    /**
     * The jobs of a name.
     *
     * @param name a name of safe characters only, as it becomes part of an SQL clause
     */
    List<Job> jobsNamed(String name) throws LocalSchedulerException {
        return jobs("job_name = '" + name + "'");
    }

    /** The jobs with the prefix of our reservations that have not ended. */
    List<Job> ours() throws LocalSchedulerException {
        return jobs("job_name LIKE '" + rules.namePrefix() + "%'" + AND_LIVING);
    }

    private List<Job> jobs(String clause) throws LocalSchedulerException {
        return ask(List.of("oarstat", "-f", "-J", "--sql", clause), OarOutput::jobs);
    }

    Optional<Job> job(long id) throws LocalSchedulerException {
        return ask(List.of("oarstat", "-f", "-J", "-j", String.valueOf(id)), OarOutput::jobs).stream()
                .filter(job -> job.id() == id)
                .findFirst();
    }

    /**
     * Makes a reservation and waits until OAR has validated it, which takes a fraction of a second or about ten.
     *
     * @param clause SQL clause over the properties of resources, or empty
     */
    void reserve(BookingRequest booking, String clause) throws LocalSchedulerException {
        TimeSlot slot = booking.slot();
        long seconds = slot.length().toSeconds();
        var words = new ArrayList<>(List.of("oarsub", "-n", booking.name(), "-t", "container"));
        booking.project().ifPresent(project -> words.add("--project=" + project));
        words.addAll(List.of("-d", "/", "-O", "/dev/null", "-E", "/dev/null"));
        words.addAll(List.of("-r", times.write(slot.start(), OarOutput.LOCAL)));
        words.addAll(List.of("-l", resources(booking.need().count(), seconds)));
        if (!clause.isEmpty()) {
            words.addAll(List.of("-p", clause));
        }
        words.add(containerCommand(booking, seconds));
        // A reservation whose oarsub is killed before it has the answer stays unacknowledged, holds its nodes and
        // cannot be deleted. An oarsub that cannot print the answer deletes its job itself.
        var bounded = new ArrayList<>(List.of("timeout", String.valueOf(OARSUB_LIFE.toSeconds())));
        bounded.addAll(runner.as(become, booking.user(), words));
        CommandResult result = runner.runUnkilled(bounded);
        failIf(!result.ok() || !OarOutput.saysValid(result.out()), booking.words(), result);
    }

    /**
     * The command of the reserved job: holds the nodes for jobs inside it, and runs the reservation's program as soon as its directory is
     * complete.
     */
    private String containerCommand(BookingRequest booking, long seconds) {
        String hold = "sleep " + seconds;
        return folder.map(jobs -> "sh -c '" + hold + " & cd; until [ -f " + jobs + "/" + SiteJobs.name(booking.key())
                        + "/output ]; do kill -0 $! || exit 0; sleep 1; done; cd " + jobs + "/"
                        + SiteJobs.name(booking.key()) + " && sh job.sh \"$PWD\" > job.log 2>&1; wait'")
                .orElse(hold);
    }

    /** Makes OAR's scheduler run now; by itself it runs once a minute. */
    void wake(List<String> words) {
        try {
            runner.run(words);
        } catch (LocalSchedulerException e) {
            LOG.warn("OAR was not woken: {}", e.getMessage());
        }
    }

    /** The id of the reserved job, which runs the program itself: a job inside it would begin up to a minute later. */
    @Override
    public String submit(Submission job) {
        return job.reservation().id().value();
    }

    private static String resources(int nodes, long seconds) {
        return "nodes=" + nodes + ",walltime=" + seconds / 3600 + ":" + seconds / 60 % 60 + ":" + seconds % 60;
    }

    @Override
    public Map<String, String> living(Collection<String> names) throws LocalSchedulerException {
        var wanted = names.stream()
                .collect(Collectors.toMap(name -> rules.nameOf(SiteJobs.keyOf(name)), Function.identity()));
        return jobs("job_name IN ('" + String.join("','", wanted.keySet()) + "')" + AND_LIVING).stream()
                .filter(job -> wanted.containsKey(job.name()))
                .collect(Collectors.toMap(
                        job -> wanted.get(job.name()), job -> String.valueOf(job.id()), (one, other) -> other));
    }

    @Override
    public List<String> launch() {
        return List.of("oarsh", "{node}");
    }

    /** Asks OAR to end a job; OAR ends it a few seconds later. */
    void delete(long id, Optional<String> owner) throws LocalSchedulerException {
        CommandResult result = runner.run(runner.as(become, owner, List.of("oardel", String.valueOf(id))));
        String output = result.out() + result.err();
        if (result.ok() || output.contains("already killed")) {
            return;
        } else if (output.contains("not the right user")) {
            throw new Misconfigured("Site " + runner.site() + " cannot give up reservation " + id + ": " + words(result)
                    + ".\nMaybe the setting 'become' does not lead to the user " + owner.orElse("of the adapter")
                    + ".");
        }
        throw failure("giving up reservation " + id, result);
    }

    private <T> T ask(List<String> words, Function<String, T> reader) throws LocalSchedulerException {
        CommandResult result = runner.run(words);
        failIf(!result.ok() || result.out().isEmpty() && !result.err().isBlank(), "", result);
        // oarstat -J prints nothing if it has nothing to show; if it fails it prints an error, and its exit code is not
        // 0.
        return understand(result, printed -> reader.apply(printed.isEmpty() ? OarOutput.NO_JOBS : printed));
    }

    @Override
    protected Refused refused(String message, String output) {
        Optional<Instant> possible = OarOutput.possibleStart(output, times);
        return new Refused(message + maybe(output, possible), possible);
    }

    private static String maybe(String output, Optional<Instant> possible) {
        if (possible.isPresent()) {
            return "\nMaybe from " + possible.get() + ".";
        } else if (output.contains("waiting advance reservations")) {
            return "\nMaybe the user is missing from OAR's unlimited_reservation.users.";
        }
        return "";
    }

    /** The output of both streams: OAR refuses on standard output and explains the refusal on standard error. */
    @Override
    protected String words(CommandResult result) {
        String output = (result.out() + "\n" + result.err())
                .lines()
                .filter(line ->
                        !line.contains("is granted the privilege") && !line.contains("Modify resource description"))
                .filter(line -> !line.startsWith("OAR_JOB_ID=") && !line.startsWith("Reservation mode"))
                .reduce("", (one, other) -> one + "\n" + other);
        List<String> command = result.command();
        String program = command.stream()
                .filter(word -> word.startsWith("oar"))
                .findFirst()
                .orElse(command.get(0));
        return new CommandResult(List.of(program), result.exit(), output, "").words();
    }
}
