/**
 * Subscriptions of people: occasions of agreements of which they are told, and calendars; where they are kept. Knows no way of
 * telling.
 */
@NullMarked
package org.metasched.subscription;

import org.jspecify.annotations.NullMarked;
