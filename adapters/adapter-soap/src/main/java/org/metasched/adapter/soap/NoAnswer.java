package org.metasched.adapter.soap;

import org.apache.cxf.transport.http.HTTPException;
import org.metasched.adapter.ConnectionFailure;

/** Why a call ended without an answer, in words for people: HTTP clients wrap the reason in many layers, and some name none. */
public final class NoAnswer {

    static final String NOTHING_THERE = "there is no such service at that address (404)";

    private NoAnswer() {}

    public static String reason(Throwable problem) {
        for (Throwable t = problem; t != null; t = t.getCause()) {
            if (t instanceof HTTPException refused && refused.getResponseCode() != 500) {
                return words(refused.getResponseCode());
            }
        }
        return ConnectionFailure.of(problem).reason();
    }

    private static String words(int status) {
        return switch (status) {
            case 401 -> "it wants a certificate or a token that it trusts (401)";
            case 404 -> NOTHING_THERE;
            case 413 -> "the message is larger than the service takes (413)";
            default -> "it answered with HTTP status " + status;
        };
    }
}
