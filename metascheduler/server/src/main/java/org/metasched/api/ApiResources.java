package org.metasched.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.making.OfferService;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.overview.AdvertisedAds;
import org.metasched.overview.ListPage;
import org.metasched.overview.RefusedOffers;
import org.metasched.overview.SiteQuery;
import org.metasched.overview.SiteSnapshot;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Role;

/**
 * Sites, ads, refused offers and the caller itself in the REST API, as far as the caller may see them. Thread-safe.
 *
 * @param advertised ads in the collector
 */
public record ApiResources(
        OfferService service, SiteQuery sites, AdvertisedAds advertised, Authorizer guard, Clock clock) {

    private static final Duration USUAL_SPAN = Duration.ofDays(7);

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/sites", request -> Optional.of(sites(request))),
                ApiRoute.get("/sites/{site}", this::site),
                ApiRoute.get("/sites/{site}/windows", this::windows),
                ApiRoute.get("/refused", request -> Optional.of(refused(request))),
                ApiRoute.get("/ads", request -> Optional.of(ads(request))),
                ApiRoute.get("/me", request -> Optional.of(ApiAnswer.json(me(request)))));
    }

    private ApiAnswer sites(ApiRequest request) throws InterruptedException {
        var page = page(request.query(), sites.sites(), SiteId::value);
        return page(request, "sites", sites.snapshots(page.shown()), ApiResources::json, page.next());
    }

    private Optional<ApiAnswer> site(ApiRequest request) throws InterruptedException {
        return sites.snapshots(named(request).stream().toList()).stream()
                .findFirst()
                .map(site -> ApiAnswer.json(json(site)));
    }

    /** The site that the path names. */
    private Optional<SiteId> named(ApiRequest request) {
        return sites.sites().stream()
                .filter(site -> site.value().equals(request.id()))
                .findFirst();
    }

    /** A site with its free nodes and the time of its newest ad. A site that gives no answer has the state {@code silent}. */
    private static ObjectNode json(SiteSnapshot site) {
        var entry = ApiAnswer.object();
        entry.put("site", site.site().value());
        entry.put("lookAhead", site.preview().lookAhead().toString());
        entry.put("grid", site.preview().grid().toString());
        entry.put("state", site.isUp() ? "up" : "silent");
        site.trouble().ifPresent(why -> entry.put("detail", why));
        site.load().ifPresent(load -> {
            entry.put("totalNodes", load.totalNodes());
            entry.put("freeNodes", load.freeNodes());
            entry.put("runningJobs", load.runningJobs());
            entry.put("queuedJobs", load.queuedJobs());
            var remarks = entry.putArray("remarks");
            load.remarks().forEach(remarks::add);
        });
        site.currentMatches().ifPresent(current -> entry.put("curMatches", current));
        site.mostMatches().ifPresent(most -> entry.put("maxMatches", most));
        site.ad().ifPresent(ad -> entry.put("lastAdvertised", ad.received().toString()));
        return entry;
    }

    /** The windows in which a request can begin at a site. */
    private Optional<ApiAnswer> windows(ApiRequest request) throws InterruptedException {
        var query = request.query();
        var site = named(request);
        if (site.isEmpty()) {
            return Optional.empty();
        }
        var wanted = new ResourceRequest(
                new Need.Nodes(query.number("nodes", 1, Need.MOST)),
                WireValues.duration(query.text("duration").orElse("PT1H"), "duration"),
                request.call().subject().requester());
        var from = query.time("from").orElse(clock.instant());
        var to = query.time("to").orElse(from.plus(USUAL_SPAN));
        if (!to.isAfter(from)) {
            throw new IllegalArgumentException("The time to (" + to + ") must be after the time from (" + from + ").");
        }
        var windows = sites.freeWindows(site.get(), wanted, new TimeSlot(from, to))
                .fold(listed -> listed, problem -> {
                    throw noWindows(problem);
                })
                .orElseThrow(() -> new ProblemException(
                        409,
                        "NOT_LISTED",
                        "The site " + request.id() + " does not list its free windows for this time."));
        var json = ApiAnswer.object().put("site", request.id());
        var list = json.putArray("windows");
        windows.forEach(window -> list.addObject()
                .put("earliest", window.earliest().toString())
                .put("latest", window.latest().toString()));
        return Optional.of(ApiAnswer.json(json));
    }

    private static ProblemException noWindows(LocalSchedulerException problem) {
        String why = String.valueOf(problem.getMessage());
        return ApiProblems.refused(RefusalCode.of(Why.of(problem)), why, List.of());
    }

    /** The caller, its roles, and what it may still have; null where there is no bound. */
    private ObjectNode me(ApiRequest request) {
        var subject = request.call().subject();
        var json = ApiAnswer.object();
        json.put("subject", subject.name());
        json.put("kind", subject.kind().name().toLowerCase(Locale.ROOT));
        guard.policy().rolesOf(subject).stream().map(Role::word).sorted().forEach(json.putArray("roles")::add);
        subject.groups().forEach(json.putArray("groups")::add);
        var quotas = json.putArray("quotas");
        for (var allowance : guard.allowances(subject)) {
            var limits = allowance.limits();
            var used = service.held(allowance.members());
            var quota = quotas.addObject().put("of", allowance.vo().isEmpty() ? "subject" : "vo " + allowance.vo());
            putLeft(quota.putObject("agreements"), limits.livingAgreements(), used.agreements());
            putLeft(quota.putObject("nodeHours"), limits.nodeHours(), used.nodeHours());
            putBound(quota, "offersUnderWay", limits.offersUnderWay());
            putBound(quota, "requestsPerSecond", limits.requestsPerSecond());
        }
        return json;
    }

    private static void putLeft(ObjectNode json, double limit, double used) {
        json.put("used", used);
        putBound(json, "limit", limit);
        putBound(json, "left", limit >= Integer.MAX_VALUE ? limit : Math.max(0, limit - used));
    }

    /** Puts a limit, or null instead of {@link Integer#MAX_VALUE} and more, which stand for no limit. */
    private static void putBound(ObjectNode json, String key, double limit) {
        json.put(key, limit >= Integer.MAX_VALUE ? null : Double.valueOf(limit));
    }

    private ApiAnswer refused(ApiRequest request) {
        var query = request.query();
        String after = query.text("after").orElse("");
        var page = RefusedOffers.seen(service, guard, request.call(), clock.instant(), after, query.limit());
        var next = page.next().map(String::valueOf);
        return page(request, "refused", page.shown(), ApiResources::refused, next);
    }

    private static ObjectNode refused(RefusedOffer offer) {
        var entry = ApiAnswer.object()
                .put("at", offer.at().toString())
                .put("offer", offer.key().id())
                .put("initiator", offer.key().initiator())
                .put("code", offer.code().name())
                .put("reason", offer.reason());
        offer.alternatives().stream().limit(1).forEach(r -> AgreementBody.addParts(entry.putArray("parts"), r));
        return entry;
    }

    private ApiAnswer ads(ApiRequest request) {
        var query = request.query();
        var shown = query.text("projection").stream()
                .flatMap(names -> Stream.of(names.split("[,\\s]+", -1)))
                .filter(name -> !name.isEmpty())
                .toList();
        var entries = advertised.find(
                query.text("type").orElse(""), query.text("constraint").orElse(""), shown, Integer.MAX_VALUE);
        return page(
                request,
                "ads",
                entries,
                ApiResources::nameOf,
                ad -> ApiAnswer.object()
                        .put("type", ad.type())
                        .put("name", ad.name())
                        .put("received", ad.received().toString())
                        .put("expires", ad.expires().toString())
                        .put("ad", ad.text()));
    }

    private static String nameOf(AdvertisedAds.Ad ad) {
        return ad.type().toLowerCase(Locale.ROOT) + "/" + ad.name().toLowerCase(Locale.ROOT);
    }

    static <T> ApiAnswer page(
            ApiRequest request, String title, List<T> all, Function<T, String> name, Function<T, ObjectNode> entry) {
        var page = page(request.query(), all, name);
        return page(request, title, page.shown(), entry, page.next());
    }

    /** A page in the order of names, beginning after the name in the parameter {@code after}. */
    private static <T> ListPage<T, String> page(QueryParameters query, List<T> all, Function<T, String> name) {
        String after = query.text("after").orElse("");
        List<T> rest = all.stream()
                .filter(element -> name.apply(element).compareTo(after) > 0)
                .sorted(Comparator.comparing(name))
                .limit(query.limit() + 1L)
                .toList();
        var shown = rest.subList(0, Math.min(query.limit(), rest.size()));
        return new ListPage<>(
                shown,
                rest.size() > shown.size() ? Optional.of(name.apply(shown.get(shown.size() - 1))) : Optional.empty());
    }

    /** A page with the address of the next one as a link of RFC 8288. */
    static <T> ApiAnswer page(
            ApiRequest request, String title, List<T> shown, Function<T, ObjectNode> entry, Optional<String> next) {
        ObjectNode body = ApiAnswer.object();
        var list = body.putArray(title);
        shown.forEach(element -> list.add(entry.apply(element)));
        next.ifPresent(last -> body.put("next", last));
        var answer = ApiAnswer.json(body);
        return next.map(last -> answer.with("Link", "<" + request.addressWith("after", last) + ">; rel=\"next\""))
                .orElse(answer);
    }
}
