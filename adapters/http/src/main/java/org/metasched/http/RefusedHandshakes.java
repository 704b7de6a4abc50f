package org.metasched.http;

import java.security.cert.CertificateException;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.metasched.trust.Authorizer;

/** Records client certificates that the handshake refuses: their sender gets no further than an alert without a reason. */
record RefusedHandshakes(Authorizer guard) implements SslHandshakeListener {

    @Override
    public void handshakeFailed(Event event, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                String from = String.valueOf(event.getEndPoint().getRemoteSocketAddress());
                String reason = String.valueOf(cause.getMessage()).replaceAll("\\s+", " ");
                guard.refused("certificate", "TLS", from.replaceFirst("^[^/]*/", ""), reason);
                return;
            }
        }
    }
}
