package org.metasched.outbox;

import java.time.Duration;

/**
 * Rules by which a dispatcher calls the receivers of one kind of message.
 *
 * @param atOnce most calls under way at the same time
 * @param perLane most calls under way to one receiver
 * @param longestCall longest time from the beginning of a call to the end of its answer; then the calling thread is interrupted
 * @param mostAttempts most calls with one message, which is then given up
 * @param firstPause pause before the second call
 * @param factor factor by which each further pause is longer
 * @param longestPause longest pause between two calls
 * @param onceWhileSilent whether a receiver, after a message to it was given up, is called only once for each further message, until it
 *     answers
 */
public record RetryPolicy(
        int atOnce,
        int perLane,
        Duration longestCall,
        int mostAttempts,
        Duration firstPause,
        int factor,
        Duration longestPause,
        boolean onceWhileSilent) {

    /** The pause after a number of calls, from 1. */
    public Duration pauseAfter(int attempts) {
        var pause = firstPause;
        for (int i = 1; i < attempts && pause.compareTo(longestPause) < 0; i++) {
            pause = pause.multipliedBy(factor);
        }
        return pause.compareTo(longestPause) < 0 ? pause : longestPause;
    }
}
