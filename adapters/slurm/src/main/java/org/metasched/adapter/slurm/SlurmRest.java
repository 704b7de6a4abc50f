package org.metasched.adapter.slurm;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.BookingRequest;
import org.metasched.adapter.booking.CommandLineSite;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.JsonOutput;
import org.metasched.adapter.rest.RestAccess;
import org.metasched.adapter.slurm.SlurmJson.Job;
import org.metasched.adapter.slurm.SlurmOutput.JobLine;
import org.metasched.adapter.slurm.SlurmOutput.NodeLine;
import org.metasched.adapter.slurm.SlurmOutput.Table;

/**
 * Slurm over slurmrestd, whose refusals have the texts of Slurm's commands. The token is that of an account which may make reservations; a
 * job is submitted in the name of its user. A request to make a reservation whose name exists would change that reservation, so
 * {@code BookingScheduler} looks for it first.
 */
final class SlurmRest extends SlurmOperations {

    static final int LONGEST_ANSWER = 64 << 20;
    private static final String SUBMIT = "job/submit";
    private static final KnownFailure NOT_SERVED = KnownFailure.of(
            Meaning.MISCONFIGURED,
            "\nMaybe the token has expired, or slurmrestd lacks the api-version; known are " + SlurmRestFactory.VERSIONS
                    + ".",
            "Protocol authentication error",
            "Authentication failure",
            "find requested URL");

    private final Clock clock;
    private final RestAccess access;
    private final String root;

    SlurmRest(CommandLineSite site, String partition, RestAccess access, String version) {
        super(
                site.runner(),
                Stream.concat(Stream.of(NOT_SERVED), SlurmCommands.KNOWN_FAILURES.stream())
                        .toList(),
                site.shared(),
                partition);
        this.clock = site.clock();
        this.access = access;
        this.root = "slurm/" + version + "/";
    }

    @Override
    Table<NodeLine> nodes() throws LocalSchedulerException {
        return shared.get("nodes", () -> get("nodes/", answer -> SlurmJson.nodes(answer, partition)))
                .requireRows(runner.site(), partition);
    }

    /** The jobs that hold nodes, and the jobs of the partition. */
    private record Jobs(Table<JobLine> onNodes, Table<JobLine> ofPartition) {}

    private Jobs sharedJobs() throws LocalSchedulerException {
        return shared.get("jobs", () -> {
            Table<Job> all = jobs();
            return new Jobs(
                    lines(all.only(job -> !job.line().waits())),
                    lines(all.only(job -> job.partitions().contains(partition))));
        });
    }

    private static Table<JobLine> lines(Table<Job> jobs) {
        return new Table<>(jobs.rows().stream().map(Job::line).toList(), jobs.odd());
    }

    private Table<Job> jobs() throws LocalSchedulerException {
        return get("jobs/", SlurmJson::jobs);
    }

    @Override
    Table<JobLine> jobsOnNodes() throws LocalSchedulerException {
        return sharedJobs().onNodes();
    }

    @Override
    Table<JobLine> jobsOfPartition() throws LocalSchedulerException {
        return sharedJobs().ofPartition();
    }

    @Override
    SlurmReservations reservations() throws LocalSchedulerException {
        return shared.get("reservations", this::reservationsNow);
    }

    private SlurmReservations reservationsNow() throws LocalSchedulerException {
        Instant now = clock.instant();
        return get("reservations/", answer -> SlurmJson.reservations(answer, now));
    }

    @Override
    SlurmReservations reservation(String name) throws LocalSchedulerException {
        return reservationsNow().only(name);
    }

    @Override
    void create(BookingRequest booking, String users, List<String> nodes, Duration margin)
            throws LocalSchedulerException {
        TimeSlot slot = booking.slot();
        ObjectNode body = object().put("name", booking.name()).put("partition", partition);
        body.set("start_time", seconds(slot.start()));
        body.set("end_time", seconds(slot.end().plus(margin)));
        List.of(users.split(",")).forEach(body.putArray("users")::add);
        booking.project().ifPresent(project -> body.putArray("accounts").add(project));
        if (nodes.isEmpty()) {
            body.set("node_count", number(booking.need().count()));
            if (!booking.need().properties().isEmpty()) {
                body.put("features", String.join("&", booking.need().properties()));
            }
        } else {
            nodes.forEach(body.putArray("node_list")::add);
        }
        succeed(booking.words(), call("POST", "reservation", body));
    }

