package org.metasched.adapter.pbs;

import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.SchedulerCommands;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.NamedFields;
import org.metasched.adapter.command.SiteClock;

/**
 * The PBS commands that the adapter needs, and the meaning of their failures. An exit code is the low byte of the server's error number; a
 * code of 152 or more is an error of the server, which then did nothing. A denied {@code pbs_rsub} and {@code pbs_rstat} of an unknown id
 * both exit with 0. Thread-safe.
 */
final class PbsCommands extends SchedulerCommands {

    /** A time with its date: PBS would read an {@code hhmm} that has passed as tomorrow's. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmm.ss", Locale.ROOT);

    private static final Pattern PROPERTY = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}(=[A-Za-z0-9_.-]{1,64})?");
    private static final String UNKNOWN_RESERVATION = "Unknown Reservation Id";
    private static final Pattern NO_CONNECTION = Pattern.compile(
            "(?is).*(cannot connect to server|connection refused|connection reset|connection timed out|end of file"
                    + "|protocol.*error|no server|cannot connect to specified server|could not connect).*");
    private static final Pattern NO_RIGHT =
            Pattern.compile("(?is).*(Bad effective UID|Bad UID|Unauthorized Request|not authorized|Invalid credential"
                    + "|Access from host not allowed).*");
    /** Refusals whose error number has a small low byte. */
    private static final Pattern NO_CHANGE =
            Pattern.compile("(?s).*(Reservation not empty|a subset of the original chunks).*");
    /** Low byte of the server's least error number. */
    private static final int LEAST_SERVER_ERROR = 15_000 & 255;
    /** Exit codes without an answer to the request: system error, internal error, protocol error, no connection, no server. */
    private static final Set<Integer> NO_ANSWER = Set.of(162, 163, 183, 185, 186, 255);

    private static final int BAD_USAGE = 2;
    /** Marks commands that PBS may refuse; all others are questions. */
    private static final String REFUSABLE = "refusable";

    private final PbsSettings settings;
    private final SiteClock times;
    private final PbsOutput output;

    PbsCommands(CommandLineSite site, PbsSettings settings) {
        super(site.runner(), List.of());
        this.settings = settings;
        this.times = site.times();
        this.output = new PbsOutput(site.times());
    }

    /**
     * {@code pbs_rsub}. The negative {@code -I} makes the server withdraw the request when it is not confirmed in time.
     *
     * @throws Refused when the server said no at once
     */
    PbsOutput.Submitted reserve(BookingRequest booking) throws LocalSchedulerException {
        TimeSlot slot = booking.slot();
        var words = new ArrayList<>(List.of(
                "pbs_rsub", "-I", String.valueOf(-settings.confirmWithin().toSeconds())));
        words.addAll(List.of("-R", times.write(slot.start(), TIME), "-E", times.write(slot.end(), TIME)));
        words.addAll(List.of("-l", "select=" + select(booking.need()), "-l", place(), "-N", booking.name()));
        booking.accessList().ifPresent(names -> words.addAll(List.of("-U", names)));
        return understand(succeed(REFUSABLE, words), output::submitted);
    }

    /**
     * {@code pbs_ralter} of the values that differ from the held reservation.
     *
     * @throws Refused when the server said no at once
     */
    PbsOutput.Submitted alter(Reservation held, Need.Nodes need, TimeSlot slot) throws LocalSchedulerException {
        var words = new ArrayList<>(List.of(
                "pbs_ralter", "-I", String.valueOf(settings.confirmWithin().toSeconds())));
        if (!slot.start().equals(held.slot().start())) {
            words.addAll(List.of("-R", times.write(slot.start(), TIME)));
        }
        if (!slot.end().equals(held.slot().end())) {
            words.addAll(List.of("-E", times.write(slot.end(), TIME)));
        }
        if (need.count() != held.granted().amount()) {
            words.addAll(List.of("-l", "select=" + select(need)));
        }
        words.add(held.id().value());
        return understand(succeed(REFUSABLE, words), output::altered);
    }

    private String place() {
        return "place=" + settings.place() + (settings.exclusive() ? ":excl" : "");
    }

    private static String select(Need.Nodes need) throws Refused {
        // PBS takes a resource once only, and a need may have it in both forms.
        var words = new LinkedHashSet<>(List.of(need.count() + ":ncpus=" + need.coresPerNode()));
        for (String property : need.properties()) {
            if (!PROPERTY.matcher(property).matches() || property.startsWith("ncpus")) {
                throw new Refused("The node property (" + DisplayText.of(property)
                        + ") is not a PBS resource of the form name or name=value.");
            }
            words.add(property.contains("=") ? property : property + "=True");
        }
        return String.join(":", words);
    }

