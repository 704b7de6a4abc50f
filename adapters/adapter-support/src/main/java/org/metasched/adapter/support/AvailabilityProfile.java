package org.metasched.adapter.support;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.TimeSlot;

/**
 * Free capacity over time: what a planning-based scheduler calls its slot table.
 *
 * <p>{@link CountProfile} counts alike units (Mbit/s, licences, nodes that nobody tells apart);
 * {@link NodeProfile#among} knows which nodes are free, and asks that the <em>same</em> nodes stay free. Instants come out
 * only where the capacity changes, or as they went in; nothing is ever rounded. Exact from 1896 to 2116, which is as far
 * as nanoseconds in a {@code long} reach in comfort; what lies beyond is cut off there.
 *
 * <p>Not thread-safe, not even for reading.
 */
public interface AvailabilityProfile {

    /** The least that is free at any instant of the slot; below zero where more was promised than there is. */
    int leastFree(TimeSlot slot);

    /**
     * The first start at or after {@code notBefore} from which the amount is free for the whole length, without a gap.
     *
     * @param amount at least 1
     * @param latestStart the last start of interest, included; nothing is answered when it is before {@code notBefore}
     */
    Optional<Instant> earliestStart(int amount, Duration length, Instant notBefore, Instant latestStart);

    /**
     * All starts from which the amount is free for the whole length, as disjoint intervals, earliest first.
     *
     * @param within the starts of interest, both ends included
     */
    List<StartInterval> starts(int amount, Duration length, TimeSlot within);
}
