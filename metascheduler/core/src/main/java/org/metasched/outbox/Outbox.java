package org.metasched.outbox;

import java.util.List;
import java.util.Optional;

/**
 * Messages that are owed to receivers outside (the transactional outbox). A message is written before its receiver is called, in the
 * transaction of the change that it reports, and stays until it is complete. Each receiver that may be called is called at least once,
 * unless processes die in all its attempts. A change joins the transaction of the thread and is durable with its commit; without one, when
 * the method returns. Every method throws {@link org.metasched.negotiation.StoreUnavailableException} if the store fails. Thread-safe.
 */
public interface Outbox {

    /** Subject of a message. Each kind has an {@link OutboxDispatcher} of its own, so that one kind never waits for another. */
    enum Kind {
        /** A decision about a pending offer, for its initiator. */
        DECISION,
        /** A match, for one of its parties. */
        INTRODUCTION,
        /** An event of an agreement, for a subscriber. */
        NOTICE
    }

    /**
     * Key of a message.
     *
     * @param id unique among the messages of its kind, at most {@value #LONGEST_ID} characters
     * @param lane the receiver as fairness counts it, usually its host, with or without port; at most {@value #LONGEST_LANE} characters
     */
    record Label(Kind kind, String id, String lane) {
        public static final int LONGEST_ID = 128;
        public static final int LONGEST_LANE = 512;

        public Label {
            check("id", id, LONGEST_ID);
            check("lane", lane, LONGEST_LANE);
        }

        private static void check(String component, String text, int most) {
            if (text.isEmpty() || text.length() > most) {
                throw new IllegalArgumentException("The " + component + " of a message (" + text.length()
                        + " characters) must have 1 to " + most + " characters.");
            }
        }
    }

    /**
     * A message.
     *
     * @param receiver receiver of the message, in the form of its kind: an address, or an endpoint reference
     * @param body text of the message, in the form of its kind; may hold secrets
     * @param attempts number of attempts to call that were begun before
     */
    record Message(Label label, String receiver, String body, int attempts) {

        /** Without the body, which does not belong in a log. */
        @Override
        public String toString() {
            return label + ", attempts " + attempts;
        }
    }

    /** Stores messages. One that is stored already under its kind and id is ignored: a write of unknown outcome can be repeated. */
    void store(List<Message> messages);

    /**
     * Runs an action after the commit of this thread's transaction, never after one that failed. Without a transaction the action is not
     * run. A failure of the action is not one of the transaction.
     */
    void afterCommit(Runnable action);

    /**
     * The messages of a kind that this process is to deliver, at most {@code limit}, the oldest first. They are its own, and those of
     * processes that are gone, which are its own from now on.
     */
    List<Label> pending(Kind kind, int limit);

    /**
     * Counts an attempt, before the receiver is called: a process that dies in the call has used it up.
     *
     * @return the message as it was before; empty if it is complete, or belongs to another process by now
     */
    Optional<Message> begin(Label label);

    /** Deletes a message whose receiver has answered or is given up. An unknown message is ignored. */
    void complete(Label label);
}
