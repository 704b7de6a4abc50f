package org.metasched.api;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementHistory.NumberedEvent;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.making.OfferService;
import org.metasched.api.EventWatchers.Cursor;
import org.metasched.api.EventWatchers.Page;
import org.metasched.overview.DocumentOffers;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;

/**
 * Events of agreements as server-sent events. An answer has the stored events after {@code Last-Event-ID}, and ends. Where there are none,
 * it waits for some, with a comment as heartbeat. The client asks again by itself, at any server, with the last id. So a watcher holds no
 * thread, and misses nothing when a server ends. Thread-safe.
 */
public record EventRoutes(OfferService offers, Authorizer guard, EventWatchers watchers) {

    static final String STREAM = "text/event-stream";
    /** Tells the client to wait 1,000 ms before it asks again. */
    private static final String RETRY = "retry: 1000\n\n";

    /** Heartbeat: a comment, which clients ignore. */
    static final String NOTHING_NEW = RETRY + ": nothing new\n\n";

    private static final int MOST_EVENTS = 500;

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/events", STREAM, request -> Optional.of(all(request))),
                ApiRoute.get("/agreements/{id}/events", STREAM, this::ofAgreement));
    }

    /** Events of all agreements after a number; without one, from now on. */
    private ApiAnswer all(ApiRequest request) {
        var since = since(request);
        long last = since.orElseGet(offers.history()::newest);
        var stream = new StringBuilder(RETRY);
        if (since.isEmpty()) {
            appendPlace(last, stream);
        }
        long lastShown = last;
        var page = page(since, Optional.empty(), last);
        for (var next : page.events()) {
            last = next.number();
            if (isSeen(request, page, next.agreement())) {
                appendEvent(next, stream);
                lastShown = last;
            }
        }
        if (lastShown != last) {
            appendPlace(last, stream);
        }
        return answer(request, stream, last);
    }

    /** Events of one agreement after a number; without one, from the first on. */
    private Optional<ApiAnswer> ofAgreement(ApiRequest request) {
        var since = since(request);
        Function<AgreementId, Page> events = id -> page(since, Optional.of(id), since.orElse(0L));
        return Optional.of(request.id())
                .filter(AgreementId::isForm)
                .map(AgreementId::new)
                .map(events)
                .filter(page -> page.agreements().keySet().stream().anyMatch(id -> isSeen(request, page, id)))
                .or(() -> offers.named(request.id(), a -> request.isShown(guard, DocumentOffers.resource(a)))
                        .map(Agreement::id)
                        .map(events))
                .map(page -> {
                    var stream = new StringBuilder(RETRY);
                    page.events().forEach(next -> appendEvent(next, stream));
                    return answer(request, stream, page.newest());
                });
    }

    /** A page of events. Watchers that know a number share it; a caller that tells none gets one of its own. */
    private Page page(Optional<Long> since, Optional<AgreementId> agreement, long after) {
        var cursor = new Cursor(agreement, after);
        return since.isPresent() ? watchers.page(cursor, this::read) : read(cursor);
    }

    private Page read(Cursor cursor) {
        // Read before the events: an event stored between the two reads has a higher number.
        long newest = offers.history().newest();
        var events = cursor.agreement()
                .map(id -> offers.history().of(id, cursor.after(), MOST_EVENTS))
                .orElseGet(() -> offers.history().after(cursor.after(), MOST_EVENTS));
        Map<AgreementId, ProtectedResource> agreements = new HashMap<>();
        Stream.concat(cursor.agreement().stream(), events.stream().map(NumberedEvent::agreement))
                .distinct()
                .forEach(id -> offers.find(id).ifPresent(a -> agreements.put(id, DocumentOffers.resource(a))));
        return new Page(newest, events, agreements);
    }

    private ApiAnswer answer(ApiRequest request, StringBuilder stream, long after) {
        if (stream.length() > RETRY.length()) {
            return ApiAnswer.text(STREAM, stream.toString());
        }
        return watchers.hold(request.http(), after) ? ApiAnswer.LATER : ApiAnswer.text(STREAM, NOTHING_NEW);
    }

    private static Optional<Long> since(ApiRequest request) {
        return request.header("Last-Event-ID")
                .or(() -> request.query().text("after"))
                .map(text -> {
                    if (!text.matches("\\d{1,18}")) {
                        throw new IllegalArgumentException("The Last-Event-ID (" + DisplayText.of(text)
                                + ") must be a number of at most 18 digits.");
                    }
                    return Long.valueOf(text);
                });
    }

    /** Appends the number that the stream has reached, without an event: the caller may not see the one of that number. */
    private static void appendPlace(long number, StringBuilder stream) {
        stream.append("id: ").append(number).append("\nevent: place\ndata: {}\n\n");
    }

    private static void appendEvent(NumberedEvent next, StringBuilder stream) {
        var event = next.event();
        var json = ApiAnswer.object().put("agreementId", next.agreement().value());
        AgreementBody.putEvent(json, event);
        if (event.kind() == AgreementEvent.Kind.STATE) {
            // The text of such an event is "Old to New: reason", or without a reason.
            json.put("state", event.what().replaceFirst("(?s)^\\S+ to ", "").replaceFirst("(?s):.*", ""));
        }
        stream.append("id: ").append(next.number());
        stream.append("\nevent: ").append(event.kind().name().toLowerCase(Locale.ROOT));
        stream.append("\ndata: ").append(json).append("\n\n");
    }

    private boolean isSeen(ApiRequest request, Page page, AgreementId id) {
        var agreement = page.agreements().get(id);
        return agreement != null && request.isShown(guard, agreement);
    }
}
