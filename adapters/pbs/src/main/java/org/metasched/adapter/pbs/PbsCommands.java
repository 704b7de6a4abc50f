package org.metasched.adapter.pbs;

import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
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
 * The PBS commands an adapter needs, and what their failures mean. An exit code is the low byte of the server's error
 * number, so 152 and more came from the server, which then did nothing; {@code pbs_rsub} that was denied and
 * {@code pbs_rstat} of an unknown id both exit with 0. Thread-safe.
 */
final class PbsCommands extends SchedulerCommands {

    /** The full form: PBS takes a bare hhmm that has passed for tomorrow. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmm.ss", Locale.ROOT);

    private static final Pattern PROPERTY = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}(=[A-Za-z0-9_.-]{1,64})?");
    private static final String UNKNOWN_RESERVATION = "Unknown Reservation Id";
    private static final Pattern NO_CONNECTION = Pattern.compile(
            "(?is).*(cannot connect to server|connection refused|connection reset|connection timed out|end of file"
                    + "|protocol.*error|no server|cannot connect to specified server|could not connect).*");
    private static final Pattern NO_RIGHT =
            Pattern.compile("(?is).*(Bad effective UID|Bad UID|Unauthorized Request|not authorized|Invalid credential"
                    + "|Access from host not allowed).*");
    /** Said with error numbers of the server whose low byte is small. */
    private static final Pattern NO_CHANGE =
            Pattern.compile("(?s).*(Reservation not empty|a subset of the original chunks).*");
    /** The server's own error numbers begin at 15000. */
    private static final int LEAST_SERVER_ERROR = 15_000 & 255;
    /** System error, internal error, protocol, no connections, no server: not an answer to the request. */
    private static final Set<Integer> NO_ANSWER = Set.of(162, 163, 183, 185, 186, 255);

    private static final int BAD_USAGE = 2;
    private static final String RESERVATION = "reservation";

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
     * {@code pbs_rsub}. The negative {@code -I} makes the server take the request back when it is not confirmed in time.
     *
     * @throws Refused when the server said no at once
     */
    PbsOutput.Submitted submit(BookingRequest booking) throws LocalSchedulerException {
        String place = settings.place() + (settings.exclusive() ? ":excl" : "");
        var words = new ArrayList<>(List.of(
                "pbs_rsub",
                "-I",
                String.valueOf(-settings.confirmWithin().toSeconds()),
                "-R",
                times.write(booking.slot().start(), TIME),
                "-E",
                times.write(booking.slot().end(), TIME),
                "-l",
                "select=" + select(booking.need()),
                "-l",
                "place=" + place,
                "-N",
                booking.name()));
        booking.accessList().ifPresent(names -> words.addAll(List.of("-U", names)));
        return understand(succeed(RESERVATION, words), output::submitted);
    }

    /**
     * {@code pbs_ralter} of what differs from what is held.
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
        return understand(succeed(RESERVATION, words), output::altered);
    }

    private static String select(Need.Nodes need) throws Refused {
        var select = new StringBuilder().append(need.count()).append(":ncpus=").append(need.coresPerNode());
        for (String property : need.properties()) {
            if (!PROPERTY.matcher(property).matches() || property.startsWith("ncpus")) {
                throw new Refused("The node property (" + DisplayText.of(property)
                        + ") is not a PBS resource of the form name or name=value.");
            }
            select.append(':').append(property).append(property.contains("=") ? "" : "=True");
        }
        return select.toString();
    }

    /** {@code qsub} into the reservation's queue, which has its name up to the first dot. */
    @Override
    public String submit(Submission job) throws LocalSchedulerException {
        var reservation = job.reservation();
        var need = reservation.granted().asNodes().orElseThrow(() -> new Refused("Only nodes run programs."));
        String place = settings.place() + (settings.exclusive() ? ":excl" : "");
        var words = new ArrayList<>(List.of("qsub", "-N", job.name(), "-r", "n", "-j", "oe"));
        job.project().ifPresent(project -> words.addAll(List.of("-A", project)));
        words.addAll(List.of("-q", reservation.id().value().replaceFirst("\\..*", "")));
        words.addAll(List.of("-l", "select=" + select(need), "-l", "place=" + place));
        words.addAll(List.of("-l", "walltime=" + reservation.slot().length().toSeconds()));
        // a command of qsub begins without the user's profile, where a script of qsub has it
        words.addAll(List.of("-o", job.folder() + "/job.log", "--", "/bin/sh", "-l"));
        words.addAll(job.command().subList(1, job.command().size()));
        CommandResult result = runner.run(runner.as(job.become(), job.user(), words));
        failIf(!result.ok() || result.out().isBlank(), RESERVATION, result);
        return result.out().strip();
    }

