package org.metasched.adapter.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;

/**
 * A local scheduler behind six operations over HTTP and JSON. A field of another form than expected makes an answer {@code Unreadable},
 * except {@code detail}; a missing list is empty. Thread-safe.
 */
record RestScheduler(RestCalls calls, PreviewWindow window) implements LocalScheduler, LoadReporting {

    private static final int MAX_LIST_SIZE = 100_000;

    @Override
    public SiteId site() {
        return calls.site();
    }

    @Override
    public PreviewWindow previewWindow() {
        return window;
    }

    private ObjectNode message(ResourceRequest request) throws Refused {
        Need.Nodes nodes = request.need()
                .asNodes()
                .orElseThrow(() -> new Refused("Site " + site() + " has nodes only, no "
                        + request.need().words() + "."));
        ObjectNode message = RestCalls.newMessage()
                .put("nodes", nodes.count())
                .put("coresPerNode", nodes.coresPerNode())
                .put("durationSeconds", request.duration().toSeconds());
        nodes.properties().forEach(message.putArray("properties")::add);
        message.put("requester", request.requester().map(Requester::subject).orElse(""));
        request.requester().ifPresent(requester -> {
            requester.users().forEach(message.withArray("users")::add);
            requester.project().ifPresent(project -> message.put("project", project));
        });
        return message;
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        var message = message(request).put("notBefore", notBefore.toString());
        return calls.call("earliest-start", message, answer -> {
            var start = RestCalls.instant(required(answer, "start"));
            if (start.isPresent() && start.get().isBefore(notBefore)) {
                throw new IllegalArgumentException("the start (" + start.get() + ") is before " + notBefore);
            }
            return start;
        });
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        var message = message(request).put("key", key.value()).put("start", start.toString());
        return calls.call(
                "reserve", message, answer -> status(answer, "key", key.value()).reservation());
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        var message = RestCalls.newMessage().put("key", key.value());
        return calls.call("find", message, answer -> {
            JsonNode reservation = required(answer, "reservation");
            return reservation.isNull() ? Optional.empty() : Optional.of(status(reservation, "key", key.value()));
        });
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        calls.call("cancel", RestCalls.newMessage().put("id", id.value()), answer -> answer);
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        var message = RestCalls.newMessage().put("id", id.value());
        return calls.call("state", message, answer -> status(answer, "id", id.value()));
    }

    @Override
    public SiteLoad load() throws LocalSchedulerException {
        return calls.call(
                "load",
                RestCalls.newMessage(),
                answer -> new SiteLoad(
                        number(answer, "totalNodes"),
                        number(answer, "freeNodes"),
                        number(answer, "runningJobs"),
                        number(answer, "waitingJobs"),
                        texts(answer, "remarks")));
    }

    /** Reads the status of a reservation, in which the field must have the value that was asked for. */
    private static ReservationStatus status(JsonNode answer, String field, String asked) {
        if (!text(answer, field).equals(asked)) {
            throw new IllegalArgumentException(
                    "the field '" + field + "' is (" + text(answer, field) + "), but was asked as (" + asked + ")");
        }
        var need = new Need.Nodes(
                number(answer, "nodes"), number(answer, "coresPerNode"), new TreeSet<>(texts(answer, "properties")));
        var reservation = new Reservation(
                new ReservationId(text(answer, "id")),
                new RequestKey(text(answer, "key")),
                new TimeSlot(Instant.parse(text(answer, "start")), Instant.parse(text(answer, "end"))),
                need,
                texts(answer, "nodeNames"));
        return new ReservationStatus(
                state(text(answer, "state")),
                reservation,
                texts(answer, "lostNodes"),
                DisplayText.of(answer.path("detail").asText(""), 1000));
    }

    private static ReservationState state(String word) {
        var states = List.of(ReservationState.values());
        return states.stream()
                .filter(state -> state.name().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the state (" + word + ") must be one of " + states));
    }

    private static JsonNode required(JsonNode answer, String field) {
        JsonNode value = answer.path(field);
        if (value.isMissingNode()) {
            throw new IllegalArgumentException("the field '" + field + "' is missing");
        }
        return value;
    }

    private static String text(JsonNode answer, String field) {
        JsonNode value = required(answer, field);
        if (!value.isTextual() || value.textValue().length() > 1000) {
            throw new IllegalArgumentException("the field '" + field + "' must be a text of at most 1000 characters");
        }
        return value.textValue();
    }

    private static int number(JsonNode answer, String field) {
        JsonNode value = required(answer, field);
        if (!value.isInt() || value.intValue() < 0) {
            throw new IllegalArgumentException(
                    "the field '" + field + "' must be a whole number from 0, not (" + value + ")");
        }
        return value.intValue();
    }

    /** The texts of a list; none if the field is missing. */
    private static List<String> texts(JsonNode answer, String field) {
        var texts = new ArrayList<String>();
        JsonNode values = answer.path(field);
        boolean isList = values.isMissingNode() || values.isArray() && values.size() <= MAX_LIST_SIZE;
        for (JsonNode value : values) {
            isList &= value.isTextual();
            texts.add(value.asText());
        }
        if (!isList) {
            throw new IllegalArgumentException(
                    "the field '" + field + "' must be a list of at most " + MAX_LIST_SIZE + " texts");
        }
        return texts;
    }
}
