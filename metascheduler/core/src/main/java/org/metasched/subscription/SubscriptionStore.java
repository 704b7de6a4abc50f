package org.metasched.subscription;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Durable store of subscriptions, shared by all servers. Each method joins the transaction of its thread. Thread-safe. */
public interface SubscriptionStore {

    void add(NoticeSubscription subscription);

    /** Deletes a subscription; returns whether the owner had it. */
    boolean remove(String id, String owner);

    Optional<NoticeSubscription> find(String id);

    /** All subscriptions of one owner, in the order of their ids. */
    List<NoticeSubscription> of(String owner);

    /** The subscriptions to notices about this agreement, and those of these people to notices about all their agreements. */
    List<NoticeSubscription> concerning(Collection<String> people, String agreement);

    /** The subscriptions with the occasion {@link NoticeOccasion#SOON}. */
    List<NoticeSubscription> toldSoon();

    /** Stores the time up to which slots that begin soon were searched; returns the time stored before, empty the first time. */
    Optional<Instant> exchangeLastLook(Instant now);
}
