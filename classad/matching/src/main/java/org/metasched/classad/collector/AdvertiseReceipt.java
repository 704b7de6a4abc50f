package org.metasched.classad.collector;

import java.util.function.Function;

/** Outcome of advertising an ad. */
public sealed interface AdvertiseReceipt {

    /** Takes the result apart: a new case does not compile until every caller handles it. */
    <R> R fold(Function<Kept, R> kept, Function<Late, R> late, Function<Refused, R> refused);

    /** The ad is kept, and replaced an earlier one unless it is the first. */
    record Kept(AdKey key, boolean first) implements AdvertiseReceipt {
        @Override
        public <R> R fold(Function<Kept, R> kept, Function<Late, R> late, Function<Refused, R> refused) {
            return kept.apply(this);
        }
    }

    /** A newer one is known: this one came late and is dropped. */
    record Late(AdKey key, long newest, long offered) implements AdvertiseReceipt {
        @Override
        public <R> R fold(Function<Kept, R> kept, Function<Late, R> late, Function<Refused, R> refused) {
            return late.apply(this);
        }
    }

    /** The ad cannot be kept, and why. */
    record Refused(String reason) implements AdvertiseReceipt {
        @Override
        public <R> R fold(Function<Kept, R> kept, Function<Late, R> late, Function<Refused, R> refused) {
            return refused.apply(this);
        }
    }
}
