package org.metasched.adapter.soap;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import org.apache.cxf.transport.http.HTTPException;

/** Why a call ended without an answer, in words for people: HTTP clients wrap the reason in many layers, and some name none. */
public final class NoAnswer {

    static final String NOTHING_THERE = "there is no such service at that address (404)";

    private NoAnswer() {}

    public static String reason(Throwable problem) {
        Throwable deepest = problem;
        for (Throwable t = problem; t != null; t = t.getCause()) {
            if (t instanceof UnresolvedAddressException || t instanceof UnknownHostException) {
                return "the host name is unknown";
            } else if (t instanceof HttpTimeoutException || t instanceof SocketTimeoutException) {
                return "it took too long";
            } else if (t instanceof HTTPException refused && refused.getResponseCode() == 401) {
                return "it wants a certificate or a token that it trusts (401)";
            } else if (t instanceof HTTPException refused && refused.getResponseCode() == 413) {
                return "the message is larger than the service takes (413)";
            } else if (t instanceof HTTPException refused && refused.getResponseCode() == 404) {
                return NOTHING_THERE;
            } else if (t instanceof HTTPException refused && refused.getResponseCode() != 500) {
                return "it answered with HTTP status " + refused.getResponseCode();
            } else if (t instanceof ConnectException) {
                return "connection refused";
            }
            deepest = t;
        }
        return deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage();
    }
}
