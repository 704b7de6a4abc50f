package org.metasched.soap;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferDocument;
import org.metasched.http.OutboundClient;
import org.metasched.http.OutboundPolicy;
import org.metasched.outbox.Outbox;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Label;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.OutboxDispatcher;
import org.metasched.outbox.RetryPolicy;
import org.metasched.trust.ClientCredentials;

/**
 * Tells the initiators of pending offers the decision. The transaction of a decision also writes whom to call about it; a {@link OutboxDispatcher}
 * calls each initiator at least once, also across a crash between the decision and the call. An initiator that does not answer is called 20 times
 * in about nine hours, and can always look at the agreement's state. Register it as a listener before the first offer. Thread-safe.
 */
public final class AcceptanceCalls implements AgreementListener, AutoCloseable {

    static final String ACCEPTED = "accepted";
    static final String REJECTED = "rejected";

    /** An answer may come in drops, each in time. */
    private static final Duration LONGEST_CALL = AcceptanceCall.PATIENCE.multipliedBy(2);

    static final RetryPolicy USUAL_RETRIES = retries(Duration.ofSeconds(2));

    private final Outbox outbox;
    private final OutboundClient http;
    private final OutboxDispatcher dispatcher;

    /**
     * @param policy policy of calls to the addresses that offers name
     * @param caller credentials of the server at the receiver
     */
    public AcceptanceCalls(Outbox outbox, OutboundPolicy policy, ClientCredentials caller) {
        this(outbox, policy, caller, USUAL_RETRIES);
    }

    AcceptanceCalls(Outbox outbox, OutboundPolicy policy, ClientCredentials caller, RetryPolicy retries) {
        this.outbox = outbox;
        this.http = new OutboundClient(policy, caller, AcceptanceCall.PATIENCE);
        this.dispatcher = new OutboxDispatcher(outbox, Kind.DECISION, retries, new AcceptanceCall(http)::make);
    }

    static RetryPolicy retries(Duration firstPause) {
        return new RetryPolicy(64, 2, LONGEST_CALL, 20, firstPause, 2, Duration.ofHours(1), false);
    }

    @Override
    public void changing(AgreementState before, Agreement next) {
        notice(before, next).ifPresent(message -> outbox.owe(List.of(message)));
    }

    @Override
    public void changed(AgreementState before, Agreement after) {
        notice(before, after).ifPresent(message -> dispatcher.deliver(List.of(message.label())));
    }

    /** The message that its initiator waits for; there is none about the end of a withdrawn offer. */
    private static Optional<Message> notice(AgreementState before, Agreement after) {
        boolean accepted = after.state() == AgreementState.OBSERVED;
        if (!before.isUndecided() || !accepted && after.state() != AgreementState.REJECTED) {
            return Optional.empty();
        }
        return after.offer()
                .acceptance()
                .map(reference -> new Message(
                        new Label(Kind.DECISION, after.id().value(), lane(after, reference)),
                        reference.text(),
                        accepted ? ACCEPTED : REJECTED,
                        0));
    }

    private static String lane(Agreement agreement, OfferDocument reference) {
        try {
            String host = String.valueOf(
                            URI.create(AcceptanceReference.address(reference)).getHost())
                    .toLowerCase(Locale.ROOT);
            return host.length() > Label.LONGEST_LANE ? host.substring(0, Label.LONGEST_LANE) : host;
        } catch (IllegalArgumentException e) {
            // Such a reference is refused with its offer; the call of one that is not ends at once.
            return agreement.id().value();
        }
    }

    /** The number of decisions since the start whose calls came to this end. */
    public long count(OutboxDispatcher.End end) {
        return dispatcher.count(end);
    }

    /** Begins the calls that are owed and not under way: at the start of a server, and after the store failed. */
    public void collect() {
        dispatcher.collect();
    }

    /** Cuts off calls under way; the next server makes them again. */
    @Override
    public void close() {
        dispatcher.close();
        http.close();
    }
}
