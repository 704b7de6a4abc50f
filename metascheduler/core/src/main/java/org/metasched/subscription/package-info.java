/**
 * Subscriptions of people to notices about agreements and to calendars, and their store. Sends nothing itself.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.subscription;