    @Override
    void update(ReservationId id, Optional<Integer> count, Optional<Instant> start, Optional<Instant> end)
            throws LocalSchedulerException {
        ObjectNode body = object().put("name", id.value());
        count.ifPresent(nodes -> body.set("node_count", number(nodes)));
        start.ifPresent(time -> body.set("start_time", seconds(time)));
        end.ifPresent(time -> body.set("end_time", seconds(time)));
        succeed("changing reservation " + id, call("POST", "reservation", body));
    }

    @Override
    boolean delete(String name) throws LocalSchedulerException {
        return isGone(name, call("DELETE", "reservation/" + name, object()));
    }

    @Override
    void cancelJobsIn(String name) throws LocalSchedulerException {
        for (Job job : jobs().rows()) {
            if (job.reservation().equals(name)) {
                var result = call("DELETE", "job/" + job.line().id(), object());
                succeed("ending the jobs of reservation " + name, result);
            }
        }
    }

    @Override
    public String submit(Submission job) throws LocalSchedulerException {
        Reservation held = job.reservation();
        int nodes = held.granted().amount();
        ObjectNode body = object().put("script", "#!/bin/sh\nexec " + String.join(" ", job.command()) + "\n");
        ObjectNode words = body.putObject("job")
                .put("name", job.name())
                .put("reservation", held.id().value())
                .put("partition", partition)
                .put("minimum_nodes", nodes)
                .put("maximum_nodes", nodes)
                .put("requeue", false)
                .put("current_working_directory", job.folder())
                .put("standard_output", job.folder() + "/job.log");
        job.project().ifPresent(project -> words.put("account", project));
        words.putArray("shared").add("none");
        words.putArray("open_mode").add("APPEND");
        words.putArray("environment").add("PATH=/usr/local/bin:/usr/bin:/bin");
        words.set("time_limit", number(SlurmOperations.minutes(held)));
        CommandResult result = call("POST", SUBMIT, body, job.user());
        succeed("job " + job.name(), result);
        String id = understand(
                result, answer -> JsonOutput.parse(answer).path("job_id").asText());
        failIf(!id.matches("[1-9]\\d{0,17}"), "job " + job.name(), result);
        return id;
    }

    @Override
    public Map<String, String> living(Collection<String> names) throws LocalSchedulerException {
        var ids = new HashMap<String, String>();
        for (Job job : jobs().rows()) {
            if (names.contains(job.name())) {
                ids.put(job.name(), job.line().id());
            }
        }
        return ids;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static ObjectNode number(long number) {
        return object().put("set", true).put("number", number);
    }

    private static ObjectNode seconds(Instant instant) {
        return number(instant.getEpochSecond());
    }

    private <T> T get(String path, Function<String, T> reader) throws LocalSchedulerException {
        return understand(succeed("", call("GET", path, object())), reader);
    }

    private CommandResult succeed(String what, CommandResult result) throws LocalSchedulerException {
        failIf(!result.ok(), what, result);
        return result;
    }

    @Override
    protected String words(CommandResult result) {
        String text = DisplayText.lines(result.ok() ? result.out() : result.err());
        return result.command().get(0) + " answered with status " + result.exit() + ", \"" + text + "\"";
    }

    private CommandResult call(String method, String path, ObjectNode body) throws LocalSchedulerException {
        return call(method, path, body, Optional.empty());
    }

    /**
     * Makes a call. The answer becomes a command's result: exit code 0 or the HTTP status, the whole text as output,
     * and the reported errors.
     *
     * @param user user of the call; empty for the token's own
     */
    private CommandResult call(String method, String path, ObjectNode body, Optional<String> user)
            throws LocalSchedulerException {
        String what = method + " " + access.url(root + path);
        try {
            var content = BodyPublishers.ofString(body.isEmpty() ? "" : body.toString());
            var request = HttpRequest.newBuilder(access.url(root + path)).method(method, content);
            request.header("Content-Type", "application/json");
            access.token().ifPresent(token -> request.header("X-SLURM-USER-TOKEN", token));
            user.ifPresent(name -> request.header("X-SLURM-USER-NAME", name));
            var answer = access.send(request, !path.equals(SUBMIT));
            String text = new String(answer.body(), StandardCharsets.UTF_8);
            boolean ok = answer.status() / 100 == 2;
            return new CommandResult(
                    List.of(what.replaceFirst("/$", "")),
                    ok ? 0 : answer.status(),
                    text,
                    ok ? "" : SlurmJson.errors(text));
        } catch (IOException e) {
            throw new Unreachable("Site " + runner.site() + ", " + what + " gave no answer: " + RestAccess.words(e), e);
        }
    }
}
