package org.metasched.console;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.OfferAdvice.Piece;
import org.metasched.console.ConsoleOffers.SlotRequest;
import org.metasched.console.HomeModel.Quota;
import org.metasched.overview.ListPage;
import org.metasched.overview.MatchService.Match;
import org.metasched.overview.RefusedOffers;
import org.metasched.trust.Authorizer;
import org.metasched.trust.NotAllowedException;

/** Reads what each page shows, as far as the person may see it. Thread-safe. */
record PageModels(ConsoleSources sources, Authorizer guard) {

    private static final int PAGE_SIZE = 50;
    private static final int MOST_ENDED = 8;
    private static final int MOST_REFUSED = 3;
    private static final int MOST_LOOKS = 10;

    private static final Set<AgreementState> ENDED =
            EnumSet.of(AgreementState.REJECTED, AgreementState.COMPLETE, AgreementState.TERMINATED);

    /** The page of the person; no site is asked. */
    HomeModel home(PageContext view) {
        var refused = refused(view, new OfferForm(any -> null)).shown().stream()
                .filter(offer -> !view.call().subject().isKnown()
                        || offer.key().initiator().equals(view.call().subject().name()));
        return new HomeModel(
                newest(EnumSet.complementOf(EnumSet.copyOf(ENDED)), Optional.empty(), PAGE_SIZE, own(view))
                        .shown(),
                newest(ENDED, Optional.empty(), MOST_ENDED, own(view)).shown(),
                refused.limit(MOST_REFUSED).toList(),
                quotas(view));
    }

    private static Predicate<Agreement> own(PageContext view) {
        return agreement -> view.owns(agreement) && view.sees(agreement);
    }

    private List<Quota> quotas(PageContext view) {
        return guard.allowances(view.call().subject()).stream()
                .flatMap(allowance -> {
                    var limits = allowance.limits();
                    var used = sources.agreements().held(allowance.members());
                    return Stream.of(
                            new Quota(allowance.vo(), "Agreements", used.agreements(), limits.livingAgreements()),
                            new Quota(allowance.vo(), "Node-hours", used.nodeHours(), limits.nodeHours()));
                })
                .toList();
    }

    /** The person for whom sites are asked. */
    private static Optional<Requester> person(PageContext view) {
        return view.call().subject().requester();
    }

    PictureModel picture(PageContext view, OfferForm fields) throws InterruptedException {
        var span = TimeSpan.named(fields.text("span"));
        var from = TimeSpan.begin(fields.text("from"));
        var shown = span.shown(view.now(), from);
        String initiator = fields.text("initiator");
        var living = sources.agreements().holding(shown, PictureModel.MOST_READ);
        var seen = living.stream()
                .filter(agreement -> agreement.offer().key().initiator().contains(initiator) && view.sees(agreement))
                .toList();
        var ahead = span.ahead(shown, view.now());
        var page = page(fields);
        var sites = sources.sites().snapshots(page.shown(), ahead, person(view), any -> Optional.empty());
        boolean isCut = living.size() == PictureModel.MOST_READ;
        return new PictureModel(span, shown, from.isPresent(), sites, seen, isCut, Optional.empty(), page, initiator);
    }

    /** A page of sites; only these are asked. */
    SitesModel sites(PageContext view, OfferForm fields) throws InterruptedException {
        var page = page(fields);
        var day = new TimeSlot(view.now(), view.now().plus(1, ChronoUnit.DAYS));
        var ahead = TimeSpan.DAY.ahead(day, view.now());
        var oneNode = new ResourceRequest(new Need.Nodes(1), Duration.ofMinutes(15), person(view));
        var shown = sources.sites().snapshots(page.shown(), ahead, person(view), site -> Optional.of(oneNode));
        return new SitesModel(ahead.orElse(day), shown, page);
    }

    private SitePage page(OfferForm fields) {
        return SitePage.of(sources.sites().sites(), fields.text("site"), fields.text("after"));
    }

    AgreementsModel agreements(PageContext view, OfferForm fields) {
        String state = fields.text("state");
        Set<AgreementState> states = state.isEmpty()
                ? EnumSet.allOf(AgreementState.class)
                : EnumSet.of(AgreementState.named(state)
                        .orElseThrow(() -> new IllegalArgumentException("There is no state (" + state + ").")));
        var after = Optional.of(fields.text("after"))
                .filter(last -> !last.isEmpty())
                .map(AgreementId::new);
        var page =
                newest(states, after, PAGE_SIZE, AgreementsModel.filter(fields).and(view::sees));
        return new AgreementsModel(fields, sources.sites().sites(), page);
    }

    /** The newest that are wanted; ends after {@value #MOST_LOOKS} pages of the store, whether it has found enough or not. */
    private ListPage<Agreement, AgreementId> newest(
            Set<AgreementState> states, Optional<AgreementId> after, int most, Predicate<Agreement> wanted) {
        return ListPage.of(
                after,
                most,
                MOST_LOOKS,
                (last, n) -> sources.agreements().newest(states, last, n),
                Agreement::id,
                wanted);
    }

