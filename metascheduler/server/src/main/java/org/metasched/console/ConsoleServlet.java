package org.metasched.console;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.console.PageOutput.Template;
import org.metasched.http.HttpServer;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.overview.DocumentOffers;
import org.metasched.trust.Authorizer;
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servlet of the pages under {@code /console}, which are made on the server and load nothing from elsewhere. It shows what the person may
 * see, and ends what the person may end: the authorizer decides each action by the name that it has as an operation of a service.
 */
public final class ConsoleServlet extends HttpServlet implements AgreementListener {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleServlet.class);
    static final String PATH = "/console";
    private static final Pattern CALENDAR = Pattern.compile("/agreement/([^/]+)/calendar");
    private static final Pattern AGREEMENT = Pattern.compile("/agreement/([^/]+)(/terminate|/renegotiate)?");
    private static final Pattern REFUSED = Pattern.compile("/refused/(\\d{1,17})");
    private static final Pattern MATCH = Pattern.compile("/matches/([0-9a-f-]{36})(/release|/rebind)?");
    private static final int LONGEST_REASON = 500;
    /** Cookie in which the script tells the time zone of the browser. */
    private static final String ZONE_COOKIE = "metasched-zone";
    /** Tells the browser to wait 5,000 ms before it asks for changes again. */
    private static final String RETRY = "retry: 5000\n";

    private final transient ConsoleSources sources;
    private final transient PageModels models;
    private final transient Authorizer guard;
    private final transient Clock clock;
    /** Counts changes of agreements; begins anew with the server. */
    private final transient AtomicLong changes = new AtomicLong();

    public ConsoleServlet(ConsoleSources sources, Authorizer guard, Clock clock) {
        this.sources = sources;
        this.models = new PageModels(sources, guard);
        this.guard = guard;
        this.clock = clock;
    }

    @Override
    public void changed(AgreementState before, Agreement agreement) {
        changes.incrementAndGet();
        sources.sites().forgetWindows(agreement);
    }

    /** The servlet of the server's root, which redirects to the console. */
    public static HttpServlet entrance() {
        return new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                response.setStatus(HttpServletResponse.SC_FOUND);
                response.setHeader("Location", request.getContextPath() + PATH);
            }
        };
    }

    /** Answers a request. */
    private interface Work {
        void run(String path, OfferForm fields, PageReply reply) throws IOException, InterruptedException;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        work(request, response, (path, fields, reply) -> {
            var view = reply.view();
            switch (path) {
                case "/" -> reply.show(JteHomeGenerated::render, models.home(view));
                case "/picture" -> reply.show(JtePictureGenerated::render, models.picture(view, fields));
                case "/sites" -> reply.show(JteSitesGenerated::render, models.sites(view, fields));
                case "/console.js" -> sendScript(response);
                case "/events" -> sendEvent(request, response);
                case "/agreements" -> reply.show(JteAgreementsGenerated::render, models.agreements(view, fields));
                case "/refused" -> reply.show(JteRefusedOffersGenerated::render, models.refused(view, fields));
                case "/matches" -> reply.show(JteMatchTableGenerated::render, models.matches(view));
                case "/operations" -> reply.show(JteOperationsGenerated::render, models.operations(view));
                case "/ads" -> reply.show(JteAdsGenerated::render, models.ads(view, fields));
                case "/find", "/promise" -> find(path, fields, reply);
                default -> detail(path, reply);
            }
        });
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        work(request, response, (path, fields, reply) -> {
            if (!CsrfToken.isRight(request, reply.view().call().subject())) {
                String why =
                        "This form was not made here for you, or is too old. Go back, load the page again and repeat"
                                + " it.";
                reply.say(HttpServletResponse.SC_FORBIDDEN, "Refused", why);
            } else if (path.equals("/logout")) {
                CsrfToken.setCookie(request, response, HttpServer.SESSION, "");
                reply.goTo("/login");
            } else if (path.equals("/offer")) {
                offer(fields, Optional.empty(), reply);
            } else {
                act(path, fields, reply);
            }
        });
    }

    private void work(HttpServletRequest request, HttpServletResponse response, Work work) throws IOException {
        var reply = new PageReply(response, view(request, response));
        try {
            String path = Optional.ofNullable(request.getPathInfo()).orElse("/");
            work.run(path, new OfferForm(request::getParameter), reply);
        } catch (IllegalArgumentException e) {
            reply.say(HttpServletResponse.SC_BAD_REQUEST, "Not understood", String.valueOf(e.getMessage()));
        } catch (NotAllowedException e) {
            String why = (e.isBusy() ? "" : "You may not do this here. ") + e.getMessage();
            int status = e.isBusy() ? HttpServletResponse.SC_SERVICE_UNAVAILABLE : HttpServletResponse.SC_FORBIDDEN;
            reply.say(status, e.isBusy() ? "Not now" : "Not allowed", why);
        } catch (StoreUnavailableException e) {
            LOG.error("A page of the console could not be made: {}", e.getMessage());
            String why = "The database does not answer now, or takes too long. Load the page again in a moment.";
            reply.say(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "Not now", why);
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
                new Authorizer.Call(subject, PATH, request.getRemoteAddr() + ":" + request.getRemotePort()),
                CsrfToken.of(request, response, subject),
                TimeLabels.of(CsrfToken.cookie(request, ZONE_COOKIE).orElse("")));
    }

    private static void sendScript(HttpServletResponse response) throws IOException {
        response.setContentType("text/javascript;charset=utf-8");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-cache");
        response.getOutputStream().write(PageOutput.SCRIPT.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends an event if anything has changed since the page was made or the last event; the browser asks again by itself. */
    private void sendEvent(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String now = String.valueOf(changes.get());
        String known = Optional.ofNullable(request.getHeader("Last-Event-ID"))
                .orElse(String.valueOf(request.getParameter("since")));
        response.setContentType("text/event-stream;charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        String event = known.equals(now) ? ":\n\n" : "event: changed\nid: " + now + "\ndata: " + now + "\n\n";
        response.getOutputStream().write((RETRY + event).getBytes(StandardCharsets.UTF_8));
    }

    private void find(String path, OfferForm fields, PageReply reply) throws IOException, InterruptedException {
        try {
            if (path.equals("/find")) {
                reply.show(JteFindGenerated::render, models.find(reply.view(), fields));
            } else {
                reply.show(JtePromiseGenerated::render, models.promise(reply.view(), fields));
            }
        } catch (IllegalArgumentException e) {
            var model = models.form(fields, "", String.valueOf(e.getMessage()));
            reply.show(HttpServletResponse.SC_BAD_REQUEST, JteFindGenerated::render, model);
        }
    }

    /** The page of one agreement, match or refused offer. */
    private void detail(String path, PageReply reply) throws IOException, InterruptedException {
        var view = reply.view();
        var agreement = AGREEMENT.matcher(path);
        var match = MATCH.matcher(path);
        var refused = REFUSED.matcher(path);
        var calendar = CALENDAR.matcher(path);
        if (agreement.matches() && agreement.group(2) == null) {
            show(
                    models.agreement(agreement.group(1)).filter(view::sees).map(models::detail),
                    JteAgreementDetailGenerated::render,
                    reply);
        } else if (match.matches() && match.group(2) == null) {
            show(models.match(match.group(1), view).map(models::detail), JteMatchDetailGenerated::render, reply);
        } else if (calendar.matches()) {
            reply.calendar(models.agreement(calendar.group(1)).filter(view::sees));
        } else if (refused.matches()) {
            show(models.refused(view, Long.parseLong(refused.group(1))), JteRefusedOfferDetailGenerated::render, reply);
        } else {
            reply.notFound();
        }
    }

    private static <M> void show(Optional<M> model, Template<M> template, PageReply reply) throws IOException {
        if (model.isPresent()) {
            reply.show(template, model.get());
        } else {
            reply.notFound();
        }
    }

    private void offer(OfferForm fields, Optional<Agreement> replaced, PageReply reply)
            throws IOException, InterruptedException {
        String document = fields.text("document");
        var call = reply.view().call();
        var outcome = document.isEmpty()
                ? sources.offers().offer(fields.read(), replaced, call)
                : sources.offers().offer(document, replaced, call);
        var refused = outcome.fold(
                created -> {
                    reply.goTo("/agreement/" + created.agreement().id());
                    return Optional.<Refused>empty();
                },
                Optional::of);
        if (refused.isPresent()) {
            var model = models.form(reply.view(), fields, refused.get());
            reply.show(HttpServletResponse.SC_CONFLICT, JteFindGenerated::render, model);
        }
    }

    /** Releases or rebinds a match, renegotiates or ends an agreement, as the path of a form says. */
    private void act(String path, OfferForm fields, PageReply reply) throws IOException, InterruptedException {
        var agreementPath = AGREEMENT.matcher(path);
        var match = MATCH.matcher(path);
        if (match.matches() && match.group(2) != null) {
            var call = reply.view().call().during("Collector/SettleMatch");
            guard.enter(call);
            var held = models.match(match.group(1), reply.view())
                    .filter(m -> guard.permits(call, PageContext.resource(m)));
            if (held.isPresent() && match.group(2).equals("/release")) {
                sources.matches().release(UUID.fromString(match.group(1)));
            } else if (held.isPresent() && sources.matches().rebind(held.get()).isEmpty()) {
                String why = "The DAG stays where it is: no other site matches it now.";
                reply.say(HttpServletResponse.SC_CONFLICT, "Not moved", why);
                return;
            }
            reply.goTo("/matches");
            return;
        }
        var agreement = agreementPath.matches() && agreementPath.group(2) != null
                ? models.agreement(agreementPath.group(1)).filter(reply.view()::sees)
                : Optional.<Agreement>empty();
        if (agreement.isPresent()) {
            change(agreement.get(), agreementPath.group(2), fields, reply);
        } else {
            reply.notFound();
        }
    }

    /** Renegotiates or ends an agreement; one that has ended meanwhile is shown as it is. */
    private void change(Agreement agreement, String action, OfferForm fields, PageReply reply)
            throws IOException, InterruptedException {
        var call = reply.view().call();
        if (!guard.permits(call.during("Agreement/Terminate"), DocumentOffers.resource(agreement))) {
            throw new NotAllowedException("The agreement is another's.", false);
        }
        if (action.equals("/renegotiate")) {
            offer(fields, Optional.of(agreement), reply);
        } else {
            String remark = fields.text("word");
            String why = "Terminated in the console by " + call.subject() + (remark.isEmpty() ? "." : ": " + remark);
            sources.agreements().end(agreement.id(), DisplayText.of(why, LONGEST_REASON));
            reply.goTo("/agreement/" + agreement.id());
        }
    }
}
