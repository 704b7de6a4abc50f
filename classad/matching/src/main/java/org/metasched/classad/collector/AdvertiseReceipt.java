package org.metasched.classad.collector;

import java.util.function.Function;

/** Outcome of advertising an ad. */
public sealed interface AdvertiseReceipt {

    /** Takes the receipt apart. A new case adds a parameter, so that no caller compiles until it handles it. */
    default <R> R fold(Function<Kept, R> kept, Function<Late, R> late, Function<Refused, R> refused) {
        if (this instanceof Kept receipt) {
            return kept.apply(receipt);
        }
        return this instanceof Late receipt ? late.apply(receipt) : refused.apply((Refused) this);
    }

    /** The ad is kept, and replaced an earlier one unless it is the first. */
    record Kept(AdKey key, boolean first) implements AdvertiseReceipt {}

    /** A newer ad is known, by the sequence numbers: the offered one came late and is dropped. */
    record Late(AdKey key, long newest, long offered) implements AdvertiseReceipt {}

    /** The ad cannot be kept, with the reason. */
    record Refused(String reason) implements AdvertiseReceipt {}
}