    @Override
    public Map<String, String> living(Collection<String> names) throws LocalSchedulerException {
        var found = new HashMap<String, String>();
        for (String name : names) {
            read(List.of("qselect", "-N", name), String::lines)
                    .findFirst()
                    .ifPresent(id -> found.put(name, id.strip()));
        }
        return found;
    }

    @Override
    public List<String> launch() {
        return List.of("pbs_tmrsh", "{node}");
    }

    /** {@code pbs_rdel}; one that the server does not know is gone. */
    void delete(String id) throws LocalSchedulerException {
        CommandResult result = runner.run(List.of("pbs_rdel", id));
        failIf(!result.ok() && !result.err().contains(UNKNOWN_RESERVATION), "", result);
    }

    /** {@code pbs_rstat -f ID}, or nothing when the server does not know it. */
    Optional<PbsOutput.Resv> reservation(String id) throws LocalSchedulerException {
        CommandResult result = runner.run(List.of("pbs_rstat", "-f", id));
        if (result.out().isBlank() && result.err().contains(UNKNOWN_RESERVATION)) {
            return Optional.empty();
        }
        List<PbsOutput.Resv> all = reservations(result);
        if (all.size() != 1 || !all.get(0).id().equals(id)) {
            throw new Unreachable("Site " + runner.site() + ": asked for reservation " + id + ", pbs_rstat told of "
                    + all.size() + " others (" + result.words() + ").");
        }
        return Optional.of(all.get(0));
    }

    /** {@code pbs_rstat -f}: all of them. */
    List<PbsOutput.Resv> reservations() throws LocalSchedulerException {
        return reservations(runner.run(List.of("pbs_rstat", "-f")));
    }

    private List<PbsOutput.Resv> reservations(CommandResult result) throws LocalSchedulerException {
        // With exit 0 its own words on stderr still mean that the list is not whole; those of sudo or ssh do not.
        failIf(!result.ok() || result.err().contains("pbs_rstat:"), "", result);
        return understand(result, output::reservations);
    }

    /** {@code pbsnodes -a -v}: virtual nodes; without {@code -v} a host of several is one with jumbled values. */
    List<PbsOutput.Vnode> nodes() throws LocalSchedulerException {
        var words = List.of("pbsnodes", "-a", "-v");
        return settings.json() ? json(words, "nodes", name -> true, output::vnode) : read(words, output::nodesFromText);
    }

    /**
     * {@code qstat -f}: an array is one record, whatever its size. With the server down it prints an object without jobs: the
     * exit counts.
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

    /** The meaning of a failed command. Only {@code pbs_rsub} and {@code pbs_ralter} can be refused; for the others a no from the server is odd. */
    @Override
    protected LocalSchedulerException failure(String what, CommandResult result) {
        String message = "Site " + runner.site() + ": " + result.words() + ".";
        String said = result.err() + result.out();
        if (NO_CONNECTION.matcher(said).matches() || NO_ANSWER.contains(result.exit())) {
            return new Unreachable(message);
        }
        if (NO_RIGHT.matcher(said).matches()) {
            return new Misconfigured(message
                    + "\nMaybe the adapter's account may not do this: PBS lets no root reserve; see 'run: prefix:'.");
        }
        if (result.exit() == BAD_USAGE) {
            return new Misconfigured(message + "\nMaybe this PBS has other options than the adapter knows.");
        }
        if (!what.isEmpty()
                && (result.exit() >= LEAST_SERVER_ERROR
                        || NO_CHANGE.matcher(said).matches())) {
            return new Refused(message);
        }
        return new Unreachable(message);
    }
}
