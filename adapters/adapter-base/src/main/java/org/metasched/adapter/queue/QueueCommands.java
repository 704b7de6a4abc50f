package org.metasched.adapter.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.booking.SchedulerCommands;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.queue.ListedRequest.Stage;

/** Runs the commands of a queueing system that the site configures, with their placeholders filled in. Thread-safe. */
final class QueueCommands extends SchedulerCommands {

    /** Maximum number of lines of an answer that a configured pattern searches, since it may be slow. */
    private static final int MOST_LINES = 200;

    private final CommandLineSite site;
    private final QueueDialect dialect;
    private final QueueOutput output;

    QueueCommands(CommandLineSite site, QueueDialect dialect) {
        super(site.runner(), List.of());
        this.site = site;
        this.dialect = dialect;
        this.output = new QueueOutput(dialect, site.times());
    }

    /**
     * Makes a reservation.
     *
     * @return the id of the new request
     */
    String reserve(BookingRequest booking) throws LocalSchedulerException {
        TimeSlot slot = booking.slot();
        Map<String, String> values = new HashMap<>();
        values.put("name", booking.name());
        values.put("nodes", String.valueOf(booking.need().count()));
        values.put("cores", String.valueOf(booking.need().coresPerNode()));
        values.put("start", site.times().write(slot.start(), dialect.times().written()));
        values.put("end", site.times().write(slot.end(), dialect.times().written()));
        // Rounded up, so that the reservation is not too short.
        values.put("minutes", String.valueOf(slot.length().plusSeconds(59).toMinutes()));
        values.put("seconds", String.valueOf(slot.length().toSeconds()));
        var words = new ArrayList<>(dialect.submit().filled(values));
        booking.user().ifPresent(name -> words.addAll(dialect.submitForUser().filled(Map.of("user", name))));
        return idOf(runner.run(words));
    }

    @Override
    public String submit(Submission job) throws LocalSchedulerException {
        Map<String, String> values = new HashMap<>();
        values.put("name", job.name());
        values.put("reservation", job.reservation().id().value());
        values.put("nodes", String.valueOf(job.reservation().granted().amount()));
        values.put("folder", job.folder());
        var words = new ArrayList<>(dialect.run().filled(values));
        words.addAll(job.command());
        return idOf(runner.run(runner.as(job.become(), job.user(), words)));
    }

    private String idOf(CommandResult result) throws LocalSchedulerException {
        failIf(!result.ok(), "", result);
        return understand(result, output::submitted).orElseThrow(() -> failure("", result));
    }

    @Override
    public Map<String, String> living(Collection<String> names) throws LocalSchedulerException {
        return requests().stream()
                .filter(request -> names.contains(request.name()))
                .filter(request -> request.stage() != Stage.FINISHED && request.stage() != Stage.CANCELLED)
                .collect(Collectors.toMap(ListedRequest::name, ListedRequest::id, (one, other) -> other));
    }

    /** Removes a request; does nothing if the scheduler no longer knows it. */
    void remove(String id) throws LocalSchedulerException {
        CommandResult result = runner.run(dialect.remove().filled(Map.of("id", id)));
        failIf(!result.ok() && !matches(dialect.answers().unknown(), result), "", result);
    }

    /** All requests, read from the scheduler now and not from a snapshot. */
    List<ListedRequest> requests() throws LocalSchedulerException {
        return read(dialect.requests().command().filled(Map.of()), output::requests);
    }

    /** Every node and whether it works; empty if no command for it is configured. */
    Map<String, Boolean> nodeStates() throws LocalSchedulerException {
        return dialect.nodes().command().words().isEmpty()
                ? Map.of()
                : read(dialect.nodes().command().filled(Map.of()), output::nodeStates);
    }

    /** The exception for a failed command, chosen by the site's configured patterns. */
    @Override
    protected LocalSchedulerException failure(String what, CommandResult result) {
        String message = "Site " + site.id() + ": " + result.words() + ".";
        if (matches(dialect.answers().noRight(), result)) {
            return new Misconfigured(message + "\nMaybe the adapter's account may not do this.");
        }
        return matches(dialect.answers().refused(), result) ? new Refused(message) : new Unreachable(message);
    }

    private static boolean matches(Pattern pattern, CommandResult result) {
        return (result.err() + "\n" + result.out())
                .lines()
                .limit(MOST_LINES)
                .anyMatch(line -> line.length() <= QueueOutput.LONGEST_VALUE
                        && pattern.matcher(line).find());
    }
}
