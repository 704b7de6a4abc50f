package org.metasched.fakes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.StoreTransactions;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.outbox.Outbox;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;

/** What every outbox keeps to. */
public abstract class OutboxContract {

    private static final MessageKey A = new MessageKey(Kind.DECISION, "a", "host:1");
    private static final MessageKey B = new MessageKey(Kind.DECISION, "b", "host:2");
    private static final MessageKey OTHER_A = new MessageKey(Kind.INTRODUCTION, "a", "host:1");

    /** An empty one, the same in each call. */
    protected abstract Outbox outbox();

    /** Of the same store. */
    protected abstract StoreTransactions transactions();

    @Test
    protected void whatIsOwedFirstComesFirstAndNoMoreThanAskedFor() {
        outbox().store(List.of(message(B), message(A)));
        outbox().store(List.of(message(OTHER_A)));

        assertThat(outbox().pending(Kind.DECISION, 10)).containsExactly(B, A);
        assertThat(outbox().pending(Kind.DECISION, 1)).containsExactly(B);
        assertThat(outbox().pending(Kind.INTRODUCTION, 10)).containsExactly(OTHER_A);
    }

    @Test
    protected void anAttemptIsCountedWhenItBegins() {
        outbox().store(List.of(message(A), message(OTHER_A)));

        assertThat(outbox().begin(A)).hasValue(message(A));
        assertThat(outbox().begin(A))
                .hasValueSatisfying(m -> assertThat(m.attempts()).isEqualTo(1));
        assertThat(outbox().begin(OTHER_A)).hasValue(message(OTHER_A));
        assertThat(outbox().begin(B)).isEmpty();
    }

    @Test
    protected void whatIsSettledIsForgotten() {
        outbox().store(List.of(message(A), message(OTHER_A)));

        outbox().complete(A);
        outbox().complete(A);

        assertThat(outbox().pending(Kind.DECISION, 10)).isEmpty();
        assertThat(outbox().begin(A)).isEmpty();
        assertThat(outbox().pending(Kind.INTRODUCTION, 10)).containsExactly(OTHER_A);
        outbox().store(List.of(message(A)));
        assertThat(outbox().pending(Kind.DECISION, 10)).containsExactly(A);
    }

    @Test
    protected void aMessageOfATransactionThatFailedIsNotThere() {
        assertThatThrownBy(() -> transactions().inTransaction(() -> {
                    outbox().store(List.of(message(A)));
                    throw new IllegalStateException("no decision");
                }))
                .hasMessage("no decision");

        assertThat(outbox().pending(Kind.DECISION, 10)).isEmpty();
    }

    @Test
    protected void anActionComesAfterTheCommitAndNeverAfterARollback() {
        var seen = new ArrayList<String>();
        outbox().afterCommit(() -> seen.add("without a transaction"));
        transactions().inTransaction(() -> {
            outbox().afterCommit(
                            () -> seen.add(outbox().pending(Kind.DECISION, 10).toString()));
            outbox().store(List.of(message(A)));
            assertThat(seen).isEmpty();
        });
        assertThat(seen).containsExactly(List.of(A).toString());

        assertThatThrownBy(() -> transactions().inTransaction(() -> {
                    outbox().afterCommit(() -> seen.add("failed"));
                    throw new IllegalStateException("no decision");
                }))
                .hasMessage("no decision");
        transactions().inTransaction(() -> {});
        assertThat(seen).hasSize(1);
    }

    @Test
    protected void anActionThatFailsNeitherRepeatsNorFailsWhatIsCommitted() {
        var seen = new ArrayList<String>();
        transactions().inTransaction(() -> {
            seen.add("run");
            outbox().store(List.of(message(A)));
            outbox().afterCommit(() -> {
                throw new StoreUnavailableException("a collision", new SQLException("deadlock", "40001"));
            });
            outbox().afterCommit(() -> seen.add("the other action"));
        });

        assertThat(seen).containsExactly("run", "the other action");
        assertThat(outbox().pending(Kind.DECISION, 10)).containsExactly(A);
    }

    @Test
    protected void aMessageThatIsOwedAlreadyIsPassedOver() {
        outbox().store(List.of(message(A)));
        outbox().begin(A);

        outbox().store(List.of(message(A), message(B)));

        assertThat(outbox().pending(Kind.DECISION, 10)).containsExactly(A, B);
        assertThat(outbox().begin(A))
                .hasValueSatisfying(m -> assertThat(m.attempts()).isEqualTo(1));
    }

    @Test
    protected void longTextsAndOtherScriptsComeBackAsTheyWere() {
        var body = "\u00e4\u6f22\ud83d\ude00<".repeat(20_000);
        var longest = new MessageKey(
                Kind.INTRODUCTION, "i".repeat(MessageKey.LONGEST_ID), "l".repeat(MessageKey.LONGEST_LANE));
        var message = new Message(longest, "http://x/" + "r".repeat(4_000), body, 0);

        outbox().store(List.of(message));

        assertThat(outbox().begin(longest)).hasValue(message);
    }

    private static Message message(MessageKey key) {
        return new Message(key, "<epr of='" + key.id() + "'/>", "accepted", 0);
    }
}
