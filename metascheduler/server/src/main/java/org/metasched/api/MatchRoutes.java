package org.metasched.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.metasched.matches.OwnMatches;
import org.metasched.overview.MatchService;
import org.metasched.overview.MatchService.Match;
import org.metasched.trust.Authorizer;

/**
 * Matches of sites, and the DAGs that hold some, in the REST API. Callers see their own matches and operators all. Callers acquire, renew,
 * commit and release their own. Thread-safe.
 *
 * @param matches reader of all matches that are held now
 * @param own writer of the caller's own matches
 */
public record MatchRoutes(MatchService matches, OwnMatches own, Authorizer guard) {

    private static final Pattern MATCH_ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/matches", request -> Optional.of(list(request, "matches", "holder", match -> true))),
                ApiRoute.get(
                        "/matches/{id}", request -> seen(request).map(match -> ApiAnswer.json(entry(match, "holder")))),
                ApiRoute.get("/dags", request -> Optional.of(list(request, "dags", "directory", Match::isOfDag))),
                ApiRoute.get(
                        "/dags/{id}",
                        request -> seen(request).filter(Match::isOfDag).map(this::dag)),
                ApiRoute.of("POST", "/matches", "Collector/TakeMatch", request -> Optional.of(take(request))),
                ApiRoute.of("PATCH", "/matches/{id}", "Collector/RenewMatch", this::renewOrCommit),
                ApiRoute.of("DELETE", "/matches/{id}", "Collector/SettleMatch", this::release));
    }

    /** @param holder the key of the holder in each entry */
    private ApiAnswer list(ApiRequest request, String title, String holder, Predicate<Match> wanted) {
        var all = matches.seen(guard, request.call().subject()).stream()
                .filter(wanted)
                .toList();
        return ApiResources.page(request, title, all, Match::id, match -> entry(match, holder));
    }

    private Optional<Match> seen(ApiRequest request) {
        return matches.seen(guard, request.call().subject()).stream()
                .filter(match -> match.id().equals(request.id()))
                .findFirst();
    }

    private static ObjectNode entry(Match match, String holder) {
        return ApiAnswer.object()
                .put("id", match.id())
                .put("site", match.site())
                .put("confirmed", match.confirmed())
                .put("taken", match.taken().toString())
                .put(holder, match.holder())
                .put("owner", match.owner())
                .put("matches", match.matches());
    }

    /** A bound DAG, with its progress where this server may look into its directory. */
    private ApiAnswer dag(Match match) {
        var json = entry(match, "directory");
        matches.dag(match).ifPresent(dag -> {
            json.put("state", dag.word()).put("nodes", dag.nodes());
            dag.states().forEach(json.putObject("states")::put);
            dag.expectedEnd().ifPresent(end -> json.put("expectedEnd", end.toString()));
        });
        return ApiAnswer.json(json);
    }

    private ApiAnswer take(ApiRequest request) {
        var body = JsonFields.checkKeys(request.body(), Set.of("site", "holder", "nodes"), "match");
        String site = JsonFields.text(body, "site").orElse("");
        String holder = JsonFields.text(body, "holder").orElse("");
        int nodes = JsonFields.number(body, "nodes").orElse(1);
        var match = own.take(request.call(), site, holder, nodes)
                .orElseThrow(
                        () -> new ProblemException(409, "NO_ROOM", "The site " + site + " has no match left now."));
        var json = ApiAnswer.object().put("id", match.toString()).put("site", site);
        return ApiAnswer.json(201, json).with("Location", ApiServlet.BASE + "/matches/" + match);
    }

    /** Renews the lease of a match, or commits the match where the body has {@code confirmed}. */
    private Optional<ApiAnswer> renewOrCommit(ApiRequest request) {
        var body = JsonFields.checkKeys(request.body(), Set.of("confirmed"), "match");
        boolean commits = JsonFields.isTrue(body, "confirmed");
        var call = commits ? request.call().during("Collector/SettleMatch") : request.call();
        if (commits) {
            guard.enter(call);
        }
        return matchId(request)
                .filter(id -> commits ? own.commit(call, id) : own.renew(call, id))
                .map(id -> ApiAnswer.json(
                        ApiAnswer.object().put("id", id.toString()).put("confirmed", commits)));
    }

    private Optional<ApiAnswer> release(ApiRequest request) {
        return matchId(request).filter(id -> own.release(request.call(), id)).map(id -> ApiAnswer.empty(204));
    }

    private static Optional<UUID> matchId(ApiRequest request) {
        return Optional.of(request.id()).filter(MATCH_ID.asMatchPredicate()).map(UUID::fromString);
    }
}
