package org.metasched.adapter.soap;

import io.opentelemetry.api.trace.Span;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.metasched.trust.Authorizer;
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.Subject;

/** Asks the authorizer before an operation of a service begins, and puts the call into the message for {@link MessageContext}. */
final class AuthorizationInterceptor extends AbstractPhaseInterceptor<Message> {

    private final String service;
    private final Authorizer guard;

    AuthorizationInterceptor(String service, Authorizer guard) {
        super(Phase.PRE_INVOKE);
        this.service = service;
        this.guard = guard;
    }

    @Override
    public void handleMessage(Message message) {
        var operation = message.getExchange().getBindingOperationInfo();
        var call = new Authorizer.Call(
                subject(message),
                service + "/" + (operation == null ? "" : operation.getName().getLocalPart()),
                from(message));
        message.put(Authorizer.Call.class, call);
        Span.current().setAttribute("metasched.operation", call.operation()).updateName(call.operation());
        message.getExchange()
                .put(OperationTimes.Begun.class, new OperationTimes.Begun(call.operation(), System.nanoTime()));
        try {
            guard.enter(call);
        } catch (NotAllowedException e) {
            if (e.isBusy()) {
                SendersFault.retryAfter(1);
            }
            throw new Fault(e);
        }
    }

    static Subject subject(Message message) {
        return message.get(AbstractHTTPDestination.HTTP_REQUEST) instanceof HttpServletRequest request
                        && request.getAttribute(Subject.ATTRIBUTE) instanceof Subject subject
                ? subject
                : Subject.ANONYMOUS;
    }

    /** Address and port of the sender, or an empty text. */
    static String from(Message message) {
        return message.get(AbstractHTTPDestination.HTTP_REQUEST) instanceof HttpServletRequest request
                ? request.getRemoteAddr() + ":" + request.getRemotePort()
                : "";
    }
}
