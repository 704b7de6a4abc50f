package org.metasched.slots;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.TimeSlot;

/**
 * Free capacity over time: the slot table of a planning-based scheduler, as a request sees it.
 *
 * <p>{@link CountProfile} counts alike units (Mbit/s, licences, interchangeable nodes); {@link NodeProfile#among} knows which nodes are
 * free, and asks that the <em>same</em> nodes stay free. Amounts are in the profile's own unit. Each instant in an answer is an instant
 * of the question, a change of the capacity, or, as the last start of an interval, the length before such a change; nothing is rounded.
 * Exact to the nanosecond from 1896 to 2116; instants beyond are cut off there.
 *
 * <p>Not thread-safe, not even for reading. The complexity of each question is stated at its implementation.
 *
 * <p>The questions are ResourceAvailableAt of Streit et al. (ParCo 2005): one start, and all starts of a look-ahead.
 */
public interface AvailabilityProfile {

    /**
     * The least that is free at any instant of the slot.
     *
     * @return an amount; below zero where more was taken than there is
     */
    int leastFree(TimeSlot slot);

    /**
     * The first start at or after {@code notBefore} from which the amount is free for the whole length, without a gap.
     *
     * @param amount at least 1
     * @param length of the run, positive
     * @param notBefore the first start of interest, included
     * @param latestStart the last start of interest, included
     * @return empty when there is no such start, or {@code latestStart} is before {@code notBefore}
     * @throws IllegalArgumentException when the amount is below 1
     */
    Optional<Instant> earliestStart(int amount, Duration length, Instant notBefore, Instant latestStart);

    /**
     * All starts from which the amount is free for the whole length, as disjoint intervals, earliest first.
     *
     * @param amount at least 1
     * @param length of each run, positive
     * @param within the starts of interest; unlike elsewhere, the end of the slot is included
     * @return disjoint and ordered, both ends of each included
     * @throws IllegalArgumentException when the amount is below 1
     */
    List<StartInterval> starts(int amount, Duration length, TimeSlot within);
}
