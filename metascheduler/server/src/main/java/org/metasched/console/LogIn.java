package org.metasched.console;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import org.metasched.http.HttpServer;
import org.metasched.trust.Guard;
import org.metasched.trust.Subject;
import org.metasched.trust.TokenVerifier;
import org.metasched.trust.UntrustedException;

/**
 * {@code /console/login}: takes a bearer token from a person and hands it back as a cookie, which the listener judges at every request as it judges
 * the header. So a session ends when its token does, and no server remembers it.
 */
public final class LogIn extends HttpServlet {

    private static final long serialVersionUID = 1L;
    /** Browsers drop longer cookies. */
    private static final int LONGEST = 3_800;

    private final transient Optional<TokenVerifier> tokens;
    private final transient Clock clock;

    /** @param tokens as the listener judges them; without it the page only tells that there is nothing to log in with */
    public LogIn(Optional<TokenVerifier> tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        show(request, response, HttpServletResponse.SC_OK, "");
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String token =
                Optional.ofNullable(request.getParameter("token")).orElse("").strip();
        if (!FormStamp.isFromHere(request)) {
            show(request, response, HttpServletResponse.SC_FORBIDDEN, "The form came from another site.");
        } else if (token.length() > LONGEST) {
            String why = "The token (" + token.length() + " characters) must have at most " + LONGEST
                    + ": browsers keep no longer cookies.";
            show(request, response, HttpServletResponse.SC_BAD_REQUEST, why);
        } else if (!isTaken(token)) {
            show(request, response, HttpServletResponse.SC_FORBIDDEN, "This token is not taken here.");
        } else {
            FormStamp.setCookie(request, response, HttpServer.SESSION, token);
            Console.goTo(response, request.getContextPath() + Console.PATH);
        }
    }

    private boolean isTaken(String token) {
        try {
            return tokens.isPresent()
                    && token.matches("[A-Za-z0-9._~+/=-]+")
                    && tokens.get().verify(token).isKnown();
        } catch (UntrustedException e) {
            return false;
        }
    }

    private void show(HttpServletRequest request, HttpServletResponse response, int status, String problem)
            throws IOException {
        String home = request.getContextPath() + Console.PATH;
        var view = new View(home, clock.instant(), 0, Guard.OPEN, new Guard.Call(Subject.ANONYMOUS, "", ""), "");
        var page = Frame.begin("Sign in", view, false);
        if (!problem.isEmpty()) {
            page.element("p", problem, "class", "problem", "role", "alert");
        }
        if (tokens.isEmpty()) {
            page.element(
                    "p",
                    "No tokens are taken here. Who you are says the certificate of your browser, or, on a listener"
                            + " that is open, the way you came.");
        } else {
            page.open("form", "method", "post", "action", home + "/login", "class", "filter");
            page.open("label").text("Bearer token ");
            page.empty("input", "type", "password", "name", "token", "autocomplete", "off", "required", "required");
            page.close().element("button", "Sign in").close();
        }
        Console.answer(response, status, Frame.end(page));
    }
}
