package org.metasched.console;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.making.OfferService;
import org.metasched.console.Matches.Match;
import org.metasched.console.PageOutput.Template;
import org.metasched.http.HttpServer;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.trust.Guard;
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages for people under {@code /console}, made on the server: nothing is loaded from elsewhere. Shows what the person may see, and ends what
 * the person may end: the guard decides each action by the name that it has as an operation of a service. Asks all sites for each view of the
 * first page.
 */
public final class Console extends HttpServlet implements AgreementListener {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(Console.class);
    static final String PATH = "/console";
    private static final Pattern AGREEMENT = Pattern.compile("/agreement/([^/]+)(/terminate|/renegotiate)?");
    private static final Pattern REFUSED = Pattern.compile("/refused/(\\d{1,17})");
    private static final Pattern MATCH = Pattern.compile("/matches/([0-9a-f-]{36})(/release|/rebind)?");
    /** Milliseconds between two looks for changes. */
    private static final String RETRY = "retry: 5000\n";

    private static final int NEWEST = 20;
    private static final int A_PAGE = 50;
    private static final int MOST_LOOKS = 10;

    private final transient OfferService service;
    private final transient SiteQuery sites;
    private final transient Advertised advertised;
    private final transient Matches matches;
    private final transient Operations operations;
    private final transient OfferApi offers;
    private final transient Guard guard;
    private final transient Clock clock;
    /** Counts changes of agreements; begins anew with the server. */
    private final transient AtomicLong changes = new AtomicLong();

    public Console(
            OfferService service,
            SiteQuery sites,
            Advertised advertised,
            Matches matches,
            Operations operations,
            OfferApi offers,
            Guard guard,
            Clock clock) {
        this.service = service;
        this.sites = sites;
        this.advertised = advertised;
        this.matches = matches;
        this.operations = operations;
        this.offers = offers;
        this.guard = guard;
        this.clock = clock;
    }

    @Override
    public void changed(AgreementState before, Agreement agreement) {
        changes.incrementAndGet();
        sites.forgetWindows(agreement);
    }

    /** For the root of the server: the way to the console. */
    public static HttpServlet entrance() {
        return new Entrance();
    }

    /** An answer to a request, or the way to it. */
    private interface Work {
        void run(PageContext view) throws IOException, InterruptedException;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = Optional.ofNullable(request.getPathInfo()).orElse("/");
        var fields = new OfferForm(request::getParameter);
        work(request, response, view -> {
            switch (path) {
                case "/" -> show(response, JteOverviewGenerated::render, view, overview(view, fields));
                case "/console.js" -> script(response);
                case "/events" -> event(request, response);
                case "/agreements" -> show(response, JteAgreementsGenerated::render, view, agreements(view, fields));
                case "/refused" -> {
                    var page = RefusedOffers.seen(service, guard, view.call(), fields.text("before"), A_PAGE);
                    show(response, JteRefusedOffersGenerated::render, view, page);
                }
                case "/matches" -> show(response, JteMatchTableGenerated::render, view, matches(view));
                case "/operations" -> {
                    if (!view.looksAfterTheServer()) {
                        String why = "The figures of the server are shown to those who look after the server.";
                        throw new NotAllowedException(why, false);
                    }
                    var model = new OperationsModel(operations.health(), operations.figures());
                    show(response, JteOperationsGenerated::render, view, model);
                }
                case "/ads" -> show(response, JteAdsGenerated::render, view, ads(view, fields));
                case "/when" -> when(fields, response, view);
                default -> other(path, response, view);
            }
        });
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = Optional.ofNullable(request.getPathInfo()).orElse("/");
        work(request, response, view -> {
            if (!CsrfToken.isRight(request, view.call().subject())) {
                String why =
                        "This form was not made here for you, or is too old. Go back, load the page again and repeat"
                                + " it.";
                say(response, HttpServletResponse.SC_FORBIDDEN, "Refused", why, view);
            } else if (path.equals("/logout")) {
                CsrfToken.setCookie(request, response, HttpServer.SESSION, "");
                goTo(response, view.home() + "/login");
            } else if (path.equals("/offer")) {
                offer(new OfferForm(request::getParameter), Optional.empty(), response, view);
            } else {
                act(path, new OfferForm(request::getParameter), response, view);
            }
        });
    }

