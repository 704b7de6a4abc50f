package org.metasched.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.making.OfferService;
import org.metasched.notice.AgreementNotices;
import org.metasched.notice.CalendarServlet;
import org.metasched.overview.DocumentOffers;
import org.metasched.sites.SiteDirectory;
import org.metasched.subscription.NoticeOccasion;
import org.metasched.subscription.NoticeSubscription;
import org.metasched.trust.Authorizer;

/** The caller's subscriptions to notices, and the private addresses of calendars. Thread-safe. */
public record NoticeRoutes(OfferService offers, AgreementNotices notices, SiteDirectory sites, Authorizer guard) {

    /** Who may make agreements may subscribe. */
    private static final String WRITE = "AgreementFactory/CreateAgreement";

    private static final Duration USUAL_LEAD = Duration.ofMinutes(15);
    private static final Duration LONGEST_LEAD = Duration.ofDays(30);
    private static final String EVENTS = Stream.of(NoticeOccasion.values())
            .map(NoticeOccasion::word)
            .sorted()
            .collect(Collectors.joining(", "));

    public List<ApiRoute> routes() {
        Predicate<NoticeSubscription> calendars = NoticeSubscription::isCalendar;
        return List.of(
                ApiRoute.get("/notices", request -> Optional.of(list(request, "notices", calendars.negate()))),
                ApiRoute.of("POST", "/notices", WRITE, request -> Optional.of(subscribe(request))),
                ApiRoute.of("DELETE", "/notices/{id}", WRITE, this::remove),
                ApiRoute.get("/me/calendars", request -> Optional.of(list(request, "calendars", calendars))),
                ApiRoute.of("POST", "/me/calendars", WRITE, request -> Optional.of(calendar(request))),
                ApiRoute.of("DELETE", "/me/calendars/{id}", WRITE, this::remove));
    }

    private ApiAnswer list(ApiRequest request, String title, Predicate<NoticeSubscription> wanted) {
        var json = ApiAnswer.object();
        var list = json.putArray(title);
        notices.store().of(owner(request)).stream()
                .filter(wanted)
                .map(NoticeRoutes::json)
                .forEach(list::add);
        return ApiAnswer.json(json);
    }

    private ApiAnswer subscribe(ApiRequest request) {
        var body = JsonFields.checkKeys(request.body(), Set.of("to", "events", "lead", "agreement"), "subscription");
        String to = JsonFields.text(body, "to")
                .orElseThrow(() -> new IllegalArgumentException("The address (to) is missing."));
        notices.check(to);
        var occasions = JsonFields.texts(body, "events").stream()
                .map(word -> NoticeOccasion.of(word).orElseThrow(() -> JsonFields.unknown("event", word, EVENTS)))
                .collect(Collectors.toSet());
        var lead = JsonFields.duration(body, "lead").orElse(USUAL_LEAD);
        if (lead.isNegative() || lead.compareTo(LONGEST_LEAD) > 0) {
            throw new IllegalArgumentException("The lead (" + lead + ") must be from PT0S to " + LONGEST_LEAD + ".");
        }
        var about = JsonFields.text(body, "agreement")
                .map(name -> offers.named(name, agreement -> request.isShown(guard, DocumentOffers.resource(agreement)))
                        .orElseThrow(() -> new IllegalArgumentException(
                                "The agreement (" + DisplayText.of(name) + ") is not known.")));
        if (about.isEmpty() && owner(request).isEmpty()) {
            throw new IllegalArgumentException("A caller without a proven name must name an agreement.");
        }
        var subscription = new NoticeSubscription(
                NoticeSubscription.randomName(),
                owner(request),
                about.map(agreement -> agreement.id().value()),
                to,
                occasions.isEmpty() ? Set.of(NoticeOccasion.values()) : occasions,
                lead,
                NoticeSubscription.randomSecret());
        add(subscription);
        return ApiAnswer.json(201, json(subscription).put("secret", subscription.secret()))
                .with("Location", ApiServlet.BASE + "/notices/" + subscription.id());
    }

    /** Makes a calendar of the caller's reservations, or of all at a site, which names no initiators. Its address is shown once. */
    private ApiAnswer calendar(ApiRequest request) {
        var body = JsonFields.checkKeys(request.body(), Set.of("site"), "calendar");
        var site = JsonFields.text(body, "site");
        // refuses an unknown site
        site.map(SiteId::new).ifPresent(sites::get);
        if (site.isEmpty() && owner(request).isEmpty()) {
            throw new IllegalArgumentException("A caller without a proven name must name a site.");
        }
        String name = NoticeSubscription.randomName();
        var calendar = new NoticeSubscription(
                CalendarServlet.idOf(name), owner(request), site, "", Set.of(), Duration.ZERO, "");
        add(calendar);
        var address = URI.create(request.http().getRequestURL().toString())
                .resolve(request.http().getContextPath() + "/calendars/" + name + ".ics");
        return ApiAnswer.json(201, json(calendar).put("address", address.toString()))
                .with("Location", ApiServlet.BASE + "/me/calendars/" + calendar.id());
    }

    /** One at a time, so that two at once do not pass the limit. */
    private synchronized void add(NoticeSubscription subscription) {
        if (notices.store().of(subscription.owner()).size() >= NoticeSubscription.MOST) {
            throw new ProblemException(
                    409, "TOO_MANY", "There are " + NoticeSubscription.MOST + " subscriptions and calendars already.");
        }
        notices.store().add(subscription);
    }

    private Optional<ApiAnswer> remove(ApiRequest request) {
        return Optional.of(request.id())
                .filter(id -> notices.store().remove(id, owner(request)))
                .map(id -> ApiAnswer.empty(204));
    }

    private static String owner(ApiRequest request) {
        return request.call().subject().isKnown() ? request.call().subject().name() : "";
    }

    private static ObjectNode json(NoticeSubscription subscription) {
        var json = ApiAnswer.object().put("id", subscription.id());
        if (subscription.isCalendar()) {
            subscription.about().ifPresent(site -> json.put("site", site));
            return json;
        }
        subscription.about().ifPresent(agreement -> json.put("agreement", agreement));
        json.put("to", subscription.receiver()).put("lead", subscription.lead().toString());
        subscription.occasions().stream().map(NoticeOccasion::word).sorted().forEach(json.putArray("events")::add);
        return json;
    }
}