    /** {@code qsub} into the reservation's queue, which has its name up to the first dot. */
    @Override
    public String submit(Submission job) throws LocalSchedulerException {
        var reservation = job.reservation();
        var need = reservation
                .granted()
                .asNodes()
                .orElseThrow(() -> new Refused("Site " + runner.site() + ": only nodes run programs."));
        var words = new ArrayList<>(List.of("qsub", "-N", job.name(), "-r", "n", "-j", "oe"));
        job.project().ifPresent(project -> words.addAll(List.of("-A", project)));
        words.addAll(List.of("-q", reservation.id().value().replaceFirst("\\..*", "")));
        words.addAll(List.of("-l", "select=" + select(need), "-l", place()));
        words.addAll(List.of("-l", "walltime=" + reservation.slot().length().toSeconds()));
        // The login shell reads the user's profile, as qsub does for a script but not for a command.
        words.addAll(List.of("-o", job.folder() + "/job.log", "--", "/bin/sh", "-l"));
        words.addAll(job.command().subList(1, job.command().size()));
        CommandResult result = runner.run(runner.as(job.become(), job.user(), words));
        failIf(!result.ok() || result.out().isBlank(), REFUSABLE, result);
        return result.out().strip();
    }

    @Override
    public Map<String, String> living(Collection<String> names) throws LocalSchedulerException {
        var ids = new HashMap<String, String>();
        for (String name : names) {
            read(List.of("qselect", "-N", name), String::lines).findFirst().ifPresent(id -> ids.put(name, id.strip()));
        }
        return ids;
    }

    @Override
    public List<String> launch() {
        return List.of("pbs_tmrsh", "{node}");
    }

    /** {@code pbs_rdel}; a reservation that the server does not know is gone already. */
    void delete(String id) throws LocalSchedulerException {
        CommandResult result = runner.run(List.of("pbs_rdel", id));
        failIf(!result.ok() && !result.err().contains(UNKNOWN_RESERVATION), "", result);
    }

    /** {@code pbs_rstat -f ID}; empty if the server does not know it. */
    Optional<PbsOutput.Resv> reservation(String id) throws LocalSchedulerException {
        CommandResult result = runner.run(List.of("pbs_rstat", "-f", id));
        if (result.out().isBlank() && result.err().contains(UNKNOWN_RESERVATION)) {
            return Optional.empty();
        }
        List<PbsOutput.Resv> all = reservations(result);
        if (all.size() != 1 || !all.get(0).id().equals(id)) {
            throw new Unreachable("Site " + runner.site() + ": asked for reservation " + id + ", pbs_rstat showed "
                    + all.size() + " others (" + result.words() + ").");
        }
        return Optional.of(all.get(0));
    }

    /** {@code pbs_rstat -f}: all reservations. */
    List<PbsOutput.Resv> reservations() throws LocalSchedulerException {
        return reservations(runner.run(List.of("pbs_rstat", "-f")));
    }

    private List<PbsOutput.Resv> reservations(CommandResult result) throws LocalSchedulerException {
        // With exit 0 its own words on stderr still mean that the list is not whole; those of sudo or ssh do not.
        failIf(!result.ok() || result.err().contains("pbs_rstat:"), "", result);
        return understand(result, output::reservations);
    }

    /** {@code pbsnodes -a -v}: virtual nodes; without {@code -v} a host of several virtual nodes is one node with mixed values. */
    List<PbsOutput.Vnode> nodes() throws LocalSchedulerException {
        var words = List.of("pbsnodes", "-a", "-v");
        return settings.json() ? json(words, "nodes", name -> true, output::vnode) : read(words, output::nodesFromText);
    }

    /**
     * {@code qstat -f}: an array is one record of any size. With the server down the command prints an object without jobs, and its exit
     * code is not 0.
     */
    List<PbsJob> jobs() throws LocalSchedulerException {
        var words = List.of("qstat", "-f");
        return settings.json()
                ? json(words, "Jobs", PbsJob.KEYS::contains, fields -> PbsJob.of(fields, output))
                : read(words, output::jobsFromText);
    }

    private <T> List<T> json(List<String> words, String key, Predicate<String> wanted, Function<NamedFields, T> reader)
            throws LocalSchedulerException {
        var all = new ArrayList<>(words);
        all.addAll(List.of("-F", "json"));
        return runner.stream(all, failed -> failure("", failed), stream -> PbsJson.read(stream, key, wanted, reader));
    }

    /**
     * The exception for a failed command. Only {@code pbs_rsub}, {@code pbs_ralter} and {@code qsub} can be refused; a refusal of another
     * command is unexpected, and counts as no answer.
     *
     * @param what not empty for a command that can be refused; not part of the message
     */
    @Override
    protected LocalSchedulerException failure(String what, CommandResult result) {
        String message = "Site " + runner.site() + ": " + result.words() + ".";
        String output = result.err() + result.out();
        if (NO_CONNECTION.matcher(output).matches() || NO_ANSWER.contains(result.exit())) {
            return new Unreachable(message);
        }
        if (NO_RIGHT.matcher(output).matches()) {
            return new Misconfigured(
                    message
                            + "\nMaybe the adapter's account may not do this: PBS does not let root reserve; see 'run: prefix:'.");
        }
        if (result.exit() == BAD_USAGE) {
            return new Misconfigured(message + "\nMaybe this PBS has other options than the adapter knows.");
        }
        if (!what.isEmpty()
                && (result.exit() >= LEAST_SERVER_ERROR
                        || NO_CHANGE.matcher(output).matches())) {
            return new Refused(message);
        }
        return new Unreachable(message);
    }
}
