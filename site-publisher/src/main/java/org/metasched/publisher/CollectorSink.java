package org.metasched.publisher;

import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Collector;

/** Sends ads to a collector of metasched, in this process or behind its SOAP service. */
public record CollectorSink(Collector collector) implements AdSink {

    /** The attribute with an ad's sequence number; an ad without the attribute counts as number 0. */
    public static final String SEQUENCE = "UpdateSequenceNumber";

    @Override
    public Optional<String> advertise(ClassAd ad) {
        var receipt = collector.advertise(ad);
        return receipt.fold(
                kept -> Optional.empty(),
                late -> Optional.of("The collector knows a newer ad of " + late.key() + ": its number is "
                        + late.newest() + ", ours " + late.offered()
                        + ".\nMaybe two publishers send ads under this name."),
                refused -> Optional.of("The collector refused the ad: " + refused.reason()));
    }

    @Override
    public long lastNumber(AdKey key) {
        return collector.find(key).map(known -> known.ad().getLong(SEQUENCE, 0)).orElse(0L);
    }

    @Override
    public void invalidate(AdKey key) {
        collector.invalidate(key);
    }
}
