package org.metasched.console;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusedOffer;
import org.metasched.overview.ListPage;
import org.metasched.overview.MatchService.Match;
import org.metasched.overview.RefusedOffers;
import org.metasched.trust.Authorizer;
import org.metasched.trust.NotAllowedException;

/** Reads what each page shows, as far as the person may see it. Thread-safe. */
record PageModels(ConsoleSources sources, Authorizer guard) {

    private static final int A_PAGE = 50;
    private static final int NEWEST = 20;
    private static final int MOST_LOOKS = 10;

    OverviewModel overview(PageContext view, OfferForm fields) throws InterruptedException {
        var span = TimeSpan.named(fields.text("span"));
        var from = TimeSpan.begin(fields.text("from"));
        var shown = span.shown(view.now(), from);
        var query = SlotQuery.of(fields);
        if (query.isPresent()) {
            guard.enter(view.call().during("POST /services/Plans"));
        }
        var living = sources.agreements().holding(shown, OverviewModel.MOST_SHOWN);
        return new OverviewModel(
                span,
                shown,
                from.isPresent(),
                sources.sites().look(span.ahead(shown, view.now()), site -> query.flatMap(q -> q.at(site))),
                living.stream().filter(view::sees).toList(),
                newest(view, Set.of(AgreementState.values()), Optional.empty(), NEWEST)
                        .shown(),
                sources.advertised().countByType(),
                query);
    }

    AgreementsModel agreements(PageContext view, OfferForm fields) {
        String state = fields.text("state");
        String id = fields.text("id");
        Set<AgreementState> states = state.isEmpty()
                ? EnumSet.allOf(AgreementState.class)
                : EnumSet.of(AgreementState.named(state)
                        .orElseThrow(() -> new IllegalArgumentException("There is no state (" + state + ").")));
        var after = Optional.of(fields.text("after"))
                .filter(last -> !last.isEmpty())
                .map(AgreementId::new);
        var page = id.isEmpty()
                ? newest(view, states, after, A_PAGE)
                : new ListPage<Agreement, AgreementId>(
                        sources.agreements().find(new AgreementId(id)).stream()
                                .filter(view::sees)
                                .toList(),
                        Optional.empty());
        return new AgreementsModel(state, id, page);
    }

    /** The newest that the person may see; of very many agreements of others only the newest are looked through. */
    private ListPage<Agreement, AgreementId> newest(
            PageContext view, Set<AgreementState> states, Optional<AgreementId> after, int most) {
        return ListPage.of(
                after,
                most,
                MOST_LOOKS,
                (last, n) -> sources.agreements().newest(states, last, n),
                Agreement::id,
                view::sees);
    }

    /** All for those who look after the server, for others their own: with the id of a match its holder gives it back. */
    List<Match> matches(PageContext view) {
        var subject = view.call().subject();
        return sources.matches().held().stream()
                .filter(match -> view.looksAfterTheServer()
                        || subject.isKnown() && match.owner().equals(subject.name()))
                .toList();
    }

    AdsModel ads(PageContext view, OfferForm fields) {
        guard.enter(view.call().during("Collector/Query"));
        String type = fields.text("type");
        String constraint = fields.text("constraint");
        var found = sources.advertised().find(type, constraint, AdsModel.MOST + 1);
        return new AdsModel(sources.advertised().countByType().keySet(), type, constraint, found);
    }

    OperationsModel operations(PageContext view) {
        if (!view.looksAfterTheServer()) {
            String why = "The figures of the server are shown to those who look after the server.";
            throw new NotAllowedException(why, false);
        }
        return sources.operations().get();
    }

    /** The question when, answered if it is asked. */
    WhenModel when(PageContext view, OfferForm fields) throws InterruptedException {
        var advice = fields.isFilled()
                ? Optional.of(AdviceModel.of(
                        sources.offers().ask(fields.read(), view.call()),
                        (request, way) -> OfferForm.offering(way, request.deadline())))
                : Optional.<AdviceModel>empty();
        return new WhenModel(sources.sites().sites(), fields, "", "", advice);
    }

    /** The question when again, with what is wrong with it, or why its offer is refused. */
    WhenModel refused(OfferForm fields, String code, String reason) {
        return new WhenModel(sources.sites().sites(), fields, code, reason, Optional.empty());
    }

    ListPage<RefusedOffer, Long> refused(PageContext view, OfferForm fields) {
        return RefusedOffers.seen(sources.agreements(), guard, view.call(), fields.text("before"), A_PAGE);
    }

    Optional<RefusedOfferModel> refused(PageContext view, long number) throws InterruptedException {
        var found = RefusedOffers.find(sources.agreements(), guard, view.call(), number);
        return found.isPresent() ? Optional.of(detail(found.get(), view)) : Optional.empty();
    }

    private RefusedOfferModel detail(RefusedOffer offer, PageContext view) throws InterruptedException {
        if (offer.alternatives().isEmpty()) {
            return new RefusedOfferModel(offer, Optional.empty());
        }
        var still = offer.alternatives().stream()
                .map(asked -> new AgreementRequest(
                        asked.parts(),
                        asked.earliest().filter(view.now()::isBefore),
                        asked.deadline().filter(view.now()::isBefore),
                        asked.preference(),
                        asked.lags()))
                .toList();
        var advice = AdviceModel.of(
                sources.offers().ask(still, view.call()),
                (request, way) -> sources.offers()
                        .document(request, view.call())
                        .map(document -> Map.of("document", document))
                        .orElse(Map.of()));
        return new RefusedOfferModel(offer, Optional.of(advice));
    }

    AgreementModel detail(Agreement agreement) {
        return new AgreementModel(agreement, sources.agreements().history(agreement.id()));
    }

    MatchModel detail(Match match) {
        return new MatchModel(match, sources.matches().dag(match));
    }

    Optional<Match> match(Matcher named, PageContext view) {
        return matches(view).stream()
                .filter(match -> match.id().equals(named.group(1)))
                .findFirst();
    }

    /** The agreement that an address names, whether the person may see it or not. */
    Optional<Agreement> agreement(Matcher named) {
        try {
            return sources.agreements().find(new AgreementId(named.group(1)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
