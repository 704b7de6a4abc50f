/**
 * What adapters over a command line share: running commands safely, reading what they print without being fooled, the
 * site's clock, settings, users, and the plan from which free slots are computed.
 */
@NullMarked
package org.metasched.adapter.support;

import org.jspecify.annotations.NullMarked;
