package org.metasched.http;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.pathmap.MatchedResource;
import org.eclipse.jetty.http.pathmap.PathMappings;
import org.eclipse.jetty.http.pathmap.ServletPathSpec;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.PasswordFile;
import org.metasched.trust.Subject;
import org.metasched.trust.UntrustedException;

/**
 * Identifies the caller of a request once, and puts the result into {@link Subject#ATTRIBUTE}. An invalid credential gets status 401 and
 * never falls back to another or to none; two credentials in one request are refused. Asks the {@link Authorizer} before a page
 * is shown; services ask it for each operation.
 */
final class AuthenticationHandler extends Handler.Wrapper {

    private static final Optional<String> SERVICES = Optional.of("/services/*");
    private static final Optional<String> API = Optional.of("/api/v1/*");
    private static final Optional<String> CONSOLE = Optional.of("/console/*");
    private static final String BEARER = "Bearer ";

    private final Authentication proofs;
    private final String prefix;
    private final PathMappings<String> pages = new PathMappings<>();

    /**
     * @param pathSpecs paths of the pages, as in a servlet mapping
     * @param prefix path of the public URL, for redirections
     */
    AuthenticationHandler(Authentication proofs, Set<String> pathSpecs, String prefix, Handler next) {
        super(next);
        this.proofs = proofs;
        this.prefix = prefix;
        pathSpecs.forEach(spec -> pages.put(new ServletPathSpec(spec), spec));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Subject subject;
        try {
            subject = subject(request);
        } catch (UntrustedException e) {
            String what = operation(request)
                    .orElseGet(() -> HttpServer.operation(
                            request.getMethod(), page(request).orElse("")));
            proofs.guard().refused(kind(request), what, from(request), String.valueOf(e.getMessage()));
            return unauthorised(request, response, callback);
        }
        request.setAttribute(Subject.ATTRIBUTE, subject);
        Optional<String> operation = operation(request);
        if (operation.isEmpty()) {
            return proofs.isRequired() && !subject.isKnown() && !mayProveItself(request)
                    ? unauthorised(request, response, callback)
                    : super.handle(request, response, callback);
        }
        try {
            // Programs read health each second: it is for all, and not recorded.
            if (!operation.get().startsWith("GET /health")) {
                proofs.guard().enter(new Authorizer.Call(subject, operation.get(), from(request)));
            }
        } catch (NotAllowedException e) {
            return refused(subject, e, request, response, callback);
        }
        return super.handle(request, response, callback);
    }

    private boolean refused(
            Subject subject, NotAllowedException reason, Request request, Response response, Callback callback) {
        if (reason.isBusy()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
            int status = reason.isUnrecorded() ? HttpStatus.SERVICE_UNAVAILABLE_503 : HttpStatus.TOO_MANY_REQUESTS_429;
            Response.writeError(request, response, callback, status);
            return true;
        }
        if (!subject.isKnown()) {
            return unauthorised(request, response, callback);
        }
        Response.writeError(request, response, callback, HttpStatus.FORBIDDEN_403);
        return true;
    }

    /** The kind of the credential of a request. */
    private static String kind(Request request) {
        boolean isToken = request.getHeaders().contains(HttpHeader.AUTHORIZATION);
        return isToken ? "token" : certificates(request).length > 0 ? "certificate" : "session";
    }

    private static String from(Request request) {
        return Request.getRemoteAddr(request) + ":" + Request.getRemotePort(request);
    }

    /** Answers with status 401; for a browser at the console, with a redirection to the log-in. */
    private boolean unauthorised(Request request, Response response, Callback callback) {
        if ((proofs.tokens().isPresent() || proofs.passwords().isPresent())
                && isConsole(request)
                && request.getMethod().equals("GET")
                && String.valueOf(request.getHeaders().get(HttpHeader.ACCEPT)).contains("text/html")) {
            Response.sendRedirect(request, response, callback, prefix + "/console/login");
            return true;
        }
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        Response.writeError(request, response, callback, HttpStatus.UNAUTHORIZED_401);
        return true;
    }

    /**
     * The operation's name in policies; empty for messages to services and changes by the API, which ask the authorizer themselves, and for
     * unknown paths.
     */
    private Optional<String> operation(Request request) {
        var page = page(request);
        if (page.equals(SERVICES)) {
            return isDescription(request) ? Optional.of("GET ?wsdl") : Optional.empty();
        }
        if (page.equals(API) && !HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            return Optional.empty();
        }
        return page.map(path -> HttpServer.operation(request.getMethod(), path));
    }

    /** The path under which a page is served; empty for an unknown path. */
    private Optional<String> page(Request request) {
        return Optional.ofNullable(pages.getMatched(Request.getPathInContext(request)))
                .map(MatchedResource::getResource);
    }

    /** Whether the request is a message to a service that may prove its sender by itself. */
    private boolean mayProveItself(Request request) {
        return proofs.messages().isPresent()
                && request.getMethod().equals("POST")
                && page(request).equals(SERVICES);
    }

    /** Whether the request is for the WSDL of a service, or a schema of it. */
    private static boolean isDescription(Request request) {
        String query = request.getHttpURI().getQuery();
        return request.getMethod().equals("GET")
                && query != null
                && (query.equals("wsdl") || query.matches("(wsdl|xsd)=[A-Za-z0-9._/-]+"));
    }

    private Subject subject(Request request) throws UntrustedException {
        List<String> headers = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
        var certificates = certificates(request);
        if (headers.isEmpty()) {
            return certificates.length == 0 || proofs.chains().isEmpty()
                    ? signedIn(request)
                    : proofs.chains().get().verify(certificates);
        }
        UntrustedException.throwIf(headers.size() > 1 || certificates.length > 0, "two credentials in one request");
        String header = headers.get(0);
        UntrustedException.throwIf(
                !header.regionMatches(true, 0, BEARER, 0, BEARER.length()), "credentials of this kind are not taken");
        return byToken(request, header.substring(BEARER.length()).strip());
    }

    private boolean isConsole(Request request) {
        return page(request).equals(CONSOLE);
    }

    /**
     * The subject of the session cookie, whose value is a token given to the log-in form, or a session. Only the console accepts it: a
     * cookie that a browser sends by itself proves no intent.
     */
    private Subject signedIn(Request request) throws UntrustedException {
        if (isConsole(request)
                && (proofs.tokens().isPresent() || proofs.passwords().isPresent())) {
            for (var cookie : Request.getCookies(request)) {
                if (cookie.getName().equals(HttpServer.SESSION)) {
                    return bySession(request, cookie.getValue());
                }
            }
        }
        return Subject.ANONYMOUS;
    }

    private Subject bySession(Request request, String session) throws UntrustedException {
        if (!PasswordFile.isSession(session)) {
            return byToken(request, session);
        }
        if (proofs.messages().isEmpty() || !request.isSecure() && !isLocal(request)) {
            throw new UntrustedException("a session that is not taken, or came over plain HTTP");
        }
        return proofs.messages().get().verifySession(session);
    }

    private Subject byToken(Request request, String token) throws UntrustedException {
        UntrustedException.throwIf(proofs.tokens().isEmpty(), "credentials of this kind are not taken");
        UntrustedException.throwIf(!request.isSecure() && !isLocal(request), "a token that came over plain HTTP");
        return proofs.tokens().get().verify(token);
    }

    private static boolean isLocal(Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress peer
                && peer.getAddress() != null
                && peer.getAddress().isLoopbackAddress();
    }

    private static X509Certificate[] certificates(Request request) {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData session
                        && session.peerCertificates() != null
                ? session.peerCertificates()
                : new X509Certificate[0];
    }
}
