package org.metasched.console;

import java.util.List;
import java.util.Map;
import org.metasched.overview.AdvertisedAds.Ad;

/**
 * Ads of the collector, by type and constraint.
 *
 * @param found ads that the query finds, at most {@value #MOST} and one more, which only tells that there are more
 */
record AdsModel(Map<String, Long> types, String type, String constraint, List<Ad> found) {

    static final int MOST = 200;

    List<Ad> shown() {
        return found.subList(0, Math.min(MOST, found.size()));
    }
}
