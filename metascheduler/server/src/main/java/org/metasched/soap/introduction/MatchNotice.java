package org.metasched.soap.introduction;

import java.util.Optional;
import java.util.UUID;
import org.metasched.classad.ClassAd;

/**
 * A match as one of its parties is told. It allocates nothing: the party now claims, or waits to be claimed.
 *
 * @param match id of the match, the same for both parties and in every repetition of the message
 * @param role role of the party that is told
 * @param type type of the party's own ad
 * @param name name of the party's own ad
 * @param other the other party's ad, as it was when it was matched, without its private part
 * @param ticket ticket of the other party, if it gave one: a secret
 * @param preempts whether the offer is to give up a customer of lower rank
 */
public record MatchNotice(
        UUID match, Role role, String type, String name, ClassAd other, Optional<String> ticket, boolean preempts) {

    /** Which side of the match a party is. */
    public enum Role {
        /** The party that asked. */
        CUSTOMER,
        /** The party that was found. */
        OFFER
    }

    /** Without the ticket, which does not belong in a log. */
    @Override
    public String toString() {
        return "match " + match + " of " + type + "/" + name + " as " + role;
    }
}
