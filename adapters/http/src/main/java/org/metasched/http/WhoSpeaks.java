package org.metasched.http;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.metasched.trust.Authentication;
import org.metasched.trust.Subject;
import org.metasched.trust.UntrustedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out once who makes a request, and leaves it in {@link Subject#ATTRIBUTE}. A credential that proves nothing is status 401 and never
 * falls back to another or to none; two credentials in one request are refused. Pages are for operators; a listener that asks for
 * proofs shows others its health and its service descriptions only.
 */
final class WhoSpeaks extends Handler.Wrapper {

    private static final Logger LOG = LoggerFactory.getLogger(WhoSpeaks.class);
    private static final String SERVICES = "/services/";
    private static final String BEARER = "Bearer ";

    private final Authentication asked;

    WhoSpeaks(Authentication asked, Handler next) {
        super(next);
        this.asked = asked;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Subject subject;
        try {
            subject = subject(request);
        } catch (UntrustedException e) {
            LOG.info("A credential from {} is refused: {}", Request.getRemoteAddr(request), e.getMessage());
            return unauthorised(request, response, callback);
        }
        boolean open = isOpen(request);
        if (!open && !subject.isKnown() && asked.isRequired()) {
            return unauthorised(request, response, callback);
        }
        if (!open
                && !Request.getPathInContext(request).startsWith(SERVICES)
                && !asked.access().isOperator(subject)) {
            Response.writeError(request, response, callback, HttpStatus.FORBIDDEN_403);
            return true;
        }
        request.setAttribute(Subject.ATTRIBUTE, subject);
        return super.handle(request, response, callback);
    }

    private static boolean unauthorised(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        Response.writeError(request, response, callback, HttpStatus.UNAUTHORIZED_401);
        return true;
    }

    private static boolean isOpen(Request request) {
        if (!request.getMethod().equals("GET")) {
            return false;
        }
        String path = Request.getPathInContext(request);
        String query = request.getHttpURI().getQuery();
        boolean description = query != null && (query.equals("wsdl") || query.matches("(wsdl|xsd)=[A-Za-z0-9._/-]+"));
        return path.equals("/health") || path.startsWith(SERVICES) && description;
    }

    private Subject subject(Request request) throws UntrustedException {
        List<String> headers = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
        var certificates = certificates(request);
        if (headers.isEmpty()) {
            return certificates.length == 0 || asked.chains().isEmpty()
                    ? Subject.ANONYMOUS
                    : asked.chains().get().verify(certificates);
        }
        if (headers.size() > 1 || certificates.length > 0) {
            throw new UntrustedException("two credentials in one request");
        }
        String header = headers.get(0);
        if (asked.tokens().isEmpty() || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw new UntrustedException("credentials of this kind are not taken");
        }
        if (!request.isSecure() && !isLocal(request)) {
            throw new UntrustedException("a token that came over plain HTTP");
        }
        return asked.tokens().get().verify(header.substring(BEARER.length()).strip());
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
