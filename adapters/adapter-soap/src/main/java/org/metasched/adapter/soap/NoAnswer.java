package org.metasched.adapter.soap;

import org.apache.cxf.transport.http.HTTPException;
import org.metasched.adapter.ConnectionFailure;

/** Reasons why a call ended without an answer, in words for people. */
public final class NoAnswer {

    static final String NOTHING_THERE = ConnectionFailure.ofStatus(404);

    private NoAnswer() {}

    /** The reason by the HTTP status if one is among the causes, else by the first cause that is known. */
    public static String reason(Throwable problem) {
        for (Throwable t = problem; t != null; t = t.getCause()) {
            if (t instanceof HTTPException refused && refused.getResponseCode() != 500) {
                return ConnectionFailure.ofStatus(refused.getResponseCode());
            }
        }
        return ConnectionFailure.of(problem).reason();
    }
}
