package org.metasched.adapter.soap;

import jakarta.servlet.http.HttpServletRequest;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.metasched.trust.Subject;

/** Who sent the message that this thread answers, as the listener found out. */
public final class Speaker {

    private Speaker() {}

    /** Anonymous outside of a request, and where the listener asks for no proof. */
    public static Subject now() {
        var message = PhaseInterceptorChain.getCurrentMessage();
        return message != null
                        && message.get(AbstractHTTPDestination.HTTP_REQUEST) instanceof HttpServletRequest request
                        && request.getAttribute(Subject.ATTRIBUTE) instanceof Subject subject
                ? subject
                : Subject.ANONYMOUS;
    }
}
