/**
 * What adapters over a command line share: running commands safely, reading what they print without being fooled, the
 * site's clock, settings, users, and free
 * capacity over time ({@link org.metasched.adapter.support.AvailabilityProfile}).
 */
@NullMarked
package org.metasched.adapter.support;

import org.jspecify.annotations.NullMarked;
