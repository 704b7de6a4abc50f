/**
 * Subscriptions of people to notices about agreements and to calendars, and their store. Sends nothing itself.
 */
@NullMarked
package org.metasched.subscription;

import org.jspecify.annotations.NullMarked;
