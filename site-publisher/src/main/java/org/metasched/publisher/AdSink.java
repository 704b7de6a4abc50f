package org.metasched.publisher;

import java.io.IOException;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;

/** Destination of site ads. Each method may throw an {@link java.io.UncheckedIOException} if a collector does not answer. */
public interface AdSink {

    /**
     * Sends an ad.
     *
     * @return the reason why the destination did not take the ad; empty if it did
     * @throws IOException when it is not certain that the ad has arrived; the next ad makes up for it
     */
    Optional<String> advertise(ClassAd ad) throws IOException;

    /** The sequence number of the newest ad at the destination; 0 if none is known. */
    default long lastNumber(AdKey key) {
        return 0;
    }

    /**
     * Withdraws an ad: its advertiser signs off.
     *
     * @throws IOException when it is not certain that the ad is gone
     */
    void invalidate(AdKey key) throws IOException;
}
