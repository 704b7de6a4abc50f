package org.metasched.classad.cycle;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Figures of a cycle.
 *
 * @param offers that were looked at
 * @param autoclusters of the requests
 * @param matches that were made
 * @param matchesBySubmitter in the order of their turns; submitters with nothing have 0
 * @param rejected autoclusters for which no offer was left
 * @param took on the clock
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
