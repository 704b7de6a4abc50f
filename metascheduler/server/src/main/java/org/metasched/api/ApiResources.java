package org.metasched.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.making.OfferService;
import org.metasched.overview.AdvertisedAds;
import org.metasched.overview.ListPage;
import org.metasched.overview.MatchService;
import org.metasched.overview.RefusedOffers;
import org.metasched.overview.SiteQuery;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;

/** What the addresses show, each as the subject who asks may see it. */
public final class ApiResources {

    private static final String AGREEMENT = "/agreements/";

    private final OfferService service;
    private final SiteQuery sites;
    private final AdvertisedAds advertised;
    private final MatchService matches;
    private final Authorizer guard;

    /**
     * @param advertised what the collector has
     * @param matches all that are held now
     */
    public ApiResources(
            OfferService service, SiteQuery sites, AdvertisedAds advertised, MatchService matches, Authorizer guard) {
        this.service = service;
        this.sites = sites;
        this.advertised = advertised;
        this.matches = matches;
        this.guard = guard;
    }

    /** Empty when there is nothing at that path. */
    Optional<? extends JsonNode> read(String path, QueryParameters question) throws InterruptedException {
        return switch (path) {
            case "/sites" -> Optional.of(sites());
            case "/agreements" -> Optional.of(agreements(question));
            case "/refused" -> Optional.of(refused(question));
            case "/matches" -> seesAll(question) ? Optional.of(matches(question)) : Optional.empty();
            case "/ads" -> Optional.of(ads(question));
            default ->
                path.startsWith(AGREEMENT) ? agreement(path.substring(AGREEMENT.length()), question) : Optional.empty();
        };
    }

    private ObjectNode sites() throws InterruptedException {
        return page("sites", sites.look(), SiteBody::of, Optional.empty());
    }

    /** Reads on where others' agreements fill a page, so that a page that is not full is the last one. */
    private ObjectNode agreements(QueryParameters question) {
        var seen = ListPage.of(
                question.text("after").map(AgreementId::new),
                question.limit(),
                Integer.MAX_VALUE,
                (last, most) -> service.newest(question.states(), last, most),
                Agreement::id,
                agreement -> isSeen(agreement, question));
        return page("agreements", seen.shown(), AgreementBody::of, seen.next().map(AgreementId::value));
    }

    private ObjectNode refused(QueryParameters question) {
        var call = new Authorizer.Call(question.speaker(), "", "");
        var seen =
                RefusedOffers.seen(service, guard, call, question.text("after").orElse(""), question.limit());
        return page("refused", seen.shown(), ApiResources::refused, seen.next().map(String::valueOf));
    }

    private static ObjectNode refused(RefusedOffer one) {
        var entry = ReadApi.MAPPER
                .createObjectNode()
                .put("at", one.at().toString())
                .put("offer", one.key().id())
                .put("initiator", one.key().initiator())
                .put("code", one.code().name())
                .put("reason", one.reason());
        one.alternatives().stream().limit(1).forEach(request -> AgreementBody.asked(entry.putArray("parts"), request));
        return entry;
    }

    private Optional<ObjectNode> agreement(String text, QueryParameters question) {
        return service.find(new AgreementId(text))
                .filter(found -> isSeen(found, question))
                .map(AgreementBody::of);
    }

    private boolean isSeen(Agreement agreement, QueryParameters question) {
        return guard.shows(
                new Authorizer.Call(question.speaker(), "Agreement/GetResourceProperty", ""),
                ProtectedResource.agreement(
                        agreement.id().value(), agreement.offer().key().initiator()));
    }

    /** With the id of a match its holder gives it back: it is not for others. */
    private boolean seesAll(QueryParameters question) {
        return guard.policy()
                .decide(question.speaker(), "GET /metrics", Optional.empty())
                .isAllowed();
    }

    private ObjectNode matches(QueryParameters question) {
        return page(
                "matches",
                matches.held(),
                MatchService.Match::id,
                question,
                match -> ReadApi.MAPPER
                        .createObjectNode()
                        .put("id", match.id())
                        .put("site", match.site())
                        .put("confirmed", match.confirmed())
                        .put("taken", match.taken().toString())
                        .put("holder", match.holder()));
    }

    private ObjectNode ads(QueryParameters question) {
        var some = advertised.find(question.text("type").orElse(""), "", Integer.MAX_VALUE);
        return page(
                "ads",
                some,
                ApiResources::nameOf,
                question,
                ad -> ReadApi.MAPPER
                        .createObjectNode()
                        .put("type", ad.type())
                        .put("name", ad.name())
                        .put("received", ad.received().toString())
                        .put("expires", ad.expires().toString())
                        .put("ad", ad.text()));
    }

    private static String nameOf(AdvertisedAds.Ad ad) {
        return ad.type().toLowerCase(Locale.ROOT) + "/" + ad.name().toLowerCase(Locale.ROOT);
    }

    /** In the order of their names, beginning after the one that {@code after} says. */
    private static <T> ObjectNode page(
            String title,
            List<T> all,
            Function<T, String> name,
            QueryParameters question,
            Function<T, ObjectNode> entry) {
        String after = question.text("after").orElse("");
        List<T> rest = all.stream()
                .filter(one -> name.apply(one).compareTo(after) > 0)
                .sorted(Comparator.comparing(name))
                .limit(question.limit() + 1L)
                .toList();
        var shown = rest.subList(0, Math.min(question.limit(), rest.size()));
        return page(
                title,
                shown,
                entry,
                Optional.of(rest)
                        .filter(some -> some.size() > question.limit())
                        .map(some -> name.apply(shown.get(shown.size() - 1))));
    }

    private static <T> ObjectNode page(
            String title, List<T> shown, Function<T, ObjectNode> entry, Optional<String> next) {
        ObjectNode body = ReadApi.MAPPER.createObjectNode();
        var list = body.putArray(title);
        shown.forEach(one -> list.add(entry.apply(one)));
        next.ifPresent(last -> body.put("next", last));
        return body;
    }
}
