package org.metasched.adapter.soap;

import org.apache.cxf.phase.PhaseInterceptorChain;
import org.metasched.trust.Authorizer.Call;
import org.metasched.trust.Subject;

/** Who sent the message that this thread answers, and what it asks for. */
public final class MessageContext {

    private static final Call NONE = new Call(Subject.ANONYMOUS, "", "");

    private MessageContext() {}

    /** Anonymous outside of a request, and where the listener asks for no proof. */
    public static Call call() {
        var message = PhaseInterceptorChain.getCurrentMessage();
        return message != null && message.get(Call.class) != null ? message.get(Call.class) : NONE;
    }
}
