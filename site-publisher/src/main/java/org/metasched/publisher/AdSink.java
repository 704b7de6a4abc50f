package org.metasched.publisher;

import java.io.IOException;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;

/** Where site ads go. A collector without an answer is an {@link java.io.UncheckedIOException}. */
public interface AdSink {

    /** @throws IOException when it is not certain that the ad has arrived; the next one makes up for it */
    void advertise(ClassAd ad) throws IOException;

    /** The sequence number of the ad that is there; 0 if none is known. */
    default long lastNumber(AdKey key) {
        return 0;
    }

    /** The advertiser signs off. */
    void invalidate(AdKey key) throws IOException;
}