    List<Match> matches(PageContext view) {
        return sources.matches().seen(guard, view.call().subject());
    }

    AdsModel ads(PageContext view, OfferForm fields) {
        guard.enter(view.call().during("Collector/Query"));
        String type = fields.text("type");
        String constraint = fields.text("constraint");
        var ads = sources.advertised().find(type, constraint, List.of(), AdsModel.MOST + 1);
        return new AdsModel(sources.advertised().countByType(), type, constraint, ads);
    }

    OperationsModel operations(PageContext view) {
        if (!view.looksAfterServer()) {
            throw new NotAllowedException("Only those who look after the server see its figures.", false);
        }
        return sources.operations().get();
    }

    /** The page of a search, with its answer if the form is filled. */
    FindModel find(PageContext view, OfferForm fields) throws InterruptedException {
        var query = SlotQuery.of(fields, person(view));
        if (query.isEmpty()) {
            return form(fields, "", "");
        }
        var request = query.get().request();
        var advice = plan(request, view);
        var from = request.earliest().filter(view.now()::isBefore);
        var span = request.deadline()
                .map(end -> TimeSpan.covering(Duration.between(from.orElse(view.now()), end)))
                .orElse(TimeSpan.TWO_DAYS);
        var shown = span.shown(view.now(), from);
        var ahead = span.ahead(shown, view.now());
        var all = sources.sites().sites();
        var sites = sources.sites().snapshots(all, ahead, person(view), query.get()::at);
        var picture = new PictureModel(
                span, shown, from.isPresent(), sites, List.of(), false, query, new SitePage(all, "", all), "");
        return new FindModel(all, fields, "", "", Optional.of(advice), Optional.of(picture));
    }

    private AdviceModel plan(SlotRequest wish, PageContext view) throws InterruptedException {
        return AdviceModel.of(
                sources.offers().plan(wish, view.call()),
                (request, way) -> OfferForm.offering(way, request.deadline()));
    }

    /** The plan of a request, before it is offered. */
    PromiseModel promise(PageContext view, OfferForm fields) throws InterruptedException {
        var advice = plan(fields.read(), view);
        var replaced = agreement(fields.text("replaces")).filter(view::mayEnd);
        var sites = advice.plans().stream()
                .limit(1)
                .flatMap(plan -> plan.way().pieces().stream())
                .map(Piece::site)
                .distinct()
                .toList();
        return new PromiseModel(replaced, advice, sources.sites().snapshots(sites));
    }

    /** The form as it was filled, with the fault of what was asked, if any. */
    FindModel form(OfferForm fields, String code, String reason) {
        return new FindModel(sources.sites().sites(), fields, code, reason, Optional.empty(), Optional.empty());
    }

    /** The form as it was filled, with the reason why its offer is refused, and what could be had instead. */
    FindModel form(PageContext view, OfferForm fields, Refused refusal) throws InterruptedException {
        var advice = fields.isFilled() && refusal.code() != RefusalCode.BUSY
                ? Optional.of(plan(fields.read(), view))
                : Optional.<AdviceModel>empty();
        return new FindModel(
                sources.sites().sites(), fields, refusal.code().name(), refusal.reason(), advice, Optional.empty());
    }

    ListPage<RefusedOffer, Long> refused(PageContext view, OfferForm fields) {
        return RefusedOffers.seen(
                sources.agreements(), guard, view.call(), view.now(), fields.text("before"), PAGE_SIZE);
    }

    Optional<RefusedOfferModel> refused(PageContext view, long number) throws InterruptedException {
        var offer = RefusedOffers.find(sources.agreements(), guard, view.call(), view.now(), number);
        return offer.isPresent() ? Optional.of(detail(offer.get(), view)) : Optional.empty();
    }

    private RefusedOfferModel detail(RefusedOffer offer, PageContext view) throws InterruptedException {
        if (offer.alternatives().isEmpty()) {
            return new RefusedOfferModel(offer, Optional.empty());
        }
        var alternatives = offer.alternatives().stream()
                .map(request -> request.with(
                        request.parts(),
                        request.earliest().filter(view.now()::isBefore),
                        request.deadline().filter(view.now()::isBefore)))
                .toList();
        var advice = AdviceModel.of(
                sources.offers().plan(alternatives, view.call()),
                (request, way) -> sources.offers()
                        .document(request, view.call().subject().name())
                        .map(document -> Map.of("document", document))
                        .orElse(Map.of()));
        return new RefusedOfferModel(offer, Optional.of(advice));
    }

    AgreementModel detail(Agreement agreement) {
        return new AgreementModel(agreement, sources.agreements().history().history(agreement.id()));
    }

    MatchModel detail(Match match) {
        return new MatchModel(match, sources.matches().dag(match));
    }

    Optional<Match> match(String id, PageContext view) {
        return matches(view).stream().filter(match -> match.id().equals(id)).findFirst();
    }

    /** The agreement that an address names, whether the person may see it or not. */
    Optional<Agreement> agreement(String id) {
        try {
            return sources.agreements().find(new AgreementId(id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