    private void work(HttpServletRequest request, HttpServletResponse response, Work work) throws IOException {
        var view = view(request, response);
        try {
            work.run(view);
        } catch (IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage());
            say(response, HttpServletResponse.SC_BAD_REQUEST, "Not understood", why, view);
        } catch (NotAllowedException e) {
            String why = (e.isBusy() ? "" : "You may not do this here. ") + e.getMessage();
            int status = e.isBusy() ? HttpServletResponse.SC_SERVICE_UNAVAILABLE : HttpServletResponse.SC_FORBIDDEN;
            say(response, status, e.isBusy() ? "Not now" : "Not allowed", why, view);
        } catch (StoreUnavailableException e) {
            LOG.error("A page of the console could not be made", e);
            String why = "The database does not answer now, or takes too long. Load the page again in a moment.";
            say(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "Not now", why, view);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        }
    }

    private static <M> void show(HttpServletResponse response, Template<M> template, PageContext view, M model)
            throws IOException {
        PageOutput.answer(response, HttpServletResponse.SC_OK, template, view, model);
    }

    /** A page that says one thing. */
    private static void say(HttpServletResponse response, int status, String title, String text, PageContext view)
            throws IOException {
        PageOutput.answer(response, status, JteMessageGenerated::render, view, new MessageModel(title, text));
    }

    private PageContext view(HttpServletRequest request, HttpServletResponse response) {
        var subject = request.getAttribute(Subject.ATTRIBUTE) instanceof Subject known ? known : Subject.ANONYMOUS;
        return new PageContext(
                request.getContextPath() + PATH,
                clock.instant(),
                changes.get(),
                guard,
                new Guard.Call(subject, PATH, request.getRemoteAddr() + ":" + request.getRemotePort()),
                CsrfToken.of(request, response, subject));
    }

    private OverviewModel overview(PageContext view, OfferForm fields) throws InterruptedException {
        var span = TimeSpan.named(fields.text("span"));
        var from = TimeSpan.begin(fields.text("from"));
        var shown = span.shown(view.now(), from);
        var query = SlotQuery.of(fields);
        if (query.isPresent()) {
            guard.enter(view.call().during("POST /services/Plans"));
        }
        var living = service.holding(shown, OverviewModel.MOST_SHOWN);
        return new OverviewModel(
                span,
                shown,
                from.isPresent(),
                sites.look(span.ahead(shown, view.now()), site -> query.flatMap(q -> q.at(site))),
                living.stream().filter(view::sees).toList(),
                newest(view, Set.of(AgreementState.values()), Optional.empty(), NEWEST)
                        .shown(),
                advertised.countByType(),
                query);
    }

    private AgreementsModel agreements(PageContext view, OfferForm fields) {
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
                : new Page<Agreement, AgreementId>(
                        service.find(new AgreementId(id)).stream()
                                .filter(view::sees)
                                .toList(),
                        Optional.empty());
        return new AgreementsModel(state, id, page);
    }

    /** The newest that the person may see; of very many agreements of others only the newest are looked through. */
    private Page<Agreement, AgreementId> newest(
            PageContext view, Set<AgreementState> states, Optional<AgreementId> after, int most) {
        return Page.of(
                after, most, MOST_LOOKS, (last, n) -> service.newest(states, last, n), Agreement::id, view::sees);
    }

    /** All for those who look after the server, for others their own: with the id of a match its holder gives it back. */
    private List<Match> matches(PageContext view) {
        var subject = view.call().subject();
        return matches.held().stream()
                .filter(match -> view.looksAfterTheServer()
                        || subject.isKnown() && match.owner().equals(subject.name()))
                .toList();
    }

    private AdsModel ads(PageContext view, OfferForm fields) {
        guard.enter(view.call().during("Collector/Query"));
        String type = fields.text("type");
        String constraint = fields.text("constraint");
        var found = advertised.find(type, constraint, AdsModel.MOST + 1);
        return new AdsModel(advertised.countByType().keySet(), type, constraint, found);
    }

    private static void script(HttpServletResponse response) throws IOException {
        response.setContentType("text/javascript;charset=utf-8");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-cache");
        response.getOutputStream().write(PageOutput.SCRIPT.getBytes(StandardCharsets.UTF_8));
    }

    /** One server-sent event, if anything has changed since the page was made or the last event; the browser asks again by itself. */
    private void event(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String now = String.valueOf(changes.get());
        String known = Optional.ofNullable(request.getHeader("Last-Event-ID"))
                .orElse(String.valueOf(request.getParameter("since")));
        response.setContentType("text/event-stream;charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        String event = known.equals(now) ? ":\n\n" : "event: changed\nid: " + now + "\ndata: " + now + "\n\n";
        response.getOutputStream().write((RETRY + event).getBytes(StandardCharsets.UTF_8));
    }

    private void when(OfferForm fields, HttpServletResponse response, PageContext view)
            throws IOException, InterruptedException {
        try {
            var advice = fields.isFilled()
                    ? Optional.of(AdviceModel.of(
                            offers.ask(fields.read(), view.call()),
                            (request, way) -> OfferForm.offering(way, request.deadline())))
                    : Optional.<AdviceModel>empty();
            var model = new WhenModel(sites.sites(), fields, "", "", advice);
            show(response, JteWhenGenerated::render, view, model);
        } catch (IllegalArgumentException e) {
            refuse(HttpServletResponse.SC_BAD_REQUEST, fields, "", String.valueOf(e.getMessage()), response, view);
        }
    }

    /** The question again, with what is wrong with it or why its offer is refused. */
    private void refuse(
            int status, OfferForm fields, String code, String reason, HttpServletResponse response, PageContext view)
            throws IOException {
        var model = new WhenModel(sites.sites(), fields, code, reason, Optional.empty());
        PageOutput.answer(response, status, JteWhenGenerated::render, view, model);
    }

    private void offer(OfferForm fields, Optional<AgreementId> replaced, HttpServletResponse response, PageContext view)
            throws IOException, InterruptedException {
        String document = fields.text("document");
        var outcome = document.isEmpty()
                ? offers.offer(fields.read(), replaced, view.call())
                : offers.offer(document, replaced, view.call());
        var made = outcome.fold(created -> Optional.of(created.agreement().id()), refused -> {
            int status = HttpServletResponse.SC_CONFLICT;
            refuse(status, fields, refused.code().name(), refused.reason(), response, view);
            return Optional.<AgreementId>empty();
        });
        if (made.isPresent()) {
            goTo(response, view.home() + "/agreement/" + made.get());
        }
    }

    private Optional<Match> match(Matcher named, PageContext view) {
        return matches(view).stream()
                .filter(match -> match.id().equals(named.group(1)))
                .findFirst();
    }

    private void other(String path, HttpServletResponse response, PageContext view)
            throws IOException, InterruptedException {
        var number = REFUSED.matcher(path);
        var refused = number.matches()
                ? RefusedOffers.find(service, view, Long.parseLong(number.group(1)))
                : Optional.<RefusedOffer>empty();
        var match = MATCH.matcher(path);
        var held = match.matches() && match.group(2) == null ? match(match, view) : Optional.<Match>empty();
        if (held.isPresent()) {
            var model = new MatchModel(held.get(), matches.dag(held.get()));
            show(response, JteMatchDetailGenerated::render, view, model);
        } else if (refused.isPresent()) {
            show(response, JteRefusedOfferDetailGenerated::render, view, refused(refused.get(), view));
        } else {
            agreement(path, response, view);
        }
    }

    private RefusedOfferModel refused(RefusedOffer offer, PageContext view) throws InterruptedException {
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
                offers.ask(still, view.call()),
                (request, way) -> offers.document(request, view.call())
                        .map(document -> Map.of("document", document))
                        .orElse(Map.of()));
        return new RefusedOfferModel(offer, Optional.of(advice));
    }

    private void agreement(String path, HttpServletResponse response, PageContext view) throws IOException {
        var named = AGREEMENT.matcher(path);
        var found = named.matches() && named.group(2) == null ? agreement(named) : Optional.<Agreement>empty();
        if (found.filter(view::sees).isPresent()) {
            var history = service.history(found.get().id());
            show(response, JteAgreementDetailGenerated::render, view, new AgreementModel(found.get(), history));
        } else {
            nothing(response, view);
        }
    }

    private Optional<Agreement> agreement(Matcher named) {
        try {
            return service.find(new AgreementId(named.group(1)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void nothing(HttpServletResponse response, PageContext view) throws IOException {
        String why = "There is no such page, or the agreement was forgotten, or it is another's.";
        say(response, HttpServletResponse.SC_NOT_FOUND, "Not here", why, view);
    }

    private void act(String path, OfferForm fields, HttpServletResponse response, PageContext view)
            throws IOException, InterruptedException {
        var named = AGREEMENT.matcher(path);
        var match = MATCH.matcher(path);
        if (match.matches() && match.group(2) != null) {
            guard.enter(view.call().during("Collector/SettleMatch"));
            var held = match(match, view);
            if (held.isPresent() && match.group(2).equals("/release")) {
                matches.release(UUID.fromString(match.group(1)));
            } else if (held.isPresent() && matches.rebind(held.get()).isEmpty()) {
                throw new IllegalArgumentException("The DAG stays where it is: no other site matches it now.");
            }
            goTo(response, view.home() + "/matches");
        } else if (named.matches() && named.group(2) != null) {
            change(agreement(named).filter(view::sees), named.group(2), fields, response, view);
        } else {
            nothing(response, view);
        }
    }

    /** One that has come to its end meanwhile is shown as it is. */
    private void change(
            Optional<Agreement> agreement,
            String what,
            OfferForm fields,
            HttpServletResponse response,
            PageContext view)
            throws IOException, InterruptedException {
        if (agreement.isEmpty()) {
            nothing(response, view);
            return;
        }
        var id = agreement.get().id();
        if (!guard.permits(view.call().during("Agreement/Terminate"), PageContext.thing(agreement.get()))) {
            throw new NotAllowedException("The agreement is another's.", false);
        }
        if (what.equals("/renegotiate")) {
            offer(fields, Optional.of(id), response, view);
            return;
        }
        service.end(id, "Terminated in the console by " + view.call().subject() + ".");
        goTo(response, view.home() + "/agreement/" + id);
    }

    /** After a form: so that loading the page again does not send the form again. */
    static void goTo(HttpServletResponse response, String address) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", address);
        response.setHeader("Cache-Control", "no-store");
    }

    private static final class Entrance extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            response.setStatus(HttpServletResponse.SC_FOUND);
            response.setHeader("Location", request.getContextPath() + PATH);
        }
    }
}
