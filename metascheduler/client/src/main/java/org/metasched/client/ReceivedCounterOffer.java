package org.metasched.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Document;

/**
 * The responder's answer to an offer of a negotiation.
 *
 * @param until time until which it is valid and its reservations are held
 * @param slots time and site of each term
 * @param code code of its refusal, for programs
 * @param reason reason of its refusal, for people
 * @param offer agreement offer with just this content
 */
public record ReceivedCounterOffer(
        String id,
        State state,
        Optional<Instant> until,
        List<Slot> slots,
        Optional<String> code,
        Optional<String> reason,
        Document offer) {

    /** How an offer is meant (GFD.193). */
    public enum State {
        /** A proposal: nothing is held for it. */
        ADVISORY("Advisory"),
        /** Asks for an answer that can be accepted. */
        SOLICITED("Solicited"),
        /** The responder would agree to just this. */
        ACCEPTABLE("Acceptable"),
        /** No agreement can come of it. */
        REJECTED("Rejected");

        final String word;

        State(String word) {
            this.word = word;
        }
    }

    /** The site and time of one term. */
    public record Slot(String term, String site, Instant start, Instant end) {}

    public ReceivedCounterOffer {
        slots = List.copyOf(slots);
    }
}
