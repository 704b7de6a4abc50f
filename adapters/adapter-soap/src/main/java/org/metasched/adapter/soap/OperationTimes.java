package org.metasched.adapter.soap;

import java.time.Duration;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/** Measures each operation, from its arrival to its answer or fault. */
final class OperationTimes extends AbstractPhaseInterceptor<Message> {

    /**
     * The begin of an operation, kept in its exchange.
     *
     * @param nanos {@link System#nanoTime} at its arrival
     */
    record Begun(String operation, long nanos) {}

    private final SoapServer.Observer observer;
    private final boolean forFaults;

    /** @param forFaults whether it is called for faults, instead of answers */
    OperationTimes(SoapServer.Observer observer, boolean forFaults) {
        super(Phase.SETUP);
        this.observer = observer;
        this.forFaults = forFaults;
    }

    @Override
    public void handleMessage(Message message) {
        var begun = message.getExchange().get(Begun.class);
        if (begun != null) {
            observer.ended(begun.operation(), forFaults, Duration.ofNanos(System.nanoTime() - begun.nanos()));
        }
    }
}
