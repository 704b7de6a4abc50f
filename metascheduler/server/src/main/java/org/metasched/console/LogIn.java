package org.metasched.console;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.util.Optional;
import org.metasched.http.HttpServer;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;
import org.metasched.trust.UntrustedException;

/**
 * The page {@code /console/login}: takes a bearer token or a name with its password, or sends the person to an OpenID provider. The
 * browser gets a cookie, which the listener judges at every request. It has the token, which is judged as one in the header, or the name
 * sealed with the hash of the password. So no server remembers a session.
 */
public final class LogIn extends HttpServlet {

    /** Browsers drop longer cookies. */
    private static final int LONGEST_TOKEN = 3_800;

    private final transient Authentication authentication;
    private final transient Optional<OpenIdLogIn> provider;
    private final transient Clock clock;

    /**
     * @param authentication proofs that the listener takes; without tokens and passwords the page tells that there is nothing to log in with
     * @param provider OpenID provider, if there is one
     */
    public LogIn(Authentication authentication, Optional<OpenIdLogIn> provider, Clock clock) {
        this.authentication = authentication;
        this.provider = provider;
        this.clock = clock;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (provider.isPresent() && request.getParameter("with") != null) {
            provider.get().sendToProvider(request, response);
        } else if (provider.isPresent() && request.getParameter("state") != null) {
            endOpenIdLogIn(request, response);
        } else {
            show(request, response, HttpServletResponse.SC_OK, "");
        }
    }

    private void endOpenIdLogIn(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            String token = provider.get().accessToken(request, response);
            if (token.length() > LONGEST_TOKEN) {
                recordRefusal(request, "OpenID", tooLong(token));
                show(request, response, HttpServletResponse.SC_FORBIDDEN, tooLong(token));
                return;
            }
            var person = authentication.tokens().orElseThrow().verify(token);
            logIn(request, response, token, person);
            // A redirection would still count as coming from the provider, for which the browser holds the cookie back.
            var reply = PageReply.toAnyone(request, response, clock.instant());
            reply.show(JteSignedInGenerated::render, reply.view().home());
        } catch (UntrustedException e) {
            recordRefusal(request, "OpenID", String.valueOf(e.getMessage()));
            show(
                    request,
                    response,
                    HttpServletResponse.SC_FORBIDDEN,
                    "What the OpenID provider said is not taken here.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String token = text(request, "token");
        if (!CsrfToken.isFromHere(request)) {
            show(request, response, HttpServletResponse.SC_FORBIDDEN, "The form came from another site.");
        } else if (token.length() > LONGEST_TOKEN) {
            show(request, response, HttpServletResponse.SC_BAD_REQUEST, tooLong(token));
        } else if (token.isEmpty() && authentication.passwords().isPresent()) {
            byPassword(request, response);
        } else {
            byToken(request, response, token);
        }
    }

    private static String tooLong(String token) {
        return "The token (" + token.length() + " characters) must have at most " + LONGEST_TOKEN
                + ": browsers keep no longer cookies.";
    }

    private void byToken(HttpServletRequest request, HttpServletResponse response, String token) throws IOException {
        try {
            UntrustedException.throwIf(
                    authentication.tokens().isEmpty() || !token.matches("[A-Za-z0-9._~+/=-]+"),
                    "no token that is taken here");
            var person = authentication.tokens().orElseThrow().verify(token);
            logIn(request, response, token, person);
            PageReply.toAnyone(request, response, clock.instant()).goTo("");
        } catch (UntrustedException e) {
            recordRefusal(request, "token", String.valueOf(e.getMessage()));
            show(request, response, HttpServletResponse.SC_FORBIDDEN, "This token is not taken here.");
        }
    }

    private void byPassword(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String from = request.getRemoteAddr();
        boolean isSafe = request.isSecure() || InetAddress.getByName(from).isLoopbackAddress();
        String password = Optional.ofNullable(request.getParameter("password")).orElse("");
        var session = isSafe
                ? authentication.passwords().get().session(text(request, "name"), password, from, clock.instant())
                : Optional.<String>empty();
        if (session.isEmpty()) {
            String why = isSafe
                    ? "The name or the password is wrong, or there were too many wrong ones: then wait a minute."
                    : "A password is taken over TLS only.";
            recordRefusal(request, "password", "the password of (" + text(request, "name") + ") is not taken");
            show(request, response, HttpServletResponse.SC_FORBIDDEN, why);
        } else {
            logIn(request, response, session.get(), Subject.ofPassword(text(request, "name")));
            PageReply.toAnyone(request, response, clock.instant()).goTo("");
        }
    }

    private void recordRefusal(HttpServletRequest request, String method, String reason) {
        authentication.guard().refused(method, operation(request), from(request), reason);
    }

    private static String operation(HttpServletRequest request) {
        return request.getMethod() + " /console/login";
    }

    private static String from(HttpServletRequest request) {
        return request.getRemoteAddr() + ":" + request.getRemotePort();
    }

    private void logIn(HttpServletRequest request, HttpServletResponse response, String session, Subject person) {
        authentication.guard().signedIn(new Authorizer.Call(person, operation(request), from(request)));
        CsrfToken.setCookie(request, response, HttpServer.SESSION, session);
    }

    private static String text(HttpServletRequest request, String name) {
        return Optional.ofNullable(request.getParameter(name)).orElse("").strip();
    }

    private void show(HttpServletRequest request, HttpServletResponse response, int status, String problem)
            throws IOException {
        var model = new LogInModel(
                problem,
                provider.map(OpenIdLogIn::name),
                authentication.passwords().isPresent(),
                authentication.tokens().isPresent());
        PageReply.toAnyone(request, response, clock.instant()).show(status, JteLogInFormGenerated::render, model);
    }
}
