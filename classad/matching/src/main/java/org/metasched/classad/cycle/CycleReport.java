package org.metasched.classad.cycle;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Figures of a cycle.
 *
 * @param offers number of offers considered
 * @param autoclusters number of autoclusters of the requests
 * @param matches number of matches made
 * @param matchesBySubmitter number of matches by submitter, in the order of their first requests; 0 for submitters without any
 * @param rejected number of autoclusters for which no offer was left
 * @param took duration of the cycle
 */
public record CycleReport(
        int offers,
        int autoclusters,
        int matches,
        Map<String, Integer> matchesBySubmitter,
        int rejected,
        Duration took) {

    public CycleReport {
        matchesBySubmitter = Collections.unmodifiableMap(new LinkedHashMap<>(matchesBySubmitter));
    }
}
