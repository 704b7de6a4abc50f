package org.metasched.subscription;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Subscriptions, durably and for all servers. Its methods join the transaction of their thread. Thread-safe. */
public interface SubscriptionStore {

    void add(NoticeSubscription subscription);

    /** Whether the owner had it. */
    boolean remove(String id, String owner);

    Optional<NoticeSubscription> find(String id);

    /** All of one owner, in the order of their ids. */
    List<NoticeSubscription> of(String owner);

    /** The subscriptions to notices about this agreement, or about all of one of these people. */
    List<NoticeSubscription> concerning(Collection<String> people, String agreement);

    /** The subscriptions that are told when a slot is soon. */
    List<NoticeSubscription> toldSoon();

    /** Remembers until when slots were looked for that are soon. @return the time before; nothing the first time */
    Optional<Instant> exchangeLastLook(Instant now);
}
