package org.metasched.classad.collector;

import java.util.function.Function;

/** Outcome of advertising an ad. */
public sealed interface AdvertiseReceipt {

    /** The result of the function for the kind of this receipt. A new kind does not compile until every caller handles it. */
    <R> R fold(Function<Kept, R> kept, Function<Late, R> late, Function<Refused, R> refused);

    /** The ad is kept, and replaced an earlier one unless it is the first. */
    record Kept(AdKey key, boolean first) implements AdvertiseReceipt {
        @Override
        public <R> R fold(Function<Kept, R> kept, Function<Late, R> late, Function<Refused, R> refused) {
            return kept.apply(this);
        }
    }

    /** A newer ad is known: the offered one came late and is dropped. */
    record Late(AdKey key, long newest, long offered) implements AdvertiseReceipt {
        @Override
        public <R> R fold(Function<Kept, R> kept, Function<Late, R> late, Function<Refused, R> refused) {
            return late.apply(this);
        }
    }

    /** The ad cannot be kept, with the reason. */
    record Refused(String reason) implements AdvertiseReceipt {
        @Override
        public <R> R fold(Function<Kept, R> kept, Function<Late, R> late, Function<Refused, R> refused) {
            return refused.apply(this);
        }
    }
}
