package org.metasched.console;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.making.Advice;
import org.metasched.agreement.making.AgreementService;
import org.metasched.console.Matches.Match;
import org.metasched.console.OverviewPage.Sight;
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
public final class Console extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(Console.class);
    static final String PATH = "/console";
    private static final Pattern AGREEMENT = Pattern.compile("/agreement/([^/]+)(/terminate|/renegotiate)?");
    private static final Pattern REFUSED = Pattern.compile("/refused/(\\d{1,17})");
    private static final Pattern MATCH = Pattern.compile("/matches/([0-9a-f-]{36})(/release|/rebind)?");
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'self'; connect-src 'self';"
                    + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
    /** Milliseconds between two looks for changes. */
    private static final String RETRY = "retry: 5000\n";

    private static final int NEWEST = 20;

    private final transient AgreementService service;
    private final transient SiteQuery sites;
    private final transient Advertised advertised;
    private final transient Matches matches;
    private final transient Operations operations;
    private final transient OfferApi wishes;
    private final transient Guard guard;
    private final transient Clock clock;
    /** Counts changes of agreements; begins anew with the server. */
    private final transient AtomicLong changes = new AtomicLong();

    public Console(
            AgreementService service,
            SiteQuery sites,
            Advertised advertised,
            Matches matches,
            Operations operations,
            OfferApi wishes,
            Guard guard,
            Clock clock) {
        this.service = service;
        this.sites = sites;
        this.advertised = advertised;
        this.matches = matches;
        this.operations = operations;
        this.wishes = wishes;
        this.guard = guard;
        this.clock = clock;
        service.onChange((before, agreement) -> {
            changes.incrementAndGet();
            sites.forgetWindows(agreement);
        });
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
        work(request, response, view -> {
            switch (path) {
                case "/" -> {
                    var sight = sight(view, request::getParameter);
                    answer(response, HttpServletResponse.SC_OK, new OverviewPage(view).write(sight));
                }
                case "/console.js" -> script(response);
                case "/events" -> event(request, response);
                case "/agreements" ->
                    answer(
                            response,
                            HttpServletResponse.SC_OK,
                            new AgreementsPage(view).write(service, request::getParameter));
                case "/refused" -> {
                    String before =
                            Optional.ofNullable(request.getParameter("before")).orElse("");
                    answer(response, HttpServletResponse.SC_OK, new RefusedPage(view).write(service, before));
                }
                case "/matches" ->
                    answer(
                            response,
                            HttpServletResponse.SC_OK,
                            new MatchesPage(view).write(MatchesPage.seen(matches, view)));
                case "/operations" -> {
                    if (!view.looksAfterTheServer()) {
                        String why = "The figures of the server are shown to those who look after the server.";
                        throw new NotAllowedException(why, false);
                    }
                    answer(response, HttpServletResponse.SC_OK, new OperationsPage(view).write(operations));
                }
                case "/ads" -> {
                    guard.enter(view.call().during("Collector/Query"));
                    answer(
                            response,
                            HttpServletResponse.SC_OK,
                            new AdsPage(view).write(advertised, request::getParameter));
                }
                case "/when" -> when(new OfferForm(request::getParameter), response, view);
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
                answer(response, HttpServletResponse.SC_FORBIDDEN, Frame.message("Refused", why, view));
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
            answer(response, HttpServletResponse.SC_BAD_REQUEST, Frame.message("Not understood", why, view));
        } catch (NotAllowedException e) {
            String why = (e.isBusy() ? "" : "You may not do this here. ") + e.getMessage();
            int status = e.isBusy() ? HttpServletResponse.SC_SERVICE_UNAVAILABLE : HttpServletResponse.SC_FORBIDDEN;
            answer(response, status, Frame.message(e.isBusy() ? "Not now" : "Not allowed", why, view));
        } catch (StoreUnavailableException e) {
            LOG.error("A page of the console could not be made", e);
            String why = "The database does not answer now, or takes too long. Load the page again in a moment.";
            answer(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, Frame.message("Not now", why, view));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        }
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

    private Sight sight(PageContext view, Function<String, @Nullable String> parameters) throws InterruptedException {
        var span = TimeSpan.named(AgreementsPage.text(parameters, "span"));
        var from = TimeSpan.begin(AgreementsPage.text(parameters, "from"));
        var shown = span.shown(view.now(), from);
        var wanted = SlotQuery.of(new OfferForm(parameters));
        if (wanted.isPresent()) {
            guard.enter(view.call().during("POST /services/Plans"));
        }
        var living = service.holding(shown, OverviewPage.MOST_SHOWN);
        return new Sight(
                span,
                shown,
                from.isPresent(),
                sites.look(span.ahead(shown, view.now()), site -> wanted.flatMap(w -> w.at(site))),
                living.stream().filter(view::sees).toList(),
                AgreementsPage.seen(service, view, Set.of(AgreementState.values()), Optional.empty(), NEWEST)
                        .shown(),
                advertised.countByType(),
                wanted);
    }

    private static void script(HttpServletResponse response) throws IOException {
        response.setContentType("text/javascript;charset=utf-8");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-cache");
        response.getOutputStream().write(Frame.resource("console.js").getBytes(StandardCharsets.UTF_8));
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
        var page = new WhenPage(view, sites.sites(), fields);
        try {
            var advice =
                    fields.isFilled() ? Optional.of(wishes.ask(fields.read(), view.call())) : Optional.<Advice>empty();
            answer(response, HttpServletResponse.SC_OK, page.write(advice));
        } catch (IllegalArgumentException e) {
            answer(response, HttpServletResponse.SC_BAD_REQUEST, page.refused(String.valueOf(e.getMessage())));
        }
    }

    private void offer(OfferForm fields, Optional<AgreementId> replaced, HttpServletResponse response, PageContext view)
            throws IOException, InterruptedException {
        String document = fields.text("document");
        var outcome = document.isEmpty()
                ? wishes.offer(fields.read(), replaced, view.call())
                : wishes.offer(document, replaced, view.call());
        var made = outcome.fold(created -> Optional.of(created.agreement().id()), refused -> {
            var page = new WhenPage(view, sites.sites(), fields);
            answer(response, HttpServletResponse.SC_CONFLICT, page.refused(refused));
            return Optional.<AgreementId>empty();
        });
        if (made.isPresent()) {
            goTo(response, view.home() + "/agreement/" + made.get());
        }
    }

    private Optional<Match> match(Matcher named, PageContext view) {
        return MatchesPage.seen(matches, view).stream()
                .filter(match -> match.id().equals(named.group(1)))
                .findFirst();
    }

    private void other(String path, HttpServletResponse response, PageContext view)
            throws IOException, InterruptedException {
        var number = REFUSED.matcher(path);
        var page = new RefusedPage(view);
        var refused = number.matches() ? page.find(service, number.group(1)) : Optional.<RefusedOffer>empty();
        var match = MATCH.matcher(path);
        var held = match.matches() && match.group(2) == null ? match(match, view) : Optional.<Match>empty();
        if (held.isPresent()) {
            String written = new MatchesPage(view).write(held.get(), matches.dag(held.get()));
            answer(response, HttpServletResponse.SC_OK, written);
        } else if (refused.isPresent()) {
            answer(response, HttpServletResponse.SC_OK, page.write(refused.get(), wishes));
        } else {
            agreement(path, response, view);
        }
    }

    private void agreement(String path, HttpServletResponse response, PageContext view) throws IOException {
        var named = AGREEMENT.matcher(path);
        var found = named.matches() && named.group(2) == null ? agreement(named) : Optional.<Agreement>empty();
        if (found.filter(view::sees).isPresent()) {
            var history = service.history(found.get().id());
            answer(response, HttpServletResponse.SC_OK, new AgreementPage(view).write(found.get(), history));
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
        answer(response, HttpServletResponse.SC_NOT_FOUND, Frame.message("Not here", why, view));
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
        service.terminate(id, "Terminated in the console by " + view.call().subject() + ".");
        goTo(response, view.home() + "/agreement/" + id);
    }

    /** After a form: so that loading the page again does not send the form again. */
    static void goTo(HttpServletResponse response, String address) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", address);
        response.setHeader("Cache-Control", "no-store");
    }

    static void answer(HttpServletResponse response, int status, String page) throws IOException {
        response.setStatus(status);
        response.setContentType("text/html;charset=utf-8");
        for (var header : List.of(
                Map.entry("Content-Security-Policy", POLICY),
                Map.entry("X-Content-Type-Options", "nosniff"),
                Map.entry("X-Frame-Options", "DENY"),
                // With no-referrer, browsers send forms with the origin "null".
                Map.entry("Referrer-Policy", "same-origin"),
                Map.entry("Cache-Control", "no-store"))) {
            response.setHeader(header.getKey(), header.getValue());
        }
        response.getOutputStream().write(page.getBytes(StandardCharsets.UTF_8));
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
