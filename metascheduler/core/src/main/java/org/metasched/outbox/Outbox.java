package org.metasched.outbox;

import java.util.List;
import java.util.Optional;

/**
 * Transactional outbox: messages that are owed to receivers outside. A message is written in the transaction of the change that it reports,
 * before its receiver is called, and stays until it is complete. Each receiver that may be called is called at least once, unless a process
 * dies in each attempt. Methods join the transaction of their thread; without one, their changes are durable when they return. Every
 * method throws {@link org.metasched.negotiation.StoreUnavailableException} if the store fails. Thread-safe.
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
     * @param lane name of the receiver's queue, usually its host, with or without port; at most {@value #LONGEST_LANE} characters
     */
    record MessageKey(Kind kind, String id, String lane) {
        public static final int LONGEST_ID = 128;
        public static final int LONGEST_LANE = 512;

        public MessageKey {
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
     * @param receiver an address or an endpoint reference, depending on the kind
     * @param body text of the message, in a form that depends on the kind; may hold secrets
     * @param attempts number of earlier attempts to call the receiver
     */
    record Message(MessageKey key, String receiver, String body, int attempts) {

        /** The message without its body, which may hold secrets. */
        @Override
        public String toString() {
            return key + ", attempts " + attempts;
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
     * The messages of a kind that this process is to deliver, at most {@code limit}, the oldest first: its own, and those of processes that
     * are gone, which it takes over.
     */
    List<MessageKey> pending(Kind kind, int limit);

    /**
     * Counts an attempt. To be called before the receiver, so that an attempt in which the process dies is counted, too.
     *
     * @return the message; its attempts do not include this one. Empty if it is complete, or belongs to another process by now
     */
    Optional<Message> begin(MessageKey key);

    /** Deletes a message that was delivered or given up. An unknown message is ignored. */
    void complete(MessageKey key);
}
