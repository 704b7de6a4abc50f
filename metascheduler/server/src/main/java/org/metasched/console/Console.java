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
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementService;
import org.metasched.agreement.AgreementState;
import org.metasched.console.OverviewPage.Sight;

/**
 * Pages for people under {@code /console}, made on the server: no script, nothing loaded from anywhere. Shows, and changes
 * nothing. Asks all sites for each view of the first page.
 */
public final class Console extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final String PATH = "/console";
    private static final String AGREEMENT = "/agreement/";
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'";
    private static final int NEWEST = 20;
    /** More bars than this make no picture. */
    private static final int MOST_LIVING = 1000;

    private final transient AgreementService service;
    private final transient SiteLook sites;
    private final transient Advertised advertised;
    private final transient Clock clock;

    public Console(AgreementService service, SiteLook sites, Advertised advertised, Clock clock) {
        this.service = service;
        this.sites = sites;
        this.advertised = advertised;
        this.clock = clock;
    }

    /** For the root of the server: the way to the console. */
    public static HttpServlet entrance() {
        return new Entrance();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = Optional.ofNullable(request.getPathInfo()).orElse("/");
        String home = request.getContextPath() + PATH;
        if (path.equals("/")) {
            try {
                answer(response, HttpServletResponse.SC_OK, new OverviewPage(home, clock.instant()).write(sight()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            }
            return;
        }
        if (path.equals("/agreements")) {
            agreements(request, response, home);
            return;
        }
        var page = new AgreementPage(home, clock.instant());
        var agreement = agreement(path);
        if (agreement.isPresent()) {
            var history = service.history(agreement.get().id());
            answer(response, HttpServletResponse.SC_OK, page.write(agreement.get(), history));
        } else {
            answer(response, HttpServletResponse.SC_NOT_FOUND, page.unknown());
        }
    }

    private void agreements(HttpServletRequest request, HttpServletResponse response, String home) throws IOException {
        var page = new AgreementsPage(home, clock.instant());
        try {
            answer(response, HttpServletResponse.SC_OK, page.write(service, request::getParameter));
        } catch (IllegalArgumentException e) {
            answer(response, HttpServletResponse.SC_BAD_REQUEST, page.refused(String.valueOf(e.getMessage())));
        }
    }

    private Sight sight() throws InterruptedException {
        var living =
                service.inState(Set.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING), MOST_LIVING);
        return new Sight(
                sites.look(Optional.of(Gantt.ahead(clock.instant()))),
                living,
                service.newest(NEWEST),
                advertised.countByType());
    }

    private Optional<Agreement> agreement(String path) {
        if (!path.startsWith(AGREEMENT)) {
            return Optional.empty();
        }
        AgreementId id;
        try {
            id = new AgreementId(path.substring(AGREEMENT.length()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return service.find(id);
    }

    private static void answer(HttpServletResponse response, int status, String page) throws IOException {
        response.setStatus(status);
        response.setContentType("text/html;charset=utf-8");
        for (var header : List.of(
                Map.entry("Content-Security-Policy", POLICY),
                Map.entry("X-Content-Type-Options", "nosniff"),
                Map.entry("X-Frame-Options", "DENY"),
                Map.entry("Referrer-Policy", "no-referrer"),
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
