package org.metasched.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementHistory.NumberedEvent;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.making.OfferService;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;

/**
 * Events of agreements as server-sent events. An answer has the events after {@code Last-Event-ID} that are stored, waits a while when there
 * are none, and ends: the client asks again by itself, at any server, with the last id. So a watcher holds no thread, and misses nothing
 * when a server ends. Thread-safe.
 */
public final class EventRoutes {

    private static final String STREAM = "text/event-stream";
    /** Milliseconds between two looks. */
    private static final String RETRY = "retry: 1000\n\n";

    /** A comment: the server lives. */
    private static final String NOTHING_NEW = RETRY + ": nothing new\n\n";

    private static final int MOST = 500;

    private final OfferService offers;
    private final Authorizer guard;
    private final EventWatchers watchers;

    public EventRoutes(OfferService offers, Authorizer guard, EventWatchers watchers) {
        this.offers = offers;
        this.guard = guard;
        this.watchers = watchers;
    }

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/events", STREAM, request -> Optional.of(all(request))),
                ApiRoute.get("/agreements/{id}/events", STREAM, this::ofOne));
    }

    /** Without a place, those from now on. */
    private ApiAnswer all(ApiRequest request) {
        var since = since(request);
        long last = since.orElseGet(offers::newestEvent);
        var stream = new StringBuilder(RETRY);
        if (since.isEmpty()) {
            place(last, stream);
        }
        Map<AgreementId, Boolean> seen = new HashMap<>();
        long told = last;
        for (var next : offers.eventsAfter(last, MOST)) {
            last = next.number();
            if (seen.computeIfAbsent(next.agreement(), id -> isSeen(request, offers.find(id)))) {
                event(next, stream);
                told = last;
            }
        }
        if (told != last) {
            place(last, stream);
        }
        return answer(request, stream, last);
    }

    /** Without a place, those from the first on. */
    private Optional<ApiAnswer> ofOne(ApiRequest request) {
        return offers.named(request.id(), found -> isSeen(request, Optional.of(found)))
                .map(found -> {
                    // Before the question: what is stored between both is newer.
                    long newest = offers.newestEvent();
                    var stream = new StringBuilder(RETRY);
                    offers.eventsOf(found.id(), since(request).orElse(0L), MOST).forEach(next -> event(next, stream));
                    return answer(request, stream, newest);
                });
    }

    private ApiAnswer answer(ApiRequest request, StringBuilder stream, long place) {
        if (stream.length() > RETRY.length()) {
            return ApiAnswer.text(STREAM, stream.toString());
        }
        return watchers.hold(request.http(), place) ? ApiAnswer.LATER : ApiAnswer.text(STREAM, NOTHING_NEW);
    }

    private static Optional<Long> since(ApiRequest request) {
        return request.header("Last-Event-ID")
                .or(() -> request.query().text("after"))
                .map(text -> {
                    if (!text.matches("\\d{1,18}")) {
                        throw new IllegalArgumentException(
                                "The Last-Event-ID (" + WireValues.shown(text) + ") must be a number.");
                    }
                    return Long.valueOf(text);
                });
    }

    /** Tells where the stream is when the caller may see none of its events up to there. */
    private static void place(long number, StringBuilder stream) {
        stream.append("id: ").append(number).append("\nevent: place\ndata: {}\n\n");
    }

    private static void event(NumberedEvent next, StringBuilder stream) {
        var event = next.event();
        var json = ApiServlet.MAPPER
                .createObjectNode()
                .put("agreementId", next.agreement().value())
                .put("at", event.at().toString())
                .put("kind", event.kind().name())
                .put("what", event.what());
        if (event.kind() == AgreementEvent.Kind.STATE) {
            json.put("state", event.what().replaceFirst("(?s)^\\S+ to ", "").replaceFirst("(?s):.*", ""));
        }
        try {
            stream.append("id: ").append(next.number());
            stream.append("\nevent: ").append(event.kind().name().toLowerCase(Locale.ROOT));
            stream.append("\ndata: ")
                    .append(ApiServlet.MAPPER.writeValueAsString(json))
                    .append("\n\n");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree of JSON cannot be written.", e);
        }
    }

    private boolean isSeen(ApiRequest request, Optional<Agreement> agreement) {
        return agreement
                .filter(found -> guard.shows(
                        request.call().during("Agreement/GetResourceProperty"),
                        ProtectedResource.agreement(
                                found.id().value(), found.offer().key().initiator())))
                .isPresent();
    }
}
