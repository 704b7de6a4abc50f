package org.metasched.adapter.soap;

import jakarta.servlet.http.HttpServletResponse;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.transport.http.AbstractHTTPDestination;

/** Marks whether the sender caused the fault that answers the present message; without the mark it is the receiver's. */
public final class SendersFault {

    private static final String MARK = SendersFault.class.getName();

    private SendersFault() {}

    /** Marks the fault that this thread is about to throw as the sender's: the same message would get it again. */
    public static void mark() {
        var message = PhaseInterceptorChain.getCurrentMessage();
        if (message != null) {
            message.getExchange().put(MARK, true);
        }
    }

    /** Tells the sender by the HTTP header {@code Retry-After} when it may repeat the message. */
    public static void retryAfter(int seconds) {
        var message = PhaseInterceptorChain.getCurrentMessage();
        if (message != null
                && message.get(AbstractHTTPDestination.HTTP_RESPONSE) instanceof HttpServletResponse response) {
            response.setIntHeader("Retry-After", seconds);
        }
    }

    static boolean isMarked(Exchange exchange) {
        return exchange.containsKey(MARK);
    }
}
