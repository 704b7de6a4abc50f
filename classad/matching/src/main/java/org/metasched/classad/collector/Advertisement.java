package org.metasched.classad.collector;

import java.time.Instant;
import java.util.OptionalLong;
import org.metasched.classad.ClassAd;

/**
 * An ad as the collector keeps it.
 *
 * @param key type and name
 * @param ad the public part of the ad, without private attributes
 * @param privateAd attributes for a matched party alone, such as the ticket and claim ids; often empty
 * @param sequence the advertiser's {@code UpdateSequenceNumber}; empty if it sends none
 * @param received time of arrival
 * @param expires time at which it is dropped unless it is advertised again
 */
public record Advertisement(
        AdKey key, ClassAd ad, ClassAd privateAd, OptionalLong sequence, Instant received, Instant expires) {

    /** Whether the ad has not expired at a time. */
    boolean livesAt(Instant instant) {
        return instant.isBefore(expires);
    }
}
