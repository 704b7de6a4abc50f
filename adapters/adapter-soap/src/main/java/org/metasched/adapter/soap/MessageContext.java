package org.metasched.adapter.soap;

import org.apache.cxf.phase.PhaseInterceptorChain;
import org.metasched.trust.Authorizer.Call;
import org.metasched.trust.Subject;

/** Sender and operation of the message that this thread answers. */
public final class MessageContext {

    private static final Call NONE = new Call(Subject.ANONYMOUS, "", "");

    private MessageContext() {}

    /** The call; anonymous outside of a request, and where the listener asks for no proof. */
    public static Call call() {
        var message = PhaseInterceptorChain.getCurrentMessage();
        return message != null && message.get(Call.class) != null ? message.get(Call.class) : NONE;
    }
}
