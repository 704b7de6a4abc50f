package org.metasched.adapter.soap;

import org.apache.cxf.message.Exchange;
import org.apache.cxf.phase.PhaseInterceptorChain;

/** Says of the fault that answers the present message whose mistake it is: the receiver's, unless it is marked here. */
public final class SendersFault {

    private static final String MARK = SendersFault.class.getName();

    private SendersFault() {}

    /** The fault that this thread is about to throw is the sender's: the same message would meet it again. */
    public static void mark() {
        var message = PhaseInterceptorChain.getCurrentMessage();
        if (message != null) {
            message.getExchange().put(MARK, true);
        }
    }

    static boolean isMarked(Exchange exchange) {
        return exchange.containsKey(MARK);
    }
}
